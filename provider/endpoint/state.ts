/**
 * Between the wire (`ApiEndpoint`) and what a state stores (`EndpointState`).
 *
 * Stored are the stable fields and the user's own arguments. What changes by itself (current and pending
 * state, last activity) is left out: it would make every refresh noisy. Of settings and triggers, a state holds the
 * values that are declared now: the engine knows a secret by its place in the present declaration alone.
 */
import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { ApiEndpoint, EndpointBody } from "../api/schemas";
import { argumentNames, type ArgumentName } from "./effects";
import type { ComputeType, EndpointInputs, HiddenInputs, PgSetting } from "./inputs";

/** What the engine keeps of a compute. Hidden members begin with two underscores: the CLI never shows them. */
export interface EndpointState extends EndpointInputs {
  readonly endpointId: string;
  readonly host?: string | undefined;
  readonly proxyHost?: string | undefined;
  readonly createdAt?: string | undefined;
  /** Names of the arguments that were declared, nested ones as `settings.pgSettings.NAME`: the rest is unmanaged. */
  readonly __managed: readonly string[];
  readonly __provider?: string | undefined;
  readonly __urn?: string | undefined;
  /** Names of the arguments that are secret, or hold a secret. */
  readonly __secrets?: readonly string[] | undefined;
  /** The triggers of the last restart as hashes, while the declared ones still owe one. */
  readonly __triggers?: TriggerHashes | undefined;
  /** Ids of operations that a failed or cut-off wait left behind: the next update waits for them. */
  readonly __operations?: readonly string[] | undefined;
}

/** By name; the values may be secret, and no longer declared. */
export type TriggerHashes = Readonly<Record<string, string>>;

/** What goes with an endpoint's fields into the state: the declaration, and the engine's hidden members. */
export interface Declaration {
  readonly inputs: EndpointInputs;
  readonly provider?: string | undefined;
  readonly urn?: string | undefined;
  readonly secrets?: readonly string[] | undefined;
  /** Those of the last restart, while the declared ones still owe one. */
  readonly triggers?: TriggerHashes | undefined;
  /** For a create: the compute that it is to replace. */
  readonly replaces?: HiddenInputs["__replaces"];
}

/** Wire name of each argument that a PATCH can carry (interface 4.3). */
const patchable = {
  branchId: "branch_id",
  autoscalingLimitMinCu: "autoscaling_limit_min_cu",
  autoscalingLimitMaxCu: "autoscaling_limit_max_cu",
  suspendTimeoutSeconds: "suspend_timeout_seconds",
  poolerEnabled: "pooler_enabled",
  poolerMode: "pooler_mode",
  disabled: "disabled",
  passwordlessAccess: "passwordless_access",
} as const satisfies Partial<Record<ArgumentName, keyof EndpointBody>>;

/** Whether a PATCH has anything to say of these arguments. */
export function isPatched(names: readonly ArgumentName[]): boolean {
  return names.some((name) => name === "settings" || Object.hasOwn(patchable, name));
}

/** Body of a create (interface 4.1). @param replicaType - what the service calls a replica: not shown there. */
export function toCreateBody(inputs: EndpointInputs, replicaType: string): EndpointBody {
  return {
    ...toUpdateBody(inputs, argumentNames),
    type: inputs.type === "read_only" ? replicaType : inputs.type,
    ...(inputs.regionId === undefined ? {} : { region_id: inputs.regionId }),
  };
}

/**
 * Body of an update (interface 4.3) that carries the named arguments and nothing else.
 *
 * @param undeclared - Postgres settings that nobody declared. A service may replace the map of them as a whole, so
 * they go along as they are.
 */
export function toUpdateBody(
  inputs: EndpointInputs,
  names: readonly ArgumentName[],
  undeclared: Readonly<Record<string, unknown>> = {},
): EndpointBody {
  const body: Record<string, unknown> = {};
  for (const [name, wire] of Object.entries(patchable)) {
    const value = inputs[name as keyof typeof patchable];
    if (names.includes(name as ArgumentName) && value !== undefined) body[wire] = value;
  }
  if (names.includes("settings") && inputs.settings !== undefined) {
    body["settings"] = { pg_settings: { ...undeclared, ...inputs.settings.pgSettings } };
  }
  return body;
}

/** The Postgres settings that a compute has and that were never declared. */
export function undeclaredSettings(
  endpoint: ApiEndpoint,
  { __managed }: Pick<EndpointState, "__managed">,
): Record<string, unknown> {
  const live = Object.entries(endpoint.settings?.pg_settings ?? {});
  return Object.fromEntries(live.filter(([name]) => !__managed.includes(`${pgSettingPrefix}${name}`)));
}

/**
 * The state of a compute: the service's values; where it does not answer a field, the declared one.
 */
export function toState(endpoint: ApiEndpoint, declaration: Declaration): EndpointState {
  const { inputs, provider, urn, secrets, triggers } = declaration;
  return withoutUndefined({
    ...inputs,
    ...fieldsOf(endpoint, inputs),
    __managed: managedNames(inputs),
    __provider: provider,
    __urn: urn,
    __secrets: secrets,
    __triggers: triggers,
  }) as unknown as EndpointState;
}

/**
 * A state as the engine may keep it beside a declaration. A setting that is no longer declared leaves its name alone,
 * a trigger its hash: whether it was a secret, the engine would no longer know.
 */
export function toStored(state: Readonly<EndpointState>, inputs: EndpointInputs): EndpointState {
  const declared = inputs.settings?.pgSettings ?? {};
  const kept = Object.entries(state.settings?.pgSettings ?? {}).filter(([name]) =>
    Object.hasOwn(declared, name),
  );
  const settings = inputs.settings === undefined ? undefined : { pgSettings: Object.fromEntries(kept) };
  const isOwed = !isDeepStrictEqual(state.restartTriggers, inputs.restartTriggers);
  const triggers = isOwed ? { restartTriggers: undefined, __triggers: triggerHashes(state) } : {};
  return withoutUndefined({
    ...state,
    settings: state.settings === undefined ? undefined : settings,
    ...triggers,
  }) as unknown as EndpointState;
}

/** What the triggers were at the last restart. */
export function triggerHashes(state: Pick<EndpointState, "restartTriggers" | "__triggers">): TriggerHashes {
  if (state.restartTriggers === undefined && state.__triggers !== undefined) return state.__triggers;
  const triggers = Object.entries(state.restartTriggers ?? {});
  return Object.fromEntries(triggers.map(([name, value]) => [name, hashOfTrigger(value)]));
}

/** The same for equal values, in whatever order their members stand. */
export function hashOfTrigger(value: unknown): string {
  const sorted = (_key: string, member: unknown): unknown =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([left], [right]) => (left < right ? -1 : 1)))
      : member;
  return createHash("sha256")
    .update(JSON.stringify([value], sorted))
    .digest("hex");
}

/**
 * The state after a refresh. Of the settings it names those that the service has: also one that an earlier run was to
 * remove, so that the next update removes it.
 *
 * @param state - the outputs before; for `Endpoint.get`, what its caller passed.
 */
export function toRefreshed(endpoint: ApiEndpoint, state: Readonly<Partial<EndpointState>>): EndpointState {
  const { __managed = ["projectId"], __provider, __urn, __secrets, __triggers } = state;
  const declared = inputsOfState({ ...state, __managed } as EndpointState) as unknown as EndpointInputs;
  const seen = toState(endpoint, {
    inputs: declared,
    provider: __provider,
    urn: __urn,
    secrets: __secrets,
    triggers: __triggers,
  });
  const live = Object.keys(endpoint.settings?.pg_settings ?? {});
  const managed = __managed.filter(
    (name) => !name.startsWith(pgSettingPrefix) || live.includes(name.slice(pgSettingPrefix.length)),
  );
  // What an earlier run left unfinished stays so: looking is not waiting.
  return withoutUndefined({
    ...seen,
    __managed: managed,
    __operations: state.__operations,
  }) as unknown as EndpointState;
}

/** The stable fields of an endpoint, in the words of a program. */
export function fieldsOf(endpoint: ApiEndpoint, declared?: Partial<EndpointInputs>): Record<string, unknown> {
  const pgSettings = endpoint.settings?.pg_settings ?? undefined;
  const settings = pgSettings === undefined ? undefined : shownSettings(pgSettings, declared);
  return withoutUndefined({
    endpointId: endpoint.id,
    host: endpoint.host,
    proxyHost: endpoint.proxy_host,
    projectId: endpoint.project_id,
    branchId: endpoint.branch_id,
    regionId: endpoint.region_id,
    type: computeTypeOf(endpoint.type),
    autoscalingLimitMinCu: endpoint.autoscaling_limit_min_cu,
    autoscalingLimitMaxCu: endpoint.autoscaling_limit_max_cu,
    suspendTimeoutSeconds: suspendTimeoutOf(endpoint, declared),
    poolerEnabled: endpoint.pooler_enabled,
    poolerMode: endpoint.pooler_mode,
    disabled: endpoint.disabled,
    passwordlessAccess: endpoint.passwordless_access,
    settings,
    createdAt: endpoint.created_at,
  });
}

/** Interface 2.1 does not show what a replica is called: whatever is no primary is one. */
export function computeTypeOf(type: string): ComputeType {
  return type === "read_write" ? "read_write" : "read_only";
}

/** 0 and 300 mean the same (the service's default): the declared one of the two stays, so that nothing drifts. */
function suspendTimeoutOf(endpoint: ApiEndpoint, declared?: Partial<EndpointInputs>): number | undefined {
  const answered = endpoint.suspend_timeout_seconds ?? undefined;
  const wanted = declared?.suspendTimeoutSeconds;
  return wanted !== undefined && sameSuspendTimeout(answered, wanted) ? wanted : answered;
}

/**
 * All settings for a lookup; for a declaration those that it has. Services answer them as text, whatever was sent: the
 * declared spelling of an equal value stays.
 */
function shownSettings(
  answered: Readonly<Record<string, unknown>>,
  declared: Partial<EndpointInputs> | undefined,
): { readonly pgSettings: Record<string, unknown> } | undefined {
  if (declared === undefined) return { pgSettings: { ...answered } };
  const wanted = declared.settings?.pgSettings;
  if (typeof wanted !== "object") return undefined;
  const entries = Object.entries(answered)
    .filter(([name]) => Object.hasOwn(wanted, name))
    .map(([name, value]) => [name, samePgSetting(value, wanted[name]) ? wanted[name] : value] as const);
  return { pgSettings: Object.fromEntries(entries) };
}

function sameSuspendTimeout(left: unknown, right: unknown): boolean {
  const effective = (seconds: unknown): unknown => (seconds === 0 ? 300 : seconds);
  return effective(left) === effective(right);
}

function samePgSetting(left: unknown, right: PgSetting | undefined): boolean {
  return right !== undefined && String(left) === String(right);
}

/** Names of the declared arguments, nested Postgres settings included. */
export function managedNames(inputs: EndpointInputs): readonly string[] {
  const settings = Object.keys(inputs.settings?.pgSettings ?? {}).map((name) => `${pgSettingPrefix}${name}`);
  return [...argumentNames.filter((name) => inputs[name] !== undefined), ...settings];
}

const pgSettingPrefix = "settings.pgSettings.";

/**
 * The arguments in which a declaration differs from the state. What is not declared is unmanaged, never a change.
 *
 * @param inputs - may hold values that are not known yet: those count as changed.
 */
export function changedArguments(
  state: Readonly<EndpointState>,
  inputs: EndpointInputs,
): readonly ArgumentName[] {
  return argumentNames.filter((name) => {
    const wanted = inputs[name];
    const stored = state[name];
    switch (name) {
      // Only a create reads it; later it is a note on where the compute came from.
      case "adopt":
        return false;
      case "settings":
        return inputs.settings !== undefined && settingsDiffer(state, inputs);
      case "suspendTimeoutSeconds":
        return wanted !== undefined && !sameSuspendTimeout(stored, wanted);
      // Ours alone: leaving one out is a change too, back to its default.
      case "onInterruption":
      case "timeouts":
        return !isDeepStrictEqual(stored, wanted);
      // Which of them restart the compute, `pulledTriggers` says.
      case "restartTriggers":
        return !isDeepStrictEqual(stored, wanted);
      default:
        return wanted !== undefined && !isDeepStrictEqual(stored, wanted);
    }
  });
}

/** Declared settings that differ, and settings declared before and not now. Others are the service's own. */
function settingsDiffer(state: Readonly<EndpointState>, inputs: EndpointInputs): boolean {
  const wanted = inputs.settings?.pgSettings;
  // The whole map is not known yet.
  if (typeof wanted !== "object") return true;
  const stored = state.settings?.pgSettings ?? {};
  const dropped = state.__managed.some((name) => {
    const setting = name.startsWith(pgSettingPrefix) ? name.slice(pgSettingPrefix.length) : undefined;
    return setting !== undefined && !(setting in wanted);
  });
  return dropped || Object.entries(wanted).some(([name, value]) => !samePgSetting(stored[name], value));
}

/** The declaration that a state stands for: what was declared, with the service's present values. */
export function inputsOfState(state: Readonly<EndpointState>): Record<string, unknown> {
  const managed = new Set(state.__managed);
  const inputs = Object.fromEntries(
    argumentNames.filter((name) => managed.has(name)).map((name) => [name, state[name]]),
  );
  if (state.settings !== undefined && managed.has("settings")) {
    const declared = Object.entries(state.settings.pgSettings).filter(([name]) =>
      managed.has(`${pgSettingPrefix}${name}`),
    );
    inputs["settings"] = { pgSettings: Object.fromEntries(declared) };
  }
  return withoutUndefined({ ...inputs, __urn: state.__urn, __secrets: state.__secrets });
}

/** Absent members are left out: an engine cannot store undefined. */
export function withoutUndefined(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(record).filter(([, value]) => value !== undefined && value !== null),
  );
}
