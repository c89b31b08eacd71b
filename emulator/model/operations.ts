import type { EndpointRecord, OperationRecord, Project } from "./records";
import type { Timeline } from "./timelines";

/** What a new operation is about. */
export interface OperationPlan {
  readonly id: string;
  readonly action: string;
  readonly branchId: string;
  readonly endpointId?: string;
  /** The line it waits in: operations of one endpoint run one after the other. */
  readonly chain: string;
  readonly atMs: number;
  readonly timeline: Timeline;
}

/** Where a compute ends up when an operation on it has ended well (interface 3.1). */
const stateAfter: Readonly<Record<string, "active" | "idle">> = {
  start_compute: "active",
  suspend_compute: "idle",
};

/** Statuses that count as done; whatever else an operation ends in leaves the compute as it was. */
const successes: readonly string[] = ["finished", "skipped"];

/**
 * Adds an operation behind those that its chain still has.
 *
 * It is born `running` where nothing is before it and its timeline has no time in `scheduling`, and stays so
 * until the next look: an answer to a request never shows its own operations as finished.
 */
export function enqueue(project: Project, plan: OperationPlan): OperationRecord {
  const { id, action, branchId, endpointId, atMs, timeline } = plan;
  const chain = project.chains.get(plan.chain) ?? [];
  const isFirst = chain.length === 0;
  const isBornRunning = isFirst && timeline.schedulingMs === 0 && timeline.stuck !== "scheduling";
  const operation: OperationRecord = {
    id,
    projectId: project.id,
    branchId,
    ...(endpointId !== undefined && { endpointId }),
    action,
    status: isBornRunning ? "running" : "scheduling",
    failuresCount: 0,
    createdAtMs: atMs,
    positionUs: atMs * 1000,
    updatedAtMs: atMs,
    ...(isFirst && { startsAtMs: atMs + timeline.schedulingMs }),
    ...timeline,
  };
  chain.push(operation);
  project.chains.set(plan.chain, chain);
  insertByTime(project.operations, operation);
  project.operationsById.set(id, operation);
  project.dueMs = Math.min(project.dueMs, chainDueMs(project, plan.chain));
  return operation;
}

/** Brings the operations of one line to where they stand at `nowMs`; the compute's state follows. */
export function settleChain(project: Project, key: string, nowMs: number): void {
  const chain = project.chains.get(key) ?? [];
  for (let head = chain[0]; head; head = chain[0]) {
    if (startOf(head) > nowMs) return;
    if (head.status === "scheduling") {
      head.status = "running";
      head.updatedAtMs = startOf(head);
    }
    if (endOf(head) > nowMs) return;
    finish(project, head, { status: head.endStatus, atMs: endOf(head) });
    chain.shift();
    startNext(chain, endOf(head));
  }
  project.chains.delete(key);
}

/** Ends an operation now, also one that would never end by itself. Nothing happens where it has ended. */
export function endNow(
  project: Project,
  operation: OperationRecord,
  end: { status: string; atMs: number },
): void {
  for (const [key, chain] of project.chains) {
    const position = chain.indexOf(operation);
    if (position === -1) continue;
    chain.splice(position, 1);
    finish(project, operation, end);
    if (position === 0) startNext(chain, end.atMs);
    if (chain.length === 0) project.chains.delete(key);
    project.dueMs = 0;
    return;
  }
}

function startNext(chain: readonly OperationRecord[], freeAtMs: number): void {
  const next = chain[0];
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
  if (state === undefined || !successes.includes(end.status)) return;
  endpoint.currentState = state;
  endpoint.updatedAtMs = end.atMs;
  if (state === "active") endpoint.lastActiveMs = end.atMs;
}

/** The state that an endpoint is on its way to: that of the last change waiting in line for it. */
export function pendingStateOf(project: Project, endpoint: EndpointRecord): "active" | "idle" | undefined {
  const chain = project.chains.get(endpoint.id) ?? [];
  return chain.map((operation) => stateAfter[operation.action]).findLast((state) => state !== undefined);
}

/** When something next happens by itself in a line; infinity where nothing does. */
export function chainDueMs(project: Project, key: string): number {
  const head = project.chains.get(key)?.[0];
  if (!head) return Number.POSITIVE_INFINITY;
  return head.status === "scheduling" ? startOf(head) : endOf(head);
}

function startOf(operation: OperationRecord): number {
  if (operation.stuck === "scheduling") return Number.POSITIVE_INFINITY;
  return operation.startsAtMs ?? Number.POSITIVE_INFINITY;
}

function endOf(operation: OperationRecord): number {
  return operation.stuck === undefined ? startOf(operation) + operation.runningMs : Number.POSITIVE_INFINITY;
}

/**
 * Puts an operation where its time belongs, behind those of the same time, and makes its position its own.
 *
 * Suspensions are found late, when somebody looks, yet belong where they happened; and two operations of one
 * millisecond need different cursors.
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
