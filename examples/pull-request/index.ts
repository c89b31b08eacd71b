import * as pulumi from "@pulumi/pulumi";
import { autoscaling, Endpoint, fixedSize } from "pulumi-compute-endpoint";

// A real program would contain its sizes. Here they are configuration, so that one command can show a change to them.
const config = new pulumi.Config();
const projectId = config.require("projectId");
const suspendTimeoutSeconds = config.getNumber("suspendSeconds") ?? 300;

const app = new Endpoint("app", {
  projectId,
  branchId: config.require("appBranchId"),
  ...fixedSize(config.getNumber("appCu") ?? 0.25),
  suspendTimeoutSeconds,
});

const jobs = new Endpoint("jobs", {
  projectId,
  branchId: config.require("jobsBranchId"),
  type: "read_only",
  ...autoscaling(0.25, 1),
  suspendTimeoutSeconds,
});

// A stack whose users need no reports has no compute for them.
const reports =
  config.getBoolean("reports") === false
    ? undefined
    : new Endpoint("reports", {
        projectId,
        branchId: config.require("appBranchId"),
        type: "read_only",
        ...autoscaling(0.25, 2),
        suspendTimeoutSeconds,
      });

export const appHost = app.host;
export const jobsHost = jobs.host;
export const reportsHost = reports?.host;
