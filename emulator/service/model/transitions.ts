/**
 * The changes that requests make to endpoints: create, update, start, suspend, restart and delete.
 */
import { causesOf, type EndpointAttributes, type EndpointChanges } from "./attributes";
import { anyOf, type Cause } from "./counters";
import { badRequest, ServiceError } from "./errors";
import { targetStateOf } from "./operations";
import type { EndpointRecord, OperationRecord, Project } from "./records";
import { rangeRefusal, suspends } from "./sizes";
import type { Store } from "./store";
import type { Switches } from "../switches";

/** The result of a change. */
export interface Outcome {
  readonly endpoint: EndpointRecord;
  readonly operations: readonly OperationRecord[];
}

/** A change of an endpoint that needs no further input. */
export type Transition = (store: Store, project: Project, endpoint: EndpointRecord) => Outcome;

/** What a client requests for a new endpoint. */
export interface EndpointCreation extends EndpointAttributes {
  readonly type: string;
  /** Default: the project's region. */
  readonly regionId?: string;
}

/** (none) → init, then active (interface 3.1, 4.1), and then idle if it is disabled. @throws ServiceError */
export function createEndpoint(store: Store, project: Project, creation: EndpointCreation): Outcome {
  store.branch(project, creation.branchId);
  if (creation.type === "read_write") refuseSecondPrimary(store, project, creation.branchId);
  const endpoint = newEndpoint(store, project, creation);
  project.endpoints.set(endpoint.id, endpoint);
  const actions = ["start_compute", ...(endpoint.disabled ? ["suspend_compute"] : [])];
  return { endpoint, operations: store.addOperations(project, endpoint, actions) };
}

/** Makes an endpoint's record. The caller adds it to the project, with the operations that start it. */
export function newEndpoint(store: Store, project: Project, creation: EndpointCreation): EndpointRecord {
  const id = store.ids.endpoint();
  const taken = asTaken(creation, store.switches);
  store.checkSettings(creation);
  const { regionId = project.regionId } = creation;
  const nowMs = store.now();
  return {
    ...taken,
    id,
    projectId: project.id,
    regionId,
    host: `${id}.${regionId}.compute.localhost`,
    proxyHost: `${regionId}.compute.localhost`,
    currentState: "init",
    freeSinceMs: nowMs,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  };
}

/**
 * Changes an endpoint (interface 3.1, 4.3). Every change has the operation apply_config, followed by
 *
 * - suspend_compute if the compute moves, or becomes disabled;
 * - suspend_compute if the compute was idle and wakes for the change (switch `idlePatch`);
 * - start_compute if the change restarts a running compute (switch `restartedBy`).
 *
 * @throws ServiceError
 */
export function updateEndpoint(
  store: Store,
  change: { project: Project; endpoint: EndpointRecord },
  given: EndpointChanges,
): Outcome {
  const { project, endpoint } = change;
  const changes = withKeptSettings(store, endpoint, given);
  const why = causesOf(endpoint, changes, store.switches);
  if (why.includes("move") && changes.branchId !== undefined) {
    store.branch(project, changes.branchId);
    if (endpoint.type === "read_write") refuseSecondPrimary(store, project, changes.branchId);
  }
  const { suspendTimeoutSeconds } = asTaken({ ...endpoint, ...changes }, store.switches);
  store.checkSettings(changes);

  const isIdle = targetStateOf(project, endpoint) === "idle";
  // A disabled compute has no connections that a change could drop, unless its suspend failed.
  store.counters.count(endpoint, endpoint.disabled && isIdle ? [] : why);
  Object.assign(endpoint, changes, { suspendTimeoutSeconds, updatedAtMs: store.now() });
  const after = actionsAfterApply(store, why, isIdle);
  const restartsItself = store.switches.restartedBy === "apply_config" && after.includes("start_compute");
  const actions = ["apply_config", ...(restartsItself ? [] : after)];
  const operations = store.addOperations(project, endpoint, actions);
  if (restartsItself) for (const operation of operations) operation.restarts = true;
  return { endpoint, operations };
}

/** A service that merges settings keeps those that a PATCH does not name. */
function withKeptSettings(
  { switches }: Store,
  { settings: old }: EndpointRecord,
  changes: EndpointChanges,
): EndpointChanges {
  const { settings } = changes;
  if (settings === undefined || switches.settingsPatch === "replaces") return changes;
  const pgSettings = [old, settings].map((each) => each["pg_settings"] as object | undefined);
  return {
    ...changes,
    settings: { ...old, ...settings, pg_settings: Object.assign({}, ...pgSettings) as object },
  };
}

function actionsAfterApply(store: Store, why: readonly Cause[], isIdle: boolean): readonly string[] {
  if (anyOf(why, "suspends")) return ["suspend_compute"];
  if (isIdle) return store.switches.idlePatch === "wakes" ? ["suspend_compute"] : [];
  return anyOf(why, "restarts") ? ["start_compute"] : [];
}

/** Removes an endpoint for good (interface 3.1, 4.4), without operations unless `deleteOperations` adds one. */
export function deleteEndpoint(store: Store, project: Project, endpoint: EndpointRecord): Outcome {
  store.counters.count(endpoint, ["delete"]);
  const isSuspended = store.switches.deleteOperations === "suspend" && endpoint.currentState !== "idle";
  const operations = isSuspended ? store.addOperations(project, endpoint, ["suspend_compute"]) : [];
  project.endpoints.delete(endpoint.id);
  return { endpoint, operations };
}

/**
 * Restarts a compute, which drops its connections (interface 4.5). A disabled compute is left alone.
 *
 * @throws ServiceError if the compute is not active and the switch `idleRestart` refuses the restart.
 */
export function restartEndpoint(store: Store, project: Project, endpoint: EndpointRecord): Outcome {
  const { idleRestart } = store.switches;
  if (idleRestart !== "taken" && (endpoint.disabled || targetStateOf(project, endpoint) === "idle"))
    throw new ServiceError(idleRestart, "endpoint_not_active", `Endpoint ${endpoint.id} is not active.`);
  if (endpoint.disabled) return { endpoint, operations: [] };
  store.counters.count(endpoint, ["restart"]);
  return {
    endpoint,
    operations: store.addOperations(project, endpoint, ["suspend_compute", "start_compute"]),
  };
}

/** Starts a compute that is not active; not a route of the interface. */
export function startEndpoint(store: Store, project: Project, endpoint: EndpointRecord): Outcome {
  if (endpoint.disabled) {
    throw new ServiceError(409, "endpoint_disabled", `Endpoint ${endpoint.id} is disabled.`);
  }
  const actions = targetStateOf(project, endpoint) === "active" ? [] : ["start_compute"];
  return { endpoint, operations: store.addOperations(project, endpoint, actions) };
}

/** Suspends a compute that is not idle; not a route of the interface. */
export function suspendEndpoint(store: Store, project: Project, endpoint: EndpointRecord): Outcome {
  if (targetStateOf(project, endpoint) === "idle") return { endpoint, operations: [] };
  store.counters.count(endpoint, ["suspend"]);
  return { endpoint, operations: store.addOperations(project, endpoint, ["suspend_compute"]) };
}

/** A client connects: idle → active, and the autosuspend delay starts again (interface 3.1). */
export function connectTo(store: Store, project: Project, endpoint: EndpointRecord): Outcome {
  const outcome = startEndpoint(store, project, endpoint);
  if (endpoint.currentState === "active") endpoint.lastActiveMs = store.now();
  return outcome;
}

function refuseSecondPrimary(store: Store, project: Project, branchId: string): void {
  const endpoints = [...project.endpoints.values()];
  const primary = endpoints.find((one) => one.type === "read_write" && one.branchId === branchId);
  if (!primary) return;
  throw new ServiceError(
    store.switches.secondPrimaryStatus,
    "read_write_endpoint_exists",
    `Branch ${branchId} already has a primary read-write endpoint: ${primary.id}.`,
  );
}

/**
 * The attributes as the service accepts them: a large compute never suspends. @throws ServiceError 400 if the service
 * does not scale between the two sizes
 */
function asTaken<Attributes extends EndpointAttributes>(
  attributes: Attributes,
  switches: Switches,
): Attributes {
  const refusal = rangeRefusal(attributes, switches);
  if (refusal !== undefined) throw badRequest(refusal);
  return suspends(attributes, switches) ? attributes : { ...attributes, suspendTimeoutSeconds: -1 };
}
