/**
 * Finds the operations that a compute still has to wait for if no answer names them: they are from an earlier run, or
 * the answer was lost.
 */
import type { ApiEndpoint, ApiOperation } from "../service/schemas";
import { isKind, isNotFound } from "../model/errors";
import { nameOf } from "../service/wait";
import { hasEnded, outcomeOf, startsCompute } from "../model/observation";

import { operationPollAfter, timeOf } from "../model/timing";
import { seenNow } from "./find";
import { callOptions, type ComputeStep } from "./step";

/** Placeholder id: operations may be pending, but the list request failed, so their ids are unknown. */
export const unlisted = "unlisted";

/**
 * The current status of operations from an earlier run. An operation that the service neither knows nor lists any more
 * has ended: a 404 alone may be a proxy's, or of a copy of the service that is behind. If they cannot be listed, the
 * service's own 404 counts.
 */
export async function resumeOperations(step: ComputeStep, ids: readonly string[]): Promise<ApiOperation[]> {
  if (ids.includes(unlisted)) return unnamedOperationsOf(step);
  const { api, operations: batches } = step.services;
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
  const newest = await step.services.operations.listNewest(step.ref.projectId, callOptions(step));
  return newest.filter((operation) => operation.endpoint_id === step.ref.endpointId).reverse();
}

/** The same for operations that no answer names: from further pages, if the newest has none of the compute. */
export async function unnamedOperationsOf({ services, ref, ...step }: ComputeStep): Promise<ApiOperation[]> {
  const newest = await services.operations.listOf(ref.projectId, ref.endpointId, callOptions(step));
  return [...newest].reverse();
}

/** The operations of the compute that are still running; one in an unknown status only if the compute is not active since. */
export async function unendedOperations(step: ComputeStep): Promise<readonly ApiOperation[]> {
  const unended = (await operationsOf(step)).filter((operation) => !hasEnded(operation.status));
  return stillPending(step, unended);
}

/** Skips failed or unknown operations if the compute has been active (or disabled) since. */
export async function stillPending(
  step: ComputeStep,
  earlier: readonly ApiOperation[],
): Promise<readonly ApiOperation[]> {
  if (!earlier.some(isDoubtful)) return earlier;
  const endpoint = await seenNow(step);
  if (endpoint === undefined) return earlier;
  const past = earlier.filter((operation) => isDoubtful(operation) && isPast(operation, endpoint));
  if (past.length === 0) return earlier;
  const names = past.map((operation) => `${nameOf(operation)} (${operation.status})`).join(", ");
  const now = endpoint.disabled === true ? "disabled" : (endpoint.current_state ?? "");
  await step.resource.row.say(
    "warning",
    `${step.doing}: ${names} did not end well; the compute is ${now} now.`,
  );
  return earlier.filter((operation) => !past.includes(operation));
}

function isDoubtful({ status }: ApiOperation): boolean {
  return ["failed", "unknown"].includes(outcomeOf(status));
}

/**
 * How an operation ended that the service has forgotten: the compute itself tells, once it is on its way to no other
 * state.
 *
 * @returns false if the compute does not tell within the time of the step.
 */
export async function hasEndedWell(step: ComputeStep, operation: ApiOperation): Promise<boolean> {
  for (let reads = 0; ; reads++) {
    const endpoint = await seenNow(step).catch(() => undefined);
    if (endpoint === undefined) return false;
    const { current_state: state, pending_state: pending } = endpoint;
    const isAtRest = (pending ?? state) === state;
    if (isAtRest && isPast(operation, endpoint)) return true;
    const leftMs = step.deadline.leftMs();
    if (leftMs <= 0) return false;
    await step.deadline.wait(Math.min(operationPollAfter(reads), leftMs));
  }
}

/** Whether the compute runs, has run since the operation, is idle after a move, or is disabled and will not start. */
function isPast(operation: ApiOperation, endpoint: ApiEndpoint): boolean {
  if (endpoint.current_state === "active" || endpoint.disabled === true) return true;
  if (endpoint.current_state !== "idle") return false;
  // Both times come from the service's clock.
  const hasRunSince = timeOf(endpoint.last_active) > timeOf(operation.updated_at);
  return hasRunSince || !startsCompute(operation);
}
