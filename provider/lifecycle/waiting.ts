/**
 * The operations that a step waits for, with their progress on the row. An answer names them, unless an earlier run began them
 * or the answer was lost.
 */
import type { ApiEndpoint, ApiOperation } from "../service/schemas";
import { inList, isKind, isNotFound } from "../model/errors";
import { failureText, OperationFailedError, OperationUnendedError, waitForOperations } from "../service/wait";
import { hasDone, hasEnded, nameOf, outcomeOf, startsCompute } from "../service/observation";
import { longWaitMs, operationPollAfter, timeOf } from "../model/timing";
import type { EndpointState } from "../model/state";
import { seenNow, seenIfListed } from "./find";
import { callOptions, type ComputeStep } from "./step";

/**
 * Waits for the operations that an answer names. An operation of another compute is awaited too, but its failure is only
 * reported.
 *
 * @returns the operations of this compute, as last read.
 */
export async function waitForAnswered(
  step: ComputeStep,
  operations: readonly ApiOperation[],
): Promise<readonly ApiOperation[]> {
  const isOfCompute = ({ endpoint_id: id }: ApiOperation): boolean =>
    (id ?? step.ref.endpointId) === step.ref.endpointId;
  const ended = await waitFor(step, operations.filter(isOfCompute));
  const others = operations.filter((operation) => !isOfCompute(operation));
  for (const { operation } of await waitForEnds(step, others))
    await step.resource.row.say(
      "warning",
      `${step.doing}: the service's answer also named ${nameOf(operation)}, which ${failureText(operation)}. This operation belongs to compute ${operation.endpoint_id ?? ""}: check that compute at the service.`,
    );
  return ended;
}

/** Waits for operations and shows their progress on the row. @returns the operations as last read. */
export function waitFor(
  step: ComputeStep,
  operations: readonly ApiOperation[],
): Promise<readonly ApiOperation[]> {
  const { service, resource, deadline } = step;
  let shown: string | undefined;
  let warned = false;
  return waitForOperations(operations, service.operations.read, {
    projectId: step.ref.projectId,
    doing: step.doing,
    kind: step.kind,
    ...callOptions(step),
    deadline,
    redact: service.redact,
    foundElsewhere: async (operation) => {
      const newest = service.operations.listNewest(step.ref.projectId, callOptions(step));
      const listed = (await newest.catch(() => [])).find(({ id }) => id === operation.id);
      if (listed !== undefined || step.kind === "deletion") return listed;
      // The time of its end is unknown.
      const ended = { ...operation, status: "finished", updated_at: undefined };
      return (await hasEndedWell(step, operation)) ? ended : undefined;
    },
    onProgress: (operation, elapsedMs) => {
      const now = `${operation.action} ${operation.status}`;
      // Where Pulumi cannot overwrite the last message, it prints each message on its own line.
      if (now !== shown) resource.row.progress(now);
      shown = now;
      if (warned || elapsedMs < longWaitMs || hasEnded(operation.status)) return;
      warned = true;
      const seconds = Math.round(elapsedMs / 1000);
      const limit = Math.round(deadline.limitMs / 1000);
      void resource.row.say(
        "info",
        `${operation.action} (${operation.id}) has the status ${operation.status} after ${seconds} s; waiting up to ${limit} s.`,
      );
    },
  }).catch((error: unknown) => {
    if (error instanceof OperationUnendedError) step.permit.foundStuck(error.operation);
    throw error;
  });
}

/**
 * Waits until operations of somebody else or of an earlier run have ended, successfully or not.
 *
 * @returns the failures.
 */
export async function waitForEnds(
  step: ComputeStep,
  operations: readonly ApiOperation[],
): Promise<readonly OperationFailedError[]> {
  const failures: OperationFailedError[] = [];
  for (const operation of operations)
    await waitFor(step, [operation]).catch((error: unknown) => {
      if (!(error instanceof OperationFailedError)) throw error;
      failures.push(error);
    });
  return failures;
}

/**
 * The current status of operations from an earlier run. An operation that the service neither knows nor lists any more has
 * ended. A 404 alone proves nothing: it may come from a proxy, or from a replica of the service that lags behind. If the
 * operations cannot be listed, only a 404 in the service's own format counts.
 */
export async function resumeOperations(
  step: ComputeStep,
  ids: NonNullable<EndpointState["operations"]>,
): Promise<ApiOperation[]> {
  if (ids === "unnamed") return unnamedOperationsOf(step);
  const { api, operations: batches } = step.service;
  const operations: ApiOperation[] = [];
  for (const id of ids) {
    try {
      operations.push(await api.getOperation(step.ref.projectId, id, callOptions(step)));
    } catch (error) {
      if (!isKind(error, "notFound", "notFoundBetween")) throw error;
      const list = batches.listNewest(step.ref.projectId, callOptions(step));
      const newest = await (isNotFound(error) ? list.catch(() => []) : list);
      operations.push(...newest.filter((operation) => operation.id === id));
    }
  }
  return operations;
}

/** Operations of the compute on the newest page of its project, ended ones included, oldest first. */
export async function operationsOf(step: ComputeStep): Promise<ApiOperation[]> {
  const newest = await step.service.operations.listNewest(step.ref.projectId, callOptions(step));
  return newest.filter((operation) => operation.endpoint_id === step.ref.endpointId).reverse();
}

/** Like `operationsOf`, but from further pages if the newest has no operation of the compute. */
export async function unnamedOperationsOf({ service, ref, ...step }: ComputeStep): Promise<ApiOperation[]> {
  const newest = await service.operations.listOf(ref.projectId, ref.endpointId, callOptions(step));
  return [...newest].reverse();
}

/**
 * The compute's operations that have not ended. An operation with an unknown status counts only if the compute has not come
 * back since.
 */
export async function unendedOperations(step: ComputeStep): Promise<readonly ApiOperation[]> {
  const unended = (await operationsOf(step)).filter((operation) => !hasEnded(operation.status));
  return stillPending(step, unended);
}

/**
 * Leaves out failed and unknown operations if a later success supersedes them, or if the compute has come back since.
 *
 * @param sent - names of what was sent in the change that began the operations.
 */
export async function stillPending(
  step: ComputeStep,
  earlier: readonly ApiOperation[],
  sent: readonly string[] = [],
): Promise<readonly ApiOperation[]> {
  const current = earlier.filter((operation) => !isDoubtful(operation) || !isSuperseded(operation, earlier));
  const doubtful = current.filter(isDoubtful);
  if (doubtful.length === 0) return current;
  const endpoint = await seenNow(step);
  if (endpoint === undefined) return current;
  const past = doubtful.filter((operation) => hasComeBack(endpoint, operation));
  if (past.length > 0)
    await step.resource.row.say("warning", `${step.doing}: ${cameBackText(endpoint, past, sent)}`);
  return current.filter((operation) => !past.includes(operation));
}

function isDoubtful({ status }: ApiOperation): boolean {
  return ["failed", "unknown"].includes(outcomeOf(status));
}

/** `operation apply_config (op-1) failed, but the compute is active now.` */
function cameBackText(
  { disabled, current_state: state }: ApiEndpoint,
  past: readonly ApiOperation[],
  sent: readonly string[],
): string {
  const still = sent.length === 0 ? "" : ` The service keeps the change of ${inList(sent)}.`;
  const names = inList(past.map((operation) => `${nameOf(operation)} ${failureText(operation)}`));
  return `${names}, but the compute is ${disabled === true ? "disabled" : (state ?? "")} now.${still}`;
}

/**
 * Whether an operation succeeded, although the service no longer knows it. The compute itself shows this, once it is no longer
 * on its way to another state.
 *
 * @returns false if the compute does not show a success before the step's deadline.
 */
async function hasEndedWell(step: ComputeStep, operation: ApiOperation): Promise<boolean> {
  for (let reads = 0; ; reads++) {
    const endpoint = await seenIfListed(step);
    if (endpoint === undefined) return false;
    const { current_state: state, pending_state: pending } = endpoint;
    const isAtRest = (pending ?? state) === state;
    // A move leaves the compute idle.
    const isOver = hasComeBack(endpoint, operation) || (state === "idle" && !startsCompute(operation));
    if (isAtRest && isOver) return true;
    const leftMs = step.deadline.leftMs();
    if (leftMs <= 0) return false;
    await step.deadline.wait(Math.min(operationPollAfter(reads), leftMs));
  }
}

/**
 * Whether a compute has come back after an operation: it runs, has run since, or is disabled and will not start. A suspension
 * or a move leaves the compute idle, which counts too. After a failure or a start, an idle compute does not count: it may be
 * unable to start with the values that the operation was to apply.
 */
function hasComeBack(endpoint: ApiEndpoint, operation: ApiOperation): boolean {
  if (endpoint.current_state === "active" || endpoint.disabled === true) return true;
  if (endpoint.current_state !== "idle") return false;
  // Both times come from the service's clock.
  const hasRunSince = timeOf(endpoint.last_active) > timeOf(operation.updated_at);
  const mayHaveFailed = outcomeOf(operation.status) === "failed" || startsCompute(operation);
  return hasRunSince || operation.action === "suspend_compute" || !mayHaveFailed;
}

/**
 * Whether a later success supersedes an operation: it did the same, or started the compute. Lists also show operations of
 * earlier changes.
 */
function isSuperseded({ action, created_at: at }: ApiOperation, all: readonly ApiOperation[]): boolean {
  return all.some(
    (other) =>
      hasDone(other) &&
      (other.action === action || startsCompute(other)) &&
      timeOf(other.created_at) > timeOf(at),
  );
}
