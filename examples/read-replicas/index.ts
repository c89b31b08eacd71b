import * as pulumi from "@pulumi/pulumi";
import { autoscaling, Endpoint, getPrimaryOutput } from "pulumi-compute-endpoint";

const config = new pulumi.Config();
// A branch has one read_write compute at most, and any number of read_only ones beside it.
const branch = { projectId: config.require("projectId"), branchId: config.require("branchId") };

const reports = new Endpoint("reports", { ...branch, type: "read_only", ...autoscaling(0.25, 2) });
const extracts = new Endpoint("extracts", {
  ...branch,
  type: "read_only",
  ...autoscaling(1, 4),
  // Used for a few minutes each night: no need to stay awake.
  suspendTimeoutSeconds: 60,
});

// The primary belongs to somebody else: it is looked up, and never changed or deleted from here.
const primary = getPrimaryOutput(branch);

export const replicaHosts = [reports.host, extracts.host];
export const primaryHost = primary.host;
