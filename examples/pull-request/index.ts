import * as pulumi from "@pulumi/pulumi";
import { autoscaling, Endpoint, fixedSize } from "pulumi-compute-endpoint";

// A real program has its sizes here. They are configuration, so that one command can show a change to them.
const config = new pulumi.Config();
const projectId = config.require("projectId");

const app = new Endpoint("app", {
  projectId,
  branchId: config.require("appBranchId"),
  ...fixedSize(config.getNumber("appCu") ?? 0.25),
});

const jobs = new Endpoint("jobs", {
  projectId,
  branchId: config.require("jobsBranchId"),
  type: "read_only",
  ...autoscaling(0.25, 1),
});

const reports = new Endpoint("reports", {
  projectId,
  branchId: config.require("appBranchId"),
  type: "read_only",
  ...autoscaling(0.25, 2),
  suspendTimeoutSeconds: config.getNumber("reportsSuspendSeconds") ?? 300,
});

export const appHost = app.host;
export const jobsHost = jobs.host;
export const reportsHost = reports.host;
