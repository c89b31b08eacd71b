import { causesOf } from "./attributes";
import type { EndpointChanges } from "./attributes";
import { anyOf } from "./counters";
import type { Cause } from "./counters";
import { badRequest, ServiceError } from "./errors";
import { pendingStateOf } from "./operations";
import type { EndpointAttributes, EndpointRecord, OperationRecord, Project } from "./records";
import type { World } from "./store";

/** What most requests answer with. */
export interface Outcome {
  readonly endpoint: EndpointRecord;
  readonly operations: readonly OperationRecord[];
}

/** Everything that is known of an endpoint before it is there. */
export interface EndpointCreation extends EndpointAttributes {
  readonly type: string;
  /** The project's where not given. */
  readonly regionId?: string;
  readonly name?: string;
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
  refuseMinAboveMax(creation);
  const { regionId = project.regionId } = creation;
  const nowMs = world.now();
  return {
    ...creation,
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
  const why = causesOf(endpoint, changes, world.switches);
  if (why.includes("move") && changes.branchId !== undefined) {
    world.branch(project, changes.branchId);
    if (endpoint.type === "read_write") refuseSecondPrimary(world, project, changes.branchId);
  }
  refuseMinAboveMax({ ...endpoint, ...changes });

  const heading = pendingStateOf(project, endpoint) ?? endpoint.currentState;
  // A disabled compute runs nothing: no change of it can drop a connection.
  world.truth.count(endpoint, endpoint.disabled ? [] : why);
  Object.assign(endpoint, changes, { updatedAtMs: world.now() });
  const actions = ["apply_config", ...actionsAfterApply(world, why, heading === "idle")];
  return { endpoint, operations: world.addOperations(project, endpoint, actions) };
}

function actionsAfterApply(world: World, why: readonly Cause[], isIdle: boolean): readonly string[] {
  if (anyOf(why, "suspends")) return ["suspend_compute"];
  if (isIdle) return world.switches.idlePatch === "wakes" ? ["suspend_compute"] : [];
  return anyOf(why, "restarts") ? ["start_compute"] : [];
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

function refuseMinAboveMax({ minCu, maxCu }: EndpointAttributes): void {
  if (minCu <= maxCu) return;
  throw badRequest(`autoscaling_limit_min_cu (${minCu}) is above autoscaling_limit_max_cu (${maxCu}).`);
}

function disabled(endpoint: EndpointRecord): ServiceError {
  return new ServiceError(409, "endpoint_disabled", `Endpoint ${endpoint.id} is disabled.`);
}
