/**
 * The table of an Endpoint's arguments: the name of each in the API, where it is sent, what changing it does to a
 * running compute, and how two of its values are compared. Bodies, states, diffs, notices, outputs, the report and
 * the docs read it. Pure and without imports.
 */

/** The resource's type with the dynamic provider, and with the plugin: part of each URN, so they never change. */
export const dynamicType = "pulumi-nodejs:dynamic/compute:Endpoint";
export const nativeType = "compute:index:Endpoint";

/**
 * - `replace`: a new compute is created and the old one deleted; the host changes.
 * - `restart`: the compute restarts; open connections are dropped (interface 1, 3.1).
 * - `move`: the compute is suspended and comes back on another branch; open connections are dropped (interface 3.1).
 * - `suspend`: the compute is suspended while the argument is true; open connections are dropped.
 * - `unstated`: the interface does not say whether connections survive.
 * - `none`: connections are unaffected.
 */
export type Effect = "replace" | "restart" | "move" | "suspend" | "unstated" | "none";

/** An argument that the service also has (interface 2.1): it is an output as well. */
interface Attribute {
  readonly effect: Effect;
  /** Its name in the service's answers and in bodies. */
  readonly wire: string;
  readonly kind: keyof Kinds;
  /** `path`: part of each request's path. `create`: in the body of a create. `change`: in every body. */
  readonly sent: "path" | "create" | "change";
  /** Whether two values mean the same, if equality is not enough. */
  readonly same?: (left: unknown, right: unknown) => boolean;
}

/** An argument of this provider only: never sent, never returned. */
interface Own {
  readonly effect: Effect;
  /** `compared`: leaving it out is also a change. `creation`: only a create reads it. */
  readonly own: "compared" | "creation";
}

/** The type of an attribute's value, by the name of its kind. */
export interface Kinds {
  readonly string: string;
  readonly number: number;
  readonly boolean: boolean;
  readonly settings: {
    /** Values by name, as the service has them. */
    readonly pgSettings: Readonly<Record<string, unknown>>;
  };
}

/** 0 is the service's default, which is 300 seconds (interface 3.1). */
function isSameSuspendTimeout(left: unknown, right: unknown): boolean {
  const effective = (seconds: unknown): unknown => (seconds === 0 ? 300 : seconds);
  return effective(left) === effective(right);
}

/** Messages name the arguments in this order. */
export const fields = {
  projectId: { effect: "replace", wire: "project_id", kind: "string", sent: "path" },
  type: { effect: "replace", wire: "type", kind: "string", sent: "create" },
  regionId: { effect: "replace", wire: "region_id", kind: "string", sent: "create" },
  branchId: { effect: "move", wire: "branch_id", kind: "string", sent: "change" },
  autoscalingLimitMinCu: {
    effect: "restart",
    wire: "autoscaling_limit_min_cu",
    kind: "number",
    sent: "change",
  },
  autoscalingLimitMaxCu: {
    effect: "restart",
    wire: "autoscaling_limit_max_cu",
    kind: "number",
    sent: "change",
  },
  restartTriggers: { effect: "restart", own: "compared" },
  disabled: { effect: "suspend", wire: "disabled", kind: "boolean", sent: "change" },
  settings: { effect: "unstated", wire: "settings", kind: "settings", sent: "change" },
  poolerEnabled: { effect: "unstated", wire: "pooler_enabled", kind: "boolean", sent: "change" },
  poolerMode: { effect: "unstated", wire: "pooler_mode", kind: "string", sent: "change" },
  passwordlessAccess: { effect: "unstated", wire: "passwordless_access", kind: "boolean", sent: "change" },
  suspendTimeoutSeconds: {
    effect: "none", // interface 3.1: no restart, connections unaffected
    wire: "suspend_timeout_seconds",
    kind: "number",
    sent: "change",
    same: isSameSuspendTimeout,
  },
  name: { effect: "none", wire: "name", kind: "string", sent: "change" },
  adopt: { effect: "none", own: "creation" },
  onInterruption: { effect: "none", own: "compared" },
  timeouts: { effect: "none", own: "compared" },
} as const satisfies Record<string, Attribute | Own>;

type Fields = typeof fields;

/** The name of an argument of Endpoint. */
export type ArgumentName = keyof Fields;

/** The name of an argument that the service also has. */
export type AttributeName = {
  [Name in ArgumentName]: Fields[Name] extends Attribute ? Name : never;
}[ArgumentName];

/** The argument for each name in the API. */
export type WireNames = { readonly [Name in AttributeName as Fields[Name]["wire"]]: Name };

/** The value of an attribute. */
export type ValueOf<Name extends AttributeName> = Kinds[Fields[Name]["kind"]];

export const argumentNames = Object.keys(fields) as readonly ArgumentName[];

export const attributeNames = argumentNames.filter((name): name is AttributeName => "wire" in fields[name]);

/** Names of the outputs: the values that only the service decides, and the attributes. */
export const outputNames = ["endpointId", "host", "proxyHost", "createdAt", ...attributeNames] as const;

/** The row of an attribute, with a general type. */
export function attribute(name: AttributeName): Attribute {
  return fields[name];
}

/** True for an argument of this provider only. */
export function isOwn(name: ArgumentName): boolean {
  return "own" in fields[name];
}

/** What changing an argument does to a running compute. */
export function effectOf(name: ArgumentName): Effect {
  return fields[name].effect;
}
