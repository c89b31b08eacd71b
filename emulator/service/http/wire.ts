/**
 * Writes records as the interface shows them: endpoints, operations and answers to changes.
 */
import { toWireAttributes, type WireAttributes } from "../model/attributes";
import { pendingStateOf } from "../model/operations";
import type { BranchRecord, EndpointRecord, OperationRecord, Project } from "../model/records";
import type { Store } from "../model/store";
import type { Outcome } from "../model/transitions";
import type { Switches } from "../switches";

/** An endpoint as the interface shows it (2.1). */
export interface WireEndpoint extends WireAttributes {
  /** Id of the endpoint; begins with `ep-`. */
  readonly id: string;
  /** Host name for connections. */
  readonly host: string;
  /** Host name of the region's shared proxy. */
  readonly proxy_host: string;
  /** The project that owns it. */
  readonly project_id: string;
  /** The region that it runs in. */
  readonly region_id: string;
  /** `read_write`, or what the switch `replicaType` calls a replica. */
  readonly type: string;
  /** `init`, `idle` or `active`. */
  readonly current_state: string;
  /** The state that it is changing to; absent if it is not changing. */
  readonly pending_state?: string;
  /** ISO 8601, UTC; absent if it was never active. */
  readonly last_active?: string;
  /** ISO 8601, UTC; only if the switch `service` is `neon`, and once it was started. */
  readonly started_at?: string;
  /** ISO 8601, UTC; only if the switch `service` is `neon`, and once it was suspended. */
  readonly suspended_at?: string;
  /** ISO 8601, UTC. */
  readonly created_at: string;
  /** ISO 8601, UTC. */
  readonly updated_at: string;
}

/** An operation as the interface shows it (2.2). */
export interface WireOperation {
  /** Id of the operation. */
  readonly id: string;
  /** The project that it belongs to. */
  readonly project_id: string;
  /** The branch that it is about; begins with `br-`. */
  readonly branch_id: string;
  /** The endpoint that it is about; absent if the operation is about a branch. */
  readonly endpoint_id?: string;
  /** What it does, such as `start_compute`. */
  readonly action: string;
  /** `scheduling`, `running`, `finished`, `failed`, or the last status of a `TimelineRule`. */
  readonly status: string;
  /** How many attempts have failed. */
  readonly failures_count: number;
  /** ISO 8601, UTC. */
  readonly created_at: string;
  /** ISO 8601, UTC. */
  readonly updated_at: string;
}

/** A branch, with the published members that identify it. */
export interface WireBranch {
  readonly id: string;
  readonly project_id: string;
  readonly parent_id?: string;
  readonly name: string;
  readonly default: boolean;
  readonly created_at: string;
}

/** The answer to a change. */
export interface ChangeView {
  /** The endpoint as the change leaves it. */
  readonly endpoint: WireEndpoint;
  /** The operations that the change started, in the order in which they run. */
  readonly operations: readonly WireOperation[];
}

/** Shows an outcome. Its endpoint always has a pending_state (interface 2.1), unless it was deleted. */
export function toWireOutcome(store: Store, project: Project, outcome: Outcome): ChangeView {
  const endpoint = toWireEndpoint(project, outcome.endpoint, store.switches);
  const { pending_state = endpoint.current_state } = endpoint;
  return {
    endpoint: project.endpoints.has(endpoint.id) ? { ...endpoint, pending_state } : endpoint,
    operations: outcome.operations.map(toWireOperation),
  };
}

/** Shows an endpoint, with a pending_state only if a change is under way. */
export function toWireEndpoint(project: Project, endpoint: EndpointRecord, switches: Switches): WireEndpoint {
  const pendingState = pendingStateOf(project, endpoint);
  return {
    id: endpoint.id,
    host: endpoint.host,
    proxy_host: endpoint.proxyHost,
    project_id: endpoint.projectId,
    region_id: endpoint.regionId,
    type: endpoint.type,
    ...toWireAttributes(endpoint, switches),
    current_state: endpoint.currentState,
    ...(pendingState !== undefined && { pending_state: pendingState }),
    ...(endpoint.lastActiveMs !== undefined && { last_active: toTimestamp(endpoint.lastActiveMs) }),
    ...(switches.service === "neon" && toStartAndSuspension(endpoint)),
    created_at: toTimestamp(endpoint.createdAtMs),
    updated_at: toTimestamp(endpoint.updatedAtMs),
  };
}

function toStartAndSuspension({
  startedAtMs,
  suspendedAtMs,
}: EndpointRecord): Pick<WireEndpoint, "started_at" | "suspended_at"> {
  return {
    ...(startedAtMs !== undefined && { started_at: toTimestamp(startedAtMs) }),
    ...(suspendedAtMs !== undefined && { suspended_at: toTimestamp(suspendedAtMs) }),
  };
}

export function toWireBranch(project: Project, branch: BranchRecord): WireBranch {
  const { id, parentId, name } = branch;
  return {
    ...{ id, project_id: project.id, name },
    ...(parentId !== undefined && { parent_id: parentId }),
    default: id === project.defaultBranchId,
    created_at: toTimestamp(branch.createdAtMs),
  };
}

export function toWireOperation(operation: OperationRecord): WireOperation {
  return {
    id: operation.id,
    project_id: operation.projectId,
    branch_id: operation.branchId,
    ...(operation.endpointId !== undefined && { endpoint_id: operation.endpointId }),
    action: operation.action,
    status: operation.status,
    failures_count: operation.failuresCount,
    created_at: toTimestamp(operation.createdAtMs),
    updated_at: toTimestamp(operation.updatedAtMs),
  };
}

export function toTimestamp(ms: number): string {
  return new Date(ms).toISOString();
}

/** A timestamp with six fractional digits (interface 2.4). */
export function toCursor(us: number): string {
  const micros = String(us % 1000).padStart(3, "0");
  return toTimestamp(Math.floor(us / 1000)).replace("Z", `${micros}Z`);
}

/** @returns undefined if the text is not a cursor of `toCursor`. */
export function fromCursor(cursor: string): number | undefined {
  const found = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3})(\d{3})Z$/.exec(cursor);
  const ms = Date.parse(`${found?.[1] ?? ""}Z`);
  return Number.isNaN(ms) ? undefined : ms * 1000 + Number(found?.[2]);
}
