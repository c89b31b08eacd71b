import * as pulumi from "@pulumi/pulumi";
import { autoscaling, Endpoint, getPrimaryOutput } from "pulumi-compute-endpoint";

const config = new pulumi.Config();
// A branch has at most one read_write compute, and any number of read_only ones.
const branch = { projectId: config.require("projectId"), branchId: config.require("branchId") };

const reports = new Endpoint("reports", { ...branch, type: "read_only", ...autoscaling(0.25, 2) });
const extracts = new Endpoint("extracts", {
  ...branch,
  type: "read_only",
  ...autoscaling(1, 4),
  // Used for a few minutes each night: no need to stay awake.
  suspendTimeoutSeconds: 60,
});

// Another program owns the primary: this program only looks it up, and never changes or deletes it.
const primary = getPrimaryOutput(branch);

export const replicaHosts = [reports.host, extracts.host];
export const primaryHost = primary.host;
