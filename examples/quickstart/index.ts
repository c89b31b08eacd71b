import * as pulumi from "@pulumi/pulumi";
import { autoscaling, Endpoint } from "pulumi-compute-endpoint";

const config = new pulumi.Config();
const projectId = config.require("projectId");

// If maxCu is above minCu, the compute scales automatically. If both are equal, which is the default here, its size is
// fixed.
const minCu = config.getNumber("minCu") ?? 0.25;
const maxCu = config.getNumber("maxCu") ?? minCu;

// Clients reach a branch only through a compute, and this branch has none yet.
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
