import { toWireAttributes, type WireAttributes } from "../model/attributes";
import { pendingStateOf } from "../model/operations";
import type { EndpointRecord, OperationRecord, Project } from "../model/records";
import type { Store } from "../model/store";
import type { Outcome } from "../model/transitions";
import type { Switches } from "../switches";

/** An endpoint as the interface shows it (2.1). */
export interface WireEndpoint extends WireAttributes {
  readonly id: string;
  readonly host: string;
  readonly proxy_host: string;
  readonly project_id: string;
  readonly region_id: string;
  readonly type: string;
  readonly name?: string;
  readonly current_state: string;
  readonly pending_state?: string;
  readonly last_active?: string;
  readonly created_at: string;
  readonly updated_at: string;
}

/** An operation as the interface shows it (2.2). */
export interface WireOperation {
  readonly id: string;
  readonly project_id: string;
  readonly branch_id: string;
  readonly endpoint_id?: string;
  readonly action: string;
  readonly status: string;
  readonly failures_count: number;
  readonly created_at: string;
  readonly updated_at: string;
}

/** The answer to a change. */
export interface ChangeView {
  readonly endpoint: WireEndpoint;
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

/** Shows an endpoint, with a pending_state only where a change is under way. */
export function toWireEndpoint(project: Project, endpoint: EndpointRecord, switches: Switches): WireEndpoint {
  const pendingState = pendingStateOf(project, endpoint);
  return {
    id: endpoint.id,
    host: endpoint.host,
    proxy_host: endpoint.proxyHost,
    project_id: endpoint.projectId,
    region_id: endpoint.regionId,
    type: endpoint.type,
    ...(endpoint.name !== undefined && { name: endpoint.name }),
    ...toWireAttributes(endpoint, switches),
    current_state: endpoint.currentState,
    ...(pendingState !== undefined && { pending_state: pendingState }),
    ...(endpoint.lastActiveMs !== undefined && { last_active: toTimestamp(endpoint.lastActiveMs) }),
    created_at: toTimestamp(endpoint.createdAtMs),
    updated_at: toTimestamp(endpoint.updatedAtMs),
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

/** @returns undefined where the text is not a cursor of `toCursor`. */
export function fromCursor(cursor: string): number | undefined {
  const found = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3})(\d{3})Z$/.exec(cursor);
  const ms = Date.parse(`${found?.[1] ?? ""}Z`);
  return Number.isNaN(ms) ? undefined : ms * 1000 + Number(found?.[2]);
}
