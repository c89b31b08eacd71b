/**
 * Between the wire (`ApiEndpoint`) and what a state holds (`EndpointState`).
 *
 * Held are the stable fields and the user's own arguments. What changes by itself (current and pending state, last
 * activity) is left out: it would make every refresh noisy. Of settings and triggers, a state holds the values that
 * are declared now: the engine knows a secret by its place in the present declaration alone.
 */
import { isDeepStrictEqual } from "node:util";
import type { ApiEndpoint, EndpointBody } from "../api/schemas";
import {
  argumentNames,
  attribute,
  attributeNames,
  isOwn,
  type ArgumentName,
  type AttributeName,
} from "../fields";
import {
  changedArguments,
  isSamePgSetting,
  isSameValue,
  managedNames,
  pgSettingPrefix,
  pgSettingsOf,
  triggerHashes,
  type DeclaredArguments as Arguments,
  type TriggerHashes,
} from "./planning/changes";
import type { ComputeType, EndpointInputs } from "./planning/inputs";
import type { Resource } from "./resource";

/** What the engine keeps of a compute. */
export type EndpointState = EndpointInputs & {
  readonly endpointId: string;
  readonly host?: string | undefined;
  readonly proxyHost?: string | undefined;
  readonly createdAt?: string | undefined;
  /** Names of the arguments that were declared, nested ones as `settings.pgSettings.NAME`: the rest is unmanaged. */
  readonly managed: readonly string[];
  /** The triggers of the last restart as hashes, while the declared ones still owe one. */
  readonly triggers?: TriggerHashes | undefined;
  /** Ids of operations that a failed or cut-off wait left behind: the next update waits for them. */
  readonly operations?: readonly string[] | undefined;
};

/** What a program says of a compute, and for which of its resources. */
export interface Declaration {
  readonly inputs: EndpointInputs;
  readonly resource: Resource;
  /** The triggers of the last restart, while the declared ones still owe one. */
  readonly triggers?: TriggerHashes | undefined;
  /** For a create: the state holds a compute of this resource already; its id where a diff has named it. */
  readonly replaces?: { readonly endpointId?: string | undefined } | undefined;
  /** For an adoption: who is known to have the compute in its state. */
  readonly givers?: readonly string[];
}

/** Whether a PATCH has anything to say of these arguments. */
export function isPatched(names: readonly ArgumentName[]): boolean {
  return attributeNames.some((name) => attribute(name).sent === "change" && names.includes(name));
}

/** Body of a create (interface 4.1). @param replicaType - what the service calls a replica: not shown there. */
export function toCreateBody(inputs: EndpointInputs, replicaType: string): EndpointBody {
  const type = inputs.type === "read_only" ? replicaType : inputs.type;
  return { ...bodyOf({ ...inputs, type }, ["create"]), ...toUpdateBody(inputs, argumentNames) };
}

/**
 * Body of an update (interface 4.3) that carries the named arguments and nothing else.
 *
 * @param undeclared - settings that nobody declared. A service may replace `settings` or the map in it as a whole, so
 * they go along as they are.
 */
export function toUpdateBody(
  inputs: EndpointInputs,
  names: readonly ArgumentName[],
  undeclared?: ReturnType<typeof undeclaredSettings>,
): EndpointBody {
  const named = Object.fromEntries(
    Object.entries(inputs).filter(([name]) => names.includes(name as ArgumentName)),
  );
  const { settings, ...body } = bodyOf(named, ["change"]);
  if (settings === undefined) return body;
  const pgSettings = { ...undeclared?.pg_settings, ...pgSettingsOf({ settings }) };
  return { ...body, settings: { ...undeclared, pg_settings: pgSettings } };
}

function bodyOf(
  values: Readonly<Partial<Record<ArgumentName, unknown>>>,
  sent: readonly string[],
): EndpointBody {
  const entries = attributeNames
    .filter((name) => sent.includes(attribute(name).sent) && values[name] !== undefined)
    .map((name) => [attribute(name).wire, values[name]] as const);
  return Object.fromEntries(entries);
}

/** The settings that a compute has and that were never declared, as the service writes them. */
export function undeclaredSettings(
  { settings }: ApiEndpoint,
  { managed }: Pick<EndpointState, "managed">,
): Readonly<Record<string, unknown>> & { readonly pg_settings: Readonly<Record<string, unknown>> } {
  const live = Object.entries(settings?.pg_settings ?? {});
  const undeclared = live.filter(([name]) => !managed.includes(`${pgSettingPrefix}${name}`));
  return { ...settings, pg_settings: Object.fromEntries(undeclared) };
}

/**
 * The state of a compute: the service's values; where it does not answer a field, the declared one.
 */
export function toState(
  endpoint: ApiEndpoint,
  { inputs, triggers }: Omit<Declaration, "resource">,
): EndpointState {
  return withoutUndefined({
    ...inputs,
    ...fieldsOf(endpoint, inputs),
    managed: managedNames(inputs),
    triggers,
  });
}

/**
 * A state as the engine may keep it beside a declaration. A setting that is no longer declared leaves its name alone,
 * a trigger its hash: whether it was a secret, the engine would no longer know.
 */
export function toStored(state: EndpointState, inputs: EndpointInputs): EndpointState {
  const declared = inputs.settings?.pgSettings ?? {};
  const kept = Object.entries(state.settings?.pgSettings ?? {}).filter(([name]) =>
    Object.hasOwn(declared, name),
  );
  const settings = inputs.settings === undefined ? undefined : { pgSettings: Object.fromEntries(kept) };
  const isOwed = !isDeepStrictEqual(state.restartTriggers, inputs.restartTriggers);
  const owed = isOwed ? { restartTriggers: undefined, triggers: triggerHashes(state) } : {};
  return withoutUndefined({
    ...state,
    settings: state.settings === undefined ? undefined : settings,
    ...owed,
  });
}

/**
 * The state after a refresh. Of the settings it names those that the service has: also one that an earlier run was to
 * remove, so that the next update removes it.
 *
 * @param state - the state before; for `Endpoint.get`, what its caller passed.
 */
export function toRefreshed(
  endpoint: ApiEndpoint,
  state: Partial<EndpointState> & Pick<EndpointState, "managed">,
): EndpointState {
  const inputs = inputsOfState(state as EndpointState);
  const live = Object.keys(endpoint.settings?.pg_settings ?? {});
  const managed = state.managed.filter(
    (name) => !name.startsWith(pgSettingPrefix) || live.includes(name.slice(pgSettingPrefix.length)),
  );
  // What an earlier run left unfinished stays so: looking is not waiting.
  const { triggers, operations } = state;
  return withoutUndefined({
    ...toState(endpoint, { inputs, triggers }),
    managed,
    operations,
  });
}

/** What the service answers of a compute, in the words of a program; it may leave out anything but the id. */
export type AnsweredFields = Partial<
  Pick<EndpointState, Extract<AttributeName, keyof EndpointState> | "host" | "proxyHost" | "createdAt">
> &
  Pick<EndpointState, "endpointId">;

/** The stable fields of an endpoint, in the words of a program. @param declared - without it, all Postgres settings. */
export function fieldsOf(endpoint: ApiEndpoint, declared?: Arguments): AnsweredFields {
  const attributes = attributeNames.map((name) => [name, valueIn(endpoint, name, declared)] as const);
  return withoutUndefined({
    endpointId: endpoint.id,
    host: endpoint.host ?? undefined,
    proxyHost: endpoint.proxy_host ?? undefined,
    createdAt: endpoint.created_at ?? undefined,
    ...Object.fromEntries(attributes),
  });
}

/** An answered attribute; where the declared value means the same, that one, so that nothing drifts. */
function valueIn(endpoint: ApiEndpoint, name: AttributeName, declared?: Arguments): unknown {
  const answered = endpoint[attribute(name).wire];
  if (answered === undefined || answered === null) return undefined;
  if (name === "type") return computeTypeOf(endpoint.type);
  if (name === "settings") return shownSettings(endpoint, declared);
  const wanted = declared?.[name];
  return wanted !== undefined && isSameValue(name, answered, wanted) ? wanted : answered;
}

/** Interface 2.1 does not show what a replica is called: whatever is no primary is one. */
export function computeTypeOf(type: string): ComputeType {
  return type === "read_write" ? "read_write" : "read_only";
}

/**
 * All settings for a lookup; for a declaration those that it has. Services answer them as text, whatever was sent: the
 * declared spelling of an equal value stays.
 */
function shownSettings(
  { settings }: ApiEndpoint,
  declared: Arguments | undefined,
): { readonly pgSettings: Record<string, unknown> } | undefined {
  const answered = settings?.pg_settings ?? undefined;
  if (answered === undefined) return undefined;
  if (declared === undefined) return { pgSettings: { ...answered } };
  const wanted = pgSettingsOf(declared);
  if (wanted === undefined) return undefined;
  const entries = Object.entries(answered)
    .filter(([name]) => Object.hasOwn(wanted, name))
    .map(([name, value]) => [name, isSamePgSetting(value, wanted[name]) ? wanted[name] : value] as const);
  return { pgSettings: Object.fromEntries(entries) };
}

/** Declared arguments that the service answers with another value. */
export function unsettledArguments(state: EndpointState, inputs: EndpointInputs): readonly ArgumentName[] {
  return changedArguments(state, inputs).filter((name) => !isOwn(name));
}

/** The declaration that a state stands for: what was declared, with the service's present values. */
export function inputsOfState(state: EndpointState): EndpointInputs {
  const managed = new Set(state.managed);
  const named = argumentNames.filter((name) => managed.has(name)).map((name) => [name, state[name]] as const);
  const inputs: Record<string, unknown> = Object.fromEntries(named);
  if (state.settings !== undefined && managed.has("settings")) {
    const declared = Object.entries(state.settings.pgSettings).filter(([name]) =>
      managed.has(`${pgSettingPrefix}${name}`),
    );
    inputs["settings"] = { pgSettings: Object.fromEntries(declared) };
  }
  return withoutUndefined(inputs) as EndpointInputs;
}

/** Absent members are left out: an engine cannot store undefined. */
export function withoutUndefined<Members extends object>(record: Members): Members {
  const members = Object.entries(record).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(members) as Members;
}

/** A state after a change that left these arguments as they were. */
export function withDeferred(
  after: EndpointState,
  before: EndpointState,
  names: readonly ArgumentName[],
): EndpointState {
  const kept = Object.fromEntries(names.map((name) => [name, before[name]]));
  return { ...after, ...kept, managed: [...new Set([...before.managed, ...after.managed])] };
}
