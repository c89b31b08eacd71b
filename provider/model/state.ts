/**
 * Converts between the API (`ApiEndpoint`) and what a state holds (`EndpointState`).
 *
 * A state holds the stable fields and the user's own arguments. Fields that change by themselves (current and pending
 * state, last activity) are left out: they would make every refresh noisy. From settings, a state holds only the
 * values that are declared now: the engine marks an output secret only if the current inputs have a secret
 * at the same path.
 */
import type { EndpointRef } from "../service/client";
import type { ApiEndpoint, EndpointBody } from "../service/schemas";
import { ComputeError, messageOf } from "./errors";
import {
  argumentNames,
  attribute,
  attributeNames,
  isOwn,
  type ArgumentName,
  type AttributeName,
} from "./fields";
import {
  changedArguments,
  isSamePgSetting,
  isSameValue,
  managedNames,
  pgSettingPrefix,
  pgSettingsOf,
  type Arguments,
} from "./changes";
import { withIgnored } from "./ignored";
import type { ComputePlace, ComputeType, EndpointInputs } from "./inputs";
import type { SettingsPlan } from "./settingsOnWire";
import { factsOf, type ServiceName } from "./services";

/** What the engine keeps about a compute. */
export type EndpointState = EndpointInputs & {
  readonly endpointId: string;
  readonly host?: string | undefined;
  readonly proxyHost?: string | undefined;
  readonly createdAt?: string | undefined;
  /**
   * Names of the arguments that were declared, and of the settings that are ours (`settings.pgSettings.NAME`): all others are
   * unmanaged.
   */
  readonly managed: readonly string[];
  /** Settings that a change without an answer may have set, with the values that it sent. The next change decides whose they are. */
  readonly unconfirmed?: Readonly<Record<string, unknown>> | undefined;
  /**
   * Ids of operations that a failed or interrupted wait has left: the next update waits for them. `unnamed`: there may
   * be some, but they could not be listed.
   */
  readonly operations?: readonly string[] | "unnamed" | undefined;
  /** Names of what was sent in the change that began these operations, for the error if an operation fails in a later run. */
  readonly sent?: readonly string[] | undefined;
};

/** What a program declares about a compute. */
export interface ComputeDeclaration {
  readonly inputs: EndpointInputs;
  /** Managed names besides those of the declared arguments: settings that are ours, and arguments whose change waits. */
  readonly stillManaged?: readonly string[] | undefined;
}

/** Whether an earlier run left operations of the compute that have not succeeded. */
export function hasPendingOperations({ operations = [] }: EndpointState): boolean {
  return operations === "unnamed" || operations.length > 0;
}

/** Whether a PATCH sends any of these arguments. */
export function isPatched(names: readonly ArgumentName[]): boolean {
  return !names.every(isOwn);
}

/** Body of a create. Interface 4.1 does not show the type of a replica, so `services.ts` has it for each service. */
export function toCreateBody(inputs: EndpointInputs, service: ServiceName): EndpointBody {
  const type = inputs.type === "read_only" ? (factsOf(service)?.replicaType ?? inputs.type) : inputs.type;
  return { ...wireBody({ ...inputs, type }, ["create"]), ...toUpdateBody(inputs, argumentNames) };
}

/**
 * Body of an update (interface 4.3) that contains the named arguments only.
 *
 * @param plan - what to send as `settings`, if they are named.
 */
export function toUpdateBody(
  inputs: EndpointInputs,
  names: readonly ArgumentName[],
  plan?: Pick<SettingsPlan, "settings">,
): EndpointBody {
  const named = membersOf(inputs, (name) => names.includes(name as ArgumentName));
  const { settings, ...body } = wireBody(named, ["change"]);
  if (plan !== undefined) return { ...body, settings: plan.settings };
  return settings === undefined ? body : { ...body, settings: { pg_settings: pgSettingsOf({ settings }) } };
}

/** The members whose names `isMeant` accepts. */
function membersOf<T>(
  record: Readonly<Record<string, T>>,
  isMeant: (name: string) => boolean,
): Record<string, T> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => isMeant(name)));
}

function wireBody(
  values: Readonly<Partial<Record<ArgumentName, unknown>>>,
  sent: readonly string[],
): EndpointBody {
  const entries = attributeNames
    .filter((name) => sent.includes(attribute(name).sent) && values[name] !== undefined)
    .map((name) => [attribute(name).wire, values[name]] as const);
  return Object.fromEntries(entries);
}

function managedBy({ inputs, stillManaged = [] }: ComputeDeclaration): readonly string[] {
  return [...new Set([...stillManaged, ...managedNames(inputs)])];
}

/** The state of a compute: the service's values, or the declared value of a field that the service does not return. */
export function toState(endpoint: ApiEndpoint, declared: ComputeDeclaration): EndpointState {
  const { inputs } = declared;
  return withoutUndefined({ ...inputs, ...fieldsOf(endpoint, inputs), managed: managedBy(declared) });
}

/**
 * A state in the form that the engine may store beside a declaration. For a setting that is no longer declared, it keeps only
 * the name: the engine could not tell whether the value was secret.
 *
 * @param areSecret - whether settings are or were secret. If so, a setting whose new value waits or failed is also kept by
 * name only: where its new value is declared in plain text, the engine would not mark the old one as secret.
 */
export function toStored(state: EndpointState, inputs: EndpointInputs, areSecret: boolean): EndpointState {
  const declared = inputs.settings?.pgSettings ?? {};
  const kept = state.settings?.pgSettings ?? {};
  const pgSettings = membersOf(
    kept,
    (name) => Object.hasOwn(declared, name) && (!areSecret || isSamePgSetting(kept[name], declared[name])),
  );
  const settings = inputs.settings === undefined ? undefined : { pgSettings };
  return withoutUndefined({
    ...state,
    settings: state.settings === undefined ? undefined : settings,
  });
}

/**
 * The state after a refresh. Its managed names include each setting of ours that the service still has, even one that an
 * earlier run should have removed, so that the next update removes it.
 *
 * @param state - the state before; for `Endpoint.get`, what its caller passed.
 */
export function toRefreshed(
  endpoint: ApiEndpoint,
  state: Partial<EndpointState> & Pick<EndpointState, "managed">,
): EndpointState {
  const inputs = inputsOfState(state as EndpointState);
  // Operations of an earlier run stay pending: a read does not wait for them.
  const { operations, sent, unconfirmed } = state;
  return withoutUndefined({
    ...toState(endpoint, { inputs }),
    managed: withoutGoneSettings(endpoint, state.managed),
    operations,
    sent,
    unconfirmed,
  });
}

/**
 * The names, except those of settings that the service no longer has. If the service does not return settings, it may still
 * have all of them.
 */
export function withoutGoneSettings({ settings }: ApiEndpoint, names: readonly string[]): readonly string[] {
  const live = settings?.pg_settings ?? undefined;
  const isThere = (name: string): boolean =>
    live === undefined ||
    !name.startsWith(pgSettingPrefix) ||
    Object.hasOwn(live, name.slice(pgSettingPrefix.length));
  return [...new Set(names)].filter(isThere);
}

/** The service's answer about a compute, with a program's names; any field but the id may be absent. */
type AnsweredFields = Partial<
  Pick<EndpointState, Extract<AttributeName, keyof EndpointState> | "host" | "proxyHost" | "createdAt">
> &
  Pick<EndpointState, "endpointId">;

/**
 * The stable fields of an endpoint, with a program's names.
 *
 * @param declared - without it, all Postgres settings are included.
 */
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

/**
 * What a declaration is compared with before it takes over an existing compute: the values that the service returns. The
 * arguments that only this provider has count as unchanged.
 */
export function asFound(endpoint: ApiEndpoint, inputs: Arguments): Arguments {
  const live = fieldsOf(endpoint, inputs);
  return { ...ownOf(inputs), ...live, managed: Object.keys(live) };
}

/** The arguments of a declaration that only this provider has, such as `restartTriggers`. */
export function ownOf<Inputs extends Arguments>(inputs: Inputs): Partial<Inputs> {
  return Object.fromEntries(
    argumentNames.filter(isOwn).map((name) => [name, inputs[name]]),
  ) as Partial<Inputs>;
}

/** An attribute as the service returns it; as declared if both values mean the same, to avoid drift. */
function valueIn(endpoint: ApiEndpoint, name: AttributeName, declared?: Arguments): unknown {
  const answered = endpoint[attribute(name).wire];
  if (name === "type") return computeTypeOf(endpoint.type);
  if (name === "settings") return shownSettings(endpoint, declared);
  const wanted = declared?.[name];
  return isSameValue(name, answered, wanted) ? wanted : answered;
}

/** Interface 2.1 does not show the type of a replica: every compute that is not a primary counts as a replica. */
export function computeTypeOf(type: string): ComputeType {
  return type === "read_write" ? "read_write" : "read_only";
}

/** Whether a compute is of this branch and type. */
export function isAt(
  { branchId, type }: Pick<ComputePlace, "branchId" | "type">,
  endpoint: Pick<ApiEndpoint, "branch_id" | "type">,
): boolean {
  return endpoint.branch_id === branchId && computeTypeOf(endpoint.type) === type;
}

/**
 * All settings for a lookup, and the declared ones for a declaration. Services return settings as text, whatever was
 * sent: if the values are equal, the declared spelling is kept.
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

/**
 * Declared arguments for which the service returns another value.
 *
 * @param sent - what the step has sent; by default, all arguments. Somebody else may have changed the others.
 * @param ignores - paths that the program ignores.
 */
export function unsettledArguments(
  state: Arguments,
  inputs: Arguments,
  {
    sent = argumentNames,
    ignores = [],
  }: { readonly sent?: readonly ArgumentName[] | undefined; readonly ignores?: readonly string[] } = {},
): readonly ArgumentName[] {
  const differing = changedArguments(state, withIgnored(state, inputs, ignores));
  return differing.filter((name) => !isOwn(name) && sent.includes(name));
}

/** The declaration that matches a state: the declared arguments, with the service's current values. */
export function inputsOfState(state: EndpointState): EndpointInputs {
  const managed = new Set(state.managed);
  const named = argumentNames.filter((name) => managed.has(name)).map((name) => [name, state[name]] as const);
  return withoutUndefined(Object.fromEntries(named)) as EndpointInputs;
}

/** Leaves out absent members: an engine cannot store undefined. */
export function withoutUndefined<Members extends object>(record: Members): Members {
  const members = Object.entries(record).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(members) as Members;
}

/**
 * A state, updated with the declared arguments that only this provider has. It is used if only such arguments change and the
 * service does not show the compute.
 */
export function withOwn(state: EndpointState, declared: ComputeDeclaration): EndpointState {
  const { inputs } = declared;
  return withoutUndefined({
    ...state,
    ...ownOf(inputs),
    managed: [...new Set([...state.managed, ...managedBy(declared)])],
    operations: undefined,
    sent: undefined,
    unconfirmed: undefined,
  });
}

/** @throws ComputeError for a state that names no compute: an engine may pass an empty state. */
export function checkHolds({ projectId, endpointId }: Partial<EndpointRef>): void {
  if (projectId !== undefined && endpointId !== undefined) return;
  throw new ComputeError({
    doing: "reading the state",
    what: "it names no compute",
    fix: "Remove the resource from the state with `pulumi state delete`. Then add `adopt` with the id of its compute: the next `pulumi up` takes that compute over",
  });
}

/**
 * The compute exists, but does not match the declaration. The engine keeps the id and properties, marks the resource,
 * and sends an update the next time (it shows only `reasons`, never the message).
 */
export class PartialFailure extends Error {
  override readonly name = "PartialFailure";
  readonly reasons: readonly string[];

  constructor(
    /** The current state of the compute. */
    readonly state: EndpointState,
    cause: unknown,
  ) {
    const reason = messageOf(cause);
    super(reason, { cause });
    this.reasons = [reason];
  }
}

/** `ep-a (0.25 to 2 CU, created 2026-01-31T12:00:00Z)`. */
export function listedText({ id, created_at: createdAt, ...endpoint }: ApiEndpoint): string {
  const { autoscaling_limit_min_cu: minCu, autoscaling_limit_max_cu: maxCu } = endpoint;
  const size = minCu === maxCu ? minCu : `${minCu} to ${maxCu}`;
  return `${id} (${size} CU, created ${createdAt ?? "at an unknown time"})`;
}
