/**
 * Adds operations to a project's queues, and ends them when their time has come.
 */
import type { EndpointRecord, EndpointState, OperationRecord, Project } from "./records";
import type { Timeline } from "./timelines";

/** A new operation. */
interface OperationPlan {
  readonly id: string;
  readonly action: string;
  readonly branchId: string;
  readonly endpointId?: string;
  /** Id of the endpoint or branch whose queue it joins: the operations of one queue run one after the other. */
  readonly queue: string;
  readonly atMs: number;
  readonly timeline: Timeline;
  /** Whether a host has work to do for it. */
  readonly isHeld: boolean;
}

/** State of a compute after a successful operation (interface 3.1). */
const stateAfter: Readonly<Record<string, "active" | "idle">> = {
  start_compute: "active",
  suspend_compute: "idle",
};

/** Last statuses of a successful operation. Any other last status leaves the compute unchanged. */
export const successes: readonly string[] = ["finished", "skipped"];

/**
 * Adds an operation to the end of its queue.
 *
 * The operation is `running` from the start if the queue was empty and its timeline has no time in `scheduling`. It
 * cannot end before the project is next settled, so an answer never shows its own operations as finished.
 */
export function enqueue(project: Project, plan: OperationPlan): OperationRecord {
  const { id, action, branchId, endpointId, atMs, timeline } = plan;
  const queue = project.queues.get(plan.queue) ?? [];
  const isFirst = queue.length === 0;
  const isRunning = isFirst && timeline.schedulingMs === 0 && timeline.stuck !== "scheduling";
  const operation: OperationRecord = {
    id,
    projectId: project.id,
    branchId,
    ...(endpointId !== undefined && { endpointId }),
    action,
    status: isRunning ? "running" : "scheduling",
    failuresCount: 0,
    createdAtMs: atMs,
    positionUs: atMs * 1000,
    updatedAtMs: atMs,
    ...(isFirst && { startsAtMs: atMs + timeline.schedulingMs }),
    ...timeline,
    ...(plan.isHeld && { isHeld: true }),
  };
  queue.push(operation);
  project.queues.set(plan.queue, queue);
  insertByTime(project.operations, operation);
  project.operationsById.set(id, operation);
  project.dueMs = Math.min(project.dueMs, queueDueMs(project, plan.queue));
  return operation;
}

/** Brings the operations of one queue, and the compute they belong to, to their state at `nowMs`. */
export function settleQueue(project: Project, key: string, nowMs: number): void {
  const queue = project.queues.get(key) ?? [];
  for (let head = queue[0]; head; head = queue[0]) {
    if (startOf(head) > nowMs) return;
    if (head.status === "scheduling") {
      head.status = "running";
      head.updatedAtMs = startOf(head);
    }
    if (endOf(head) > nowMs) return;
    finish(project, head, { status: head.endStatus, atMs: endOf(head) });
    queue.shift();
    startNext(queue, endOf(head));
  }
  project.queues.delete(key);
}

/** Ends an operation now, even if it is stuck. An operation that has already ended does not change. */
export function endNow(
  project: Project,
  operation: OperationRecord,
  end: { status: string; atMs: number },
): void {
  for (const [key, queue] of project.queues) {
    const position = queue.indexOf(operation);
    if (position === -1) continue;
    queue.splice(position, 1);
    delete operation.isHeld;
    finish(project, operation, end);
    if (position === 0) startNext(queue, end.atMs);
    if (queue.length === 0) project.queues.delete(key);
    project.dueMs = 0;
    return;
  }
}

/** Lets an operation end, since its work is done. Does nothing if a control has already ended it. */
export function release(
  project: Project,
  operation: OperationRecord,
  end: { status: string; atMs: number },
): void {
  if (operation.isHeld !== true) return;
  delete operation.isHeld;
  operation.endStatus = end.status;
  operation.heldUntilMs = end.atMs;
  project.dueMs = 0;
}

/** Releases operations that waited for a host when the state was saved: now there is no host. */
export function releaseHeld(projects: Iterable<Project>, atMs: number): void {
  for (const project of projects) {
    for (const operation of project.operations)
      release(project, operation, { status: operation.endStatus, atMs });
  }
}

function startNext(queue: readonly OperationRecord[], freeAtMs: number): void {
  const next = queue[0];
  if (next) next.startsAtMs = Math.max(freeAtMs, next.createdAtMs + next.schedulingMs);
}

function finish(project: Project, operation: OperationRecord, end: { status: string; atMs: number }): void {
  operation.status = end.status;
  operation.updatedAtMs = end.atMs;
  if (end.status === "failed") operation.failuresCount += 1;
  const endpoint = project.endpoints.get(operation.endpointId ?? "");
  if (!endpoint) return;
  endpoint.freeSinceMs = end.atMs;
  const state = stateAfter[operation.action];
  if (!successes.includes(end.status)) return;
  if (operation.restarts === true) endpoint.startedAtMs = end.atMs;
  if (state === undefined) return;
  endpoint.currentState = state;
  endpoint.updatedAtMs = end.atMs;
  if (state === "idle") endpoint.suspendedAtMs = end.atMs;
  if (state !== "active") return;
  endpoint.lastActiveMs = end.atMs;
  endpoint.startedAtMs = end.atMs;
}

/** State of an endpoint after the operations in its queue; undefined if none of them changes its state. */
export function pendingStateOf(project: Project, endpoint: EndpointRecord): "active" | "idle" | undefined {
  const queue = project.queues.get(endpoint.id) ?? [];
  return queue.map((operation) => stateAfter[operation.action]).findLast((state) => state !== undefined);
}

/** State of an endpoint once all its operations have ended. */
export function targetStateOf(project: Project, endpoint: EndpointRecord): EndpointState {
  return pendingStateOf(project, endpoint) ?? endpoint.currentState;
}

/** When a queue next changes by itself; infinity if it never does. */
export function queueDueMs(project: Project, key: string): number {
  const head = project.queues.get(key)?.[0];
  if (!head) return Number.POSITIVE_INFINITY;
  return head.status === "scheduling" ? startOf(head) : endOf(head);
}

function startOf(operation: OperationRecord): number {
  if (operation.stuck === "scheduling") return Number.POSITIVE_INFINITY;
  return operation.startsAtMs ?? Number.POSITIVE_INFINITY;
}

function endOf(operation: OperationRecord): number {
  if (operation.stuck !== undefined || operation.isHeld === true) return Number.POSITIVE_INFINITY;
  return Math.max(startOf(operation) + operation.runningMs, operation.heldUntilMs ?? 0);
}

/**
 * Inserts an operation by its time, after the operations of the same time, and makes its position unique.
 *
 * A suspension may be noticed long after its time, and two operations of one millisecond need different cursors.
 */
function insertByTime(operations: OperationRecord[], operation: OperationRecord): void {
  let index = operations.length;
  while ((operations[index - 1]?.createdAtMs ?? 0) > operation.createdAtMs) index -= 1;
  operation.positionUs = Math.max(operation.positionUs, (operations[index - 1]?.positionUs ?? 0) + 1);
  for (
    let next = operations[index];
    next && next.positionUs <= operation.positionUs;
    next = operations[index]
  ) {
    operation.positionUs = next.positionUs + 1;
    index += 1;
  }
  operations.splice(index, 0, operation);
}
