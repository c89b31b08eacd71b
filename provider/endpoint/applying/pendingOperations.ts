/**
 * The operations that a compute still has to wait for where no answer names them: an earlier run left them
 * behind, or the answer was lost.
 */
import type { EndpointRef } from "../../api/client";
import type { ApiEndpoint, ApiOperation } from "../../api/schemas";
import { isKind } from "../../errors";
import { nameOf } from "../../operations/errors";
import { hasEnded, verdictOf } from "../../operations/status";
import { findNow } from "./find";
import { callOptions, type Step, type Target } from "./step";

/** Stands in a state's operations for those that nobody could list. */
export const unlisted = "unlisted";

/** The operations that an earlier run left behind, as they are now; one that the service forgot is over. */
export async function resumeOperations(
  step: Step,
  ref: EndpointRef,
  ids: readonly string[],
): Promise<ApiOperation[]> {
  if (ids.includes(unlisted)) return operationsOf(step, ref);
  const operations: ApiOperation[] = [];
  for (const id of ids) {
    try {
      operations.push(await step.services.api.getOperation(ref.projectId, id, callOptions(step)));
    } catch (error) {
      // Even where a proxy says so: the compute itself is read afterwards.
      if (!isKind(error, "notFound", "notFoundBetween")) throw error;
    }
  }
  return operations;
}

/** Operations of the compute on the newest page of the project's, ended ones included, oldest first. */
export async function operationsOf(step: Step, ref: EndpointRef): Promise<ApiOperation[]> {
  const newest = await step.services.operations.listNewest(ref.projectId, callOptions(step));
  return newest.filter((operation) => operation.endpoint_id === ref.endpointId).reverse();
}

/** Those of them that are still under way. */
export async function unendedOperations(step: Step, ref: EndpointRef): Promise<ApiOperation[]> {
  return (await operationsOf(step, ref)).filter((operation) => !hasEnded(operation.status));
}

/** Those to wait for: one that failed, or whose status nobody knows, is forgiven once the compute is past it. */
export async function stillPending(
  step: Step,
  target: Target,
  left: readonly ApiOperation[],
): Promise<readonly ApiOperation[]> {
  if (!left.some(isDoubtful)) return left;
  const endpoint = await findNow(step.services, target.ref, callOptions(step));
  const past = left.filter((operation) => isDoubtful(operation) && isPast(operation, endpoint));
  if (past.length === 0) return left;
  const names = past.map((operation) => `${nameOf(operation)} (${operation.status})`).join(", ");
  const now = endpoint?.disabled === true ? "disabled" : (endpoint?.current_state ?? "");
  await step.resource.row.say(
    "warning",
    `${target.doing}: ${names} did not end well; the compute is ${now} now.`,
  );
  return left.filter((operation) => !past.includes(operation));
}

function isDoubtful({ status }: ApiOperation): boolean {
  return ["failed", "unknown"].includes(verdictOf(status));
}

/** Whether the compute runs, has run since, rests as a move leaves it, or is disabled and will never wake. */
function isPast(operation: ApiOperation, endpoint: ApiEndpoint | undefined): boolean {
  if (endpoint?.current_state === "active" || endpoint?.disabled === true) return true;
  if (endpoint?.current_state !== "idle") return false;
  // Both times are the service's own.
  const hasRunSince = Date.parse(endpoint.last_active ?? "") > Date.parse(operation.updated_at ?? "");
  return hasRunSince || operation.action !== "start_compute";
}
