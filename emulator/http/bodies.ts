import { badRequest } from "../model/errors";
import { listedCu } from "../model/sizes";
import type { Switches } from "../switches";

/** Attributes that a create and an update share; absent ones are left as they are. */
export interface EndpointChanges {
  readonly branchId?: string;
  readonly minCu?: number;
  readonly maxCu?: number;
  readonly suspendTimeoutSeconds?: number;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly poolerEnabled?: boolean;
  readonly poolerMode?: string;
  readonly disabled?: boolean;
  readonly passwordlessAccess?: boolean;
}

export interface EndpointCreation extends EndpointChanges {
  readonly branchId: string;
  readonly type: string;
  readonly regionId?: string;
  readonly name?: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** Attributes of interface 2.1 and of the published types, besides those fixed at creation. */
const changeable = [
  "branch_id",
  "autoscaling_limit_min_cu",
  "autoscaling_limit_max_cu",
  "suspend_timeout_seconds",
  "settings",
  "pooler_enabled",
  "pooler_mode",
  "disabled",
  "passwordless_access",
  "name",
  "provisioner",
];
const fixed = ["type", "region_id"];

/** Longest and shortest autosuspend delay, in seconds (8.2; the lower bound is published). */
const suspendRange = [60, 604_800] as const;

/** Reads the body of a create (interface 4.1). @throws ServiceError 400 that names the member */
export function toCreation(body: unknown, switches: Switches): EndpointCreation {
  const fields = endpointOf(body);
  refuseUnknown(fields, switches);
  const branchId = text(fields, "branch_id");
  if (branchId === undefined) throw badRequest("endpoint.branch_id is required.");
  const type = text(fields, "type");
  if (type === undefined) throw badRequest("endpoint.type is required.");
  if (type !== "read_write" && type !== switches.replicaType) {
    throw badRequest(`endpoint.type is read_write or ${switches.replicaType}, not "${type}".`);
  }
  const regionId = text(fields, "region_id");
  const name = text(fields, "name");
  return {
    ...toSharedChanges(fields, switches),
    branchId,
    type,
    ...(regionId !== undefined && { regionId }),
    ...(name !== undefined && { name }),
  };
}

/** Reads the body of an update (interface 4.3). @throws ServiceError 400 that names the member */
export function toChanges(body: unknown, switches: Switches): EndpointChanges {
  const fields = endpointOf(body);
  refuseUnknown(fields, switches);
  const wrong = fixed.find((name) => name in fields);
  if (wrong !== undefined && switches.fixedFields === "refuse") {
    throw badRequest(`endpoint.${wrong} can't be changed after creation.`);
  }
  return toSharedChanges(fields, switches);
}

function toSharedChanges(fields: Fields, switches: Switches): EndpointChanges {
  const changes: Readonly<Record<keyof EndpointChanges, unknown>> = {
    branchId: text(fields, "branch_id"),
    minCu: size(fields, "autoscaling_limit_min_cu", switches),
    maxCu: size(fields, "autoscaling_limit_max_cu", switches),
    suspendTimeoutSeconds: suspendTimeout(fields),
    settings: settings(fields),
    poolerEnabled: flag(fields, "pooler_enabled"),
    poolerMode: poolerMode(fields),
    disabled: flag(fields, "disabled"),
    passwordlessAccess: flag(fields, "passwordless_access"),
  };
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}

function endpointOf(body: unknown): Fields {
  const endpoint = isObject(body) ? body["endpoint"] : undefined;
  if (!isObject(endpoint)) throw badRequest("The body is an object with a member `endpoint`.");
  return endpoint;
}

function refuseUnknown(fields: Fields, switches: Switches): void {
  if (switches.unknownFields === "ignore") return;
  const unknown = Object.keys(fields).find((name) => !changeable.includes(name) && !fixed.includes(name));
  if (unknown !== undefined) throw badRequest(`endpoint.${unknown} is not known.`);
}

function size(fields: Fields, name: string, switches: Switches): number | undefined {
  const cu = fields[name];
  if (cu === undefined) return undefined;
  if (typeof cu !== "number" || !(cu > 0)) throw badRequest(`endpoint.${name} is a number above 0.`);
  if (switches.sizes === "listed" && !listedCu.includes(cu)) {
    throw badRequest(`endpoint.${name} is one of ${listedCu.join(", ")}, not ${cu}.`);
  }
  return cu;
}

function suspendTimeout(fields: Fields): number | undefined {
  const seconds = fields["suspend_timeout_seconds"];
  if (seconds === undefined || seconds === -1 || seconds === 0) return seconds;
  const [least, most] = suspendRange;
  if (typeof seconds === "number" && Number.isInteger(seconds) && seconds >= least && seconds <= most) {
    return seconds;
  }
  throw badRequest(`endpoint.suspend_timeout_seconds is -1 (never), 0 (default) or ${least} to ${most}.`);
}

function settings(fields: Fields): Fields | undefined {
  const value = fields["settings"];
  if (value === undefined) return undefined;
  if (!isObject(value)) throw badRequest("endpoint.settings is an object.");
  const pgSettings = value["pg_settings"];
  if (pgSettings !== undefined && !isObject(pgSettings)) {
    throw badRequest("endpoint.settings.pg_settings is an object.");
  }
  return value;
}

function poolerMode(fields: Fields): string | undefined {
  const mode = text(fields, "pooler_mode");
  if (mode === undefined || mode === "transaction") return mode;
  throw badRequest(`endpoint.pooler_mode is transaction, not "${mode}".`);
}

function text(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  if (value === undefined || (typeof value === "string" && value !== "")) return value;
  throw badRequest(`endpoint.${name} is a text that is not empty.`);
}

function flag(fields: Fields, name: string): boolean | undefined {
  const value = fields[name];
  if (value === undefined || typeof value === "boolean") return value;
  throw badRequest(`endpoint.${name} is true or false.`);
}

/** Whether a parsed JSON value is an object, not an array and not null. */
export function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
