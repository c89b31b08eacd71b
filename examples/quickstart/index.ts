import * as pulumi from "@pulumi/pulumi";
import { autoscaling, Endpoint } from "pulumi-compute-endpoint";

const config = new pulumi.Config();
const projectId = config.require("projectId");

// With maxCu above minCu the compute scales by itself; alike, as here unless configured, its size is fixed.
const minCu = config.getNumber("minCu") ?? 0.25;
const maxCu = config.getNumber("maxCu") ?? minCu;

// A branch takes clients only through a compute: this one had none.
const app = new Endpoint("app", {
  projectId,
  branchId: config.require("branchId"),
  ...autoscaling(minCu, maxCu),
  suspendTimeoutSeconds: 300,
});

// A read replica beside the primary that the default branch came with.
const reports = new Endpoint("reports", {
  projectId,
  branchId: config.require("defaultBranchId"),
  type: "read_only",
  ...autoscaling(0.25, 2),
});

export const appHost = app.host;
export const reportsHost = reports.host;
