import type { EndpointChanges, EndpointCreation } from "../http/bodies";
import { badRequest, ServiceError } from "./errors";
import { pendingStateOf } from "./operations";
import type { EndpointRecord, OperationRecord, Project } from "./records";
import { defaultCu } from "./sizes";
import type { Cause } from "./counters";
import type { World } from "./store";

/** What most requests answer with. */
export interface Outcome {
  readonly endpoint: EndpointRecord;
  readonly operations: readonly OperationRecord[];
}

/** (none) → init, on its way to active (interface 3.1, 4.1). @throws ServiceError */
export function createEndpoint(world: World, project: Project, creation: EndpointCreation): Outcome {
  world.branch(project, creation.branchId);
  if (creation.type === "read_write") refuseSecondPrimary(world, project, creation.branchId);
  const endpoint = newEndpoint(world, project, creation);
  project.endpoints.set(endpoint.id, endpoint);
  return { endpoint, operations: world.addOperations(project, endpoint, ["start_compute"]) };
}

/** Adds an endpoint's record; who calls decides which operations start it. */
export function newEndpoint(world: World, project: Project, creation: EndpointCreation): EndpointRecord {
  const id = world.ids.endpoint();
  const regionId = creation.regionId ?? project.regionId;
  const nowMs = world.now();
  return {
    id,
    projectId: project.id,
    branchId: creation.branchId,
    type: creation.type,
    ...(creation.name !== undefined && { name: creation.name }),
    regionId,
    host: `${id}.${regionId}.compute.localhost`,
    proxyHost: `${regionId}.compute.localhost`,
    ...sizeOf(creation),
    currentState: "init",
    suspendTimeoutSeconds: creation.suspendTimeoutSeconds ?? 0,
    settings: creation.settings ?? (world.switches.settingsDefault === "empty" ? {} : { pg_settings: {} }),
    poolerEnabled: creation.poolerEnabled ?? false,
    poolerMode: creation.poolerMode ?? "transaction",
    disabled: creation.disabled ?? false,
    passwordlessAccess: creation.passwordlessAccess ?? true,
    freeSinceMs: nowMs,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  };
}

/**
 * Changes an endpoint (interface 3.1, 4.3). Every change answers apply_config; behind it comes
 *
 * - suspend_compute where the compute moves, or becomes disabled;
 * - suspend_compute where the compute was idle: it wakes for the change (switch `idlePatch`);
 * - start_compute where the change restarts a compute that runs.
 *
 * @throws ServiceError
 */
export function updateEndpoint(
  world: World,
  change: { project: Project; endpoint: EndpointRecord },
  changes: EndpointChanges,
): Outcome {
  const { project, endpoint } = change;
  const why = causesOf(world, endpoint, changes);
  if (why.includes("move") && changes.branchId !== undefined) {
    world.branch(project, changes.branchId);
    if (endpoint.type === "read_write") refuseSecondPrimary(world, project, changes.branchId);
  }
  const after = { ...endpoint, ...changes };
  if (after.minCu > after.maxCu) throw minAboveMax(after.minCu, after.maxCu);

  const heading = pendingStateOf(project, endpoint) ?? endpoint.currentState;
  // A disabled compute runs nothing: no change of it can drop a connection.
  world.truth.count(endpoint, endpoint.disabled ? [] : why);
  Object.assign(endpoint, changes, { updatedAtMs: world.now() });
  const actions = ["apply_config", ...actionsAfterApply(world, why, heading === "idle")];
  return { endpoint, operations: world.addOperations(project, endpoint, actions) };
}

function actionsAfterApply(world: World, why: readonly Cause[], isIdle: boolean): readonly string[] {
  if (why.includes("move") || why.includes("disabled")) return ["suspend_compute"];
  if (isIdle) return world.switches.idlePatch === "wakes" ? ["suspend_compute"] : [];
  return why.length > 0 ? ["start_compute"] : [];
}

/** What in a change interrupts the compute: interface 3.1's table, and switches where it is silent. */
function causesOf(world: World, endpoint: EndpointRecord, changes: EndpointChanges): Cause[] {
  const differs = (name: keyof EndpointChanges): boolean =>
    changes[name] !== undefined && JSON.stringify(changes[name]) !== JSON.stringify(endpoint[name]);
  const { settingsRestart, poolerRestart } = world.switches;
  const interrupting: readonly (readonly [Cause, boolean])[] = [
    ["size", differs("minCu") || differs("maxCu")],
    ["move", differs("branchId")],
    ["disabled", differs("disabled") && changes.disabled === true],
    ["settings", settingsRestart && differs("settings")],
    ["pooler", poolerRestart && (differs("poolerEnabled") || differs("poolerMode"))],
  ];
  return interrupting.filter(([, isPresent]) => isPresent).map(([cause]) => cause);
}

/** Removes an endpoint for good (interface 3.1, 4.4): no operations, unless a switch says otherwise. */
export function deleteEndpoint(world: World, project: Project, endpoint: EndpointRecord): Outcome {
  world.truth.count(endpoint, ["delete"]);
  const isSuspended = world.switches.deleteOperations === "suspend" && endpoint.currentState !== "idle";
  const operations = isSuspended ? world.addOperations(project, endpoint, ["suspend_compute"]) : [];
  project.endpoints.delete(endpoint.id);
  return { endpoint, operations };
}

/** Interrupts current connections (interface 4.5). A disabled compute runs nothing that could restart. */
export function restartEndpoint(world: World, project: Project, endpoint: EndpointRecord): Outcome {
  if (endpoint.disabled) return { endpoint, operations: [] };
  world.truth.count(endpoint, ["restart"]);
  return {
    endpoint,
    operations: world.addOperations(project, endpoint, ["suspend_compute", "start_compute"]),
  };
}

/** Starts a compute that is not active; not a route of the interface. */
export function startEndpoint(world: World, project: Project, endpoint: EndpointRecord): Outcome {
  const heading = pendingStateOf(project, endpoint) ?? endpoint.currentState;
  if (endpoint.disabled) throw disabled(endpoint);
  const actions = heading === "active" ? [] : ["start_compute"];
  return { endpoint, operations: world.addOperations(project, endpoint, actions) };
}

/** Suspends a compute that is not idle; not a route of the interface. */
export function suspendEndpoint(world: World, project: Project, endpoint: EndpointRecord): Outcome {
  const heading = pendingStateOf(project, endpoint) ?? endpoint.currentState;
  if (heading === "idle") return { endpoint, operations: [] };
  world.truth.count(endpoint, ["suspend"]);
  return { endpoint, operations: world.addOperations(project, endpoint, ["suspend_compute"]) };
}

/** A client connects: idle → active, and the autosuspend delay starts again (interface 3.1). */
export function connectTo(world: World, project: Project, endpoint: EndpointRecord): Outcome {
  const outcome = startEndpoint(world, project, endpoint);
  if (endpoint.currentState === "active") endpoint.lastActiveMs = world.now();
  return outcome;
}

function refuseSecondPrimary(world: World, project: Project, branchId: string): void {
  for (const { id, type, branchId: place } of project.endpoints.values()) {
    if (type !== "read_write" || place !== branchId) continue;
    throw new ServiceError(
      world.switches.secondPrimaryStatus,
      "read_write_endpoint_exists",
      `Branch ${branchId} already has a primary read-write endpoint: ${id}.`,
    );
  }
}

/** One size given alone is also the other: a fixed size. */
function sizeOf(creation: EndpointCreation): { minCu: number; maxCu: number } {
  const minCu = creation.minCu ?? creation.maxCu ?? defaultCu;
  const maxCu = creation.maxCu ?? minCu;
  if (minCu > maxCu) throw minAboveMax(minCu, maxCu);
  return { minCu, maxCu };
}

function minAboveMax(minCu: number, maxCu: number): ServiceError {
  return badRequest(`autoscaling_limit_min_cu (${minCu}) is above autoscaling_limit_max_cu (${maxCu}).`);
}

function disabled(endpoint: EndpointRecord): ServiceError {
  return new ServiceError(409, "endpoint_disabled", `Endpoint ${endpoint.id} is disabled.`);
}
