/**
 * Waits for operations of a step, and shows their progress on the row.
 */
import type { ApiOperation } from "../service/schemas";
import { nameOf, OperationFailedError, waitForOperations } from "../service/wait";
import { longWaitMs } from "../model/timing";
import { hasEndedWell } from "./pendingOperations";
import { callOptions, type ComputeStep } from "./step";

/**
 * Waits for the operations that an answer names. One of another compute is awaited too, but its failure is that
 * compute's: it is only reported.
 *
 * @returns those of this compute, as last read.
 */
export async function waitForAnswered(
  step: ComputeStep,
  operations: readonly ApiOperation[],
): Promise<readonly ApiOperation[]> {
  const isOwn = ({ endpoint_id: id }: ApiOperation): boolean =>
    (id ?? step.ref.endpointId) === step.ref.endpointId;
  const ended = await waitFor(step, operations.filter(isOwn));
  const others = operations.filter((operation) => !isOwn(operation));
  for (const { operation } of await waitForEnds(step, others))
    await step.resource.row.say(
      "warning",
      `${step.doing}: the answer also named ${nameOf(operation)} of compute ${operation.endpoint_id ?? ""}, which ended as ${operation.status}: see at the service what that compute does.`,
    );
  return ended;
}

/** Waits for operations and shows their progress on the row. @returns the operations as last read. */
export function waitFor(
  step: ComputeStep,
  operations: readonly ApiOperation[],
): Promise<readonly ApiOperation[]> {
  const { services, resource, deadline } = step;
  let shown: string | undefined;
  let warned = false;
  return waitForOperations(operations, services.operations.read, {
    projectId: step.ref.projectId,
    doing: step.doing,
    kind: step.kind,
    deadline,
    redact: services.redact,
    listed: async ({ id }) => {
      const newest = services.operations.listNewest(step.ref.projectId, callOptions(step));
      return (await newest.catch(() => [])).find((operation) => operation.id === id);
    },
    endedWell: (operation) =>
      step.kind === "deletion" ? Promise.resolve(false) : hasEndedWell(step, operation),
    onProgress: ({ operation, elapsedMs }) => {
      const now = `${operation.action} ${operation.status}`;
      // Pulumi prints each message on a line of its own where it cannot write over the last one.
      if (now !== shown) resource.row.progress(now);
      shown = now;
      if (warned || elapsedMs < longWaitMs) return;
      warned = true;
      const seconds = Math.round(elapsedMs / 1000);
      const limit = Math.round(deadline.limitMs / 1000);
      void resource.row.say(
        "info",
        `${operation.action} (${operation.id}) is ${operation.status} after ${seconds} s; waiting up to ${limit} s.`,
      );
    },
  });
}

/**
 * Waits until operations that others or an earlier run began have ended, successfully or not.
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
