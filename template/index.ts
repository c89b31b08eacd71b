import * as pulumi from "@pulumi/pulumi";
import { autoscaling, Endpoint, fixedSize } from "pulumi-compute-endpoint";

const config = new pulumi.Config();
const branch = { projectId: config.require("projectId"), branchId: config.require("branchId") };

// A branch has only one primary. If yours already has one, add the line `adopt: "ep-…"` here, with its id.
const primary = new Endpoint("primary", {
  ...branch,
  ...fixedSize(1),
  suspendTimeoutSeconds: 300,
});

// Changing the size restarts a compute and drops its connections: `pulumi preview` says so first.
const reader = new Endpoint("reader", {
  ...branch,
  type: "read_only",
  ...autoscaling(0.25, config.getNumber("maxCu") ?? 2),
  suspendTimeoutSeconds: 300,
});

export const primaryHost = primary.host;
export const readerHost = reader.host;
