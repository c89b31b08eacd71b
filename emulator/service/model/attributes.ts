/**
 * The attributes that a request may set: the members of a record, and the table with a row for each.
 */
import type { Switches } from "../switches";
import type { Cause } from "./counters";
import { badRequest } from "./errors";
import { defaultCu, sizeRefusal } from "./sizes";

/** What a client sets and can change later: plain data, which the state file stores unchanged. */
export interface EndpointAttributes {
  branchId: string;
  minCu: number;
  maxCu: number;
  /** -1 never, 0 the service's default, else the delay in seconds. */
  suspendTimeoutSeconds: number;
  settings: Readonly<Record<string, unknown>>;
  poolerEnabled: boolean;
  poolerMode: string;
  disabled: boolean;
  passwordlessAccess: boolean;
  /** 1 to 64 characters; undefined for a compute without a name. */
  name: string | undefined;
}

/**
 * One settable attribute. Its row decides what happens to it in request bodies, new records, answers, the state file and
 * transitions. The code compiles only if each row has its member above, and each member its row.
 */
interface Attribute<Value> {
  /** Its name in requests and answers (interface 2.1). */
  readonly wireName: string;
  /** Reads the member of a body. @throws ServiceError 400 that names the member */
  readonly read: (value: unknown, wireName: string, switches: Switches) => Value;
  /** Value of a new endpoint if the body has none. @throws ServiceError 400 if the body must have one */
  readonly initial: (given: EndpointChanges, switches: Switches) => Value;
  /** The cause that a change to this value counts as; undefined if it drops no connections (interface 3.1). */
  readonly interrupts: (after: unknown, switches: Switches) => Cause | undefined;
  /** Whether answers show it; if absent, they always do. */
  readonly isShown?: (switches: Switches) => boolean;
}

/** The attributes that a request has; the others keep their values. */
export type EndpointChanges = Partial<EndpointAttributes>;

export type Fields = Readonly<Record<string, unknown>>;

/** Longest and shortest autosuspend delay, in seconds (8.2; the lower bound is published). */
const suspendRange = [60, 604_800] as const;

const never = (): undefined => undefined;
const sizeCause = (_after: unknown, { resize }: Switches): "size" | undefined =>
  resize === "live" ? undefined : "size";
const poolerCause = (_after: unknown, { poolerRestart }: Switches): "pooler" | undefined =>
  poolerRestart ? "pooler" : undefined;

const attributes = {
  branchId: {
    wireName: "branch_id",
    read: readText,
    initial: refuseAbsentBranch,
    interrupts: () => "move",
  },
  minCu: {
    wireName: "autoscaling_limit_min_cu",
    read: readSize,
    // If only one limit is given, the other limit is the same: a fixed size.
    initial: ({ maxCu }) => maxCu ?? defaultCu,
    interrupts: sizeCause,
  },
  maxCu: {
    wireName: "autoscaling_limit_max_cu",
    read: readSize,
    initial: ({ minCu }) => minCu ?? defaultCu,
    interrupts: sizeCause,
  },
  suspendTimeoutSeconds: {
    wireName: "suspend_timeout_seconds",
    read: readSuspendTimeout,
    initial: () => 0,
    interrupts: never,
    isShown: ({ suspendTimeoutField }) => suspendTimeoutField === "shown",
  },
  settings: {
    wireName: "settings",
    read: readSettings,
    initial: (_given, { settingsDefault }) => (settingsDefault === "empty" ? {} : { pg_settings: {} }),
    interrupts: (_after, { settingsRestart }) => (settingsRestart ? "settings" : undefined),
  },
  poolerEnabled: {
    wireName: "pooler_enabled",
    read: readFlag,
    initial: () => false,
    interrupts: poolerCause,
  },
  poolerMode: {
    wireName: "pooler_mode",
    read: readPoolerMode,
    initial: () => "transaction",
    interrupts: poolerCause,
  },
  disabled: {
    wireName: "disabled",
    read: readFlag,
    initial: () => false,
    interrupts: (after) => (after === true ? "disabled" : undefined),
  },
  passwordlessAccess: {
    wireName: "passwordless_access",
    read: readFlag,
    initial: () => true,
    interrupts: never,
  },
  name: {
    wireName: "name",
    read: readName,
    initial: () => undefined,
    interrupts: never,
  },
} as const satisfies { readonly [Name in keyof EndpointAttributes]: Attribute<EndpointAttributes[Name]> };

type Table = typeof attributes;
type Hideable = {
  [Name in keyof Table]: Table[Name] extends Required<Pick<Attribute<unknown>, "isShown">> ? Name : never;
}[keyof Table];
type Shown<Names extends keyof Table> = {
  readonly [Name in Names as Table[Name]["wireName"]]: EndpointAttributes[Name];
};

/** The attributes as the interface shows them (2.1). */
export type WireAttributes = Shown<Exclude<keyof Table, Hideable>> & Partial<Shown<Hideable>>;

const rows = Object.entries(attributes) as [keyof EndpointAttributes, Attribute<unknown>][];

export const attributeWireNames: readonly string[] = rows.map(([, { wireName }]) => wireName);

/** Reads the attributes that a body has. @throws ServiceError 400 that names the member */
export function readAttributes(fields: Fields, switches: Switches): EndpointChanges {
  const given = rows.filter(([, { wireName }]) => fields[wireName] !== undefined);
  return Object.fromEntries(
    given.map(([name, { wireName, read }]) => [name, read(fields[wireName], wireName, switches)]),
  );
}

/** Adds the initial value of each attribute that is not given. @throws ServiceError 400 */
export function withInitialValues(given: EndpointChanges, switches: Switches): EndpointAttributes {
  const absent = rows.filter(([name]) => given[name] === undefined);
  const initial = absent.map(([name, row]) => [name, row.initial(given, switches)] as const);
  return { ...given, ...Object.fromEntries(initial) } as EndpointAttributes;
}

/** Causes of the interruption that a change makes, each once. A value that stays the same is no cause. */
export function causesOf(before: EndpointAttributes, changes: EndpointChanges, switches: Switches): Cause[] {
  const changed = rows.filter(
    ([name]) => changes[name] !== undefined && JSON.stringify(changes[name]) !== JSON.stringify(before[name]),
  );
  return [...new Set(changed.flatMap(([name, row]) => row.interrupts(changes[name], switches) ?? []))];
}

export function toWireAttributes(endpoint: EndpointAttributes, switches: Switches): WireAttributes {
  const shown = rows.filter(([, { isShown }]) => isShown?.(switches) ?? true);
  return Object.fromEntries(
    shown
      .map(([name, { wireName }]) => [wireName, endpoint[name]] as const)
      .filter(([, value]) => value !== undefined),
  ) as unknown as WireAttributes;
}

function refuseAbsentBranch(): never {
  throw badRequest("endpoint.branch_id is required.");
}

export function readText(value: unknown, wireName: string): string {
  if (typeof value === "string" && value !== "") return value;
  throw badRequest(`endpoint.${wireName} must be a text that is not empty.`);
}

function readName(value: unknown, wireName: string): string {
  const name = readText(value, wireName);
  if (name.length <= 64) return name;
  throw badRequest(`endpoint.${wireName} must have at most 64 characters.`);
}

function readFlag(value: unknown, wireName: string): boolean {
  if (typeof value === "boolean") return value;
  throw badRequest(`endpoint.${wireName} must be true or false.`);
}

function readSize(cu: unknown, wireName: string, switches: Switches): number {
  if (typeof cu !== "number" || !(cu > 0)) throw badRequest(`endpoint.${wireName} must be a number above 0.`);
  const refusal = sizeRefusal(cu, switches);
  if (refusal === undefined) return cu;
  throw badRequest(`endpoint.${wireName} must be ${refusal}.`);
}

function readSuspendTimeout(seconds: unknown, wireName: string): number {
  if (seconds === -1 || seconds === 0) return seconds;
  const [least, most] = suspendRange;
  if (typeof seconds === "number" && Number.isInteger(seconds) && seconds >= least && seconds <= most) {
    return seconds;
  }
  throw badRequest(`endpoint.${wireName} must be -1 (never), 0 (default) or ${least} to ${most}.`);
}

function readSettings(value: unknown, wireName: string): Fields {
  if (!isObject(value)) throw badRequest(`endpoint.${wireName} must be an object.`);
  const pgSettings = value["pg_settings"];
  if (pgSettings === undefined || isObject(pgSettings)) return value;
  throw badRequest(`endpoint.${wireName}.pg_settings must be an object.`);
}

function readPoolerMode(value: unknown, wireName: string): string {
  const mode = readText(value, wireName);
  if (mode === "transaction") return mode;
  throw badRequest(`endpoint.${wireName} must be transaction, not "${mode}".`);
}

/** Whether a parsed JSON value is an object, not an array and not null. */
export function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
