/**
 * What changing each argument does to a running compute: the one table that diff, the interruption notice,
 * the README and the field docs read. Pure and without imports.
 */

/**
 * - `replace`: a new compute is created and the old one deleted; the host changes.
 * - `restart`: the compute restarts; open connections are dropped (interface 1, 3.1).
 * - `move`: the compute is suspended and comes back on another branch; open connections are dropped (interface 3.1).
 * - `suspend`: the compute is suspended while it is true; open connections are dropped.
 * - `unstated`: the interface does not say whether connections survive.
 * - `none`: connections are unaffected.
 */
export type Effect = "replace" | "restart" | "move" | "suspend" | "unstated" | "none";

export const effects = {
  projectId: "replace",
  type: "replace",
  regionId: "replace",
  branchId: "move",
  autoscalingLimitMinCu: "restart",
  autoscalingLimitMaxCu: "restart",
  restartTriggers: "restart",
  disabled: "suspend",
  settings: "unstated",
  poolerEnabled: "unstated",
  poolerMode: "unstated",
  passwordlessAccess: "unstated",
  suspendTimeoutSeconds: "none", // interface 3.1: no restart, connections unaffected
  adopt: "none",
  onInterruption: "none",
  timeouts: "none",
} as const satisfies Record<string, Effect>;

/** The name of an argument of Endpoint. An argument without an effect does not compile (`inputs.ts`). */
export type ArgumentName = keyof typeof effects;

export const argumentNames = Object.keys(effects) as readonly ArgumentName[];

/** Arguments that exist only here: never sent to the service, never answered by it. */
export const ownArguments = ["adopt", "onInterruption", "restartTriggers", "timeouts"] as const;
