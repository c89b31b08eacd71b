import * as pulumi from "@pulumi/pulumi";
import { autoscaling, Endpoint, getPrimaryOutput } from "pulumi-compute-endpoint";

const config = new pulumi.Config();
const branch = { projectId: config.require("projectId"), branchId: config.require("branchId") };

// The branch's primary is looked up, and never changed from here. To manage it too, declare an Endpoint with
// `adopt: "ep-…"`, its id.
const primary = getPrimaryOutput(branch);

// Changing the size restarts a compute and drops its connections: `pulumi preview` says so first.
const reader = new Endpoint("reader", {
  ...branch,
  type: "read_only",
  ...autoscaling(0.25, config.getNumber("maxCu") ?? 2),
  suspendTimeoutSeconds: 300,
});

export const primaryHost = primary.host;
export const readerHost = reader.host;
