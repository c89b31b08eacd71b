import * as pulumi from "@pulumi/pulumi";
import { autoscaling, Endpoint, maxConnections as connectionsOf } from "pulumi-compute-endpoint";

const config = new pulumi.Config();
const size = autoscaling(config.getNumber("minCu") ?? 0.5, config.getNumber("maxCu") ?? 4);

// The service scales the compute between the two sizes without a restart. Changing one of the sizes here restarts it.
const app = new Endpoint("app", {
  projectId: config.require("projectId"),
  branchId: config.require("branchId"),
  ...size,
  // Suspends after a quarter of an hour without a query. Changing this leaves open connections alone.
  suspendTimeoutSeconds: 900,
  // A running compute gets a new release of the service when it restarts: change this value to restart it, for example
  // with `pulumi config set release 2026-48`.
  restartTriggers: { release: config.get("release") ?? "1" },
  // A preview fails if a change would drop the connections of a running compute.
  onInterruption: "forbid-when-active",
});

export const host = app.host;
// max_connections follows these limits, not the present size. Use it to size connection pools. For Neon, pass "neon".
export const maxConnections = connectionsOf(size, "interface");
