import * as pulumi from "@pulumi/pulumi";
import { autoscaling, Endpoint, maxConnections as connectionsOf } from "pulumi-compute-endpoint";

const config = new pulumi.Config();
const size = autoscaling(config.getNumber("minCu") ?? 0.5, config.getNumber("maxCu") ?? 4);

// The service grows and shrinks it between the two sizes, without a restart. Changing one of them restarts it.
const app = new Endpoint("app", {
  projectId: config.require("projectId"),
  branchId: config.require("branchId"),
  ...size,
  // Suspends after a quarter of an hour without a query. Changing this leaves open connections alone.
  suspendTimeoutSeconds: 900,
  // A release of the service reaches a running compute with its next restart: `pulumi config set release 2026-48`.
  restartTriggers: { release: config.get("release") ?? "1" },
  // A preview fails where a change would drop the connections of a compute that is running.
  onInterruption: "forbid-when-active",
});

export const host = app.host;
// It follows the limits, however far the compute has grown: connection pools go by this. For Neon, pass "neon".
export const maxConnections = connectionsOf(size, "interface");
