/**
 * The PATCH of a change: one without an answer is looked for before it is sent again.
 */
import type { ApiEndpoint } from "../api/schemas";
import { ComputeError, isKind, isNotFound, RequestError } from "../errors";
import type { ArgumentName } from "../fields";
import { updateShowsAfterMs } from "../timing";
import { sendOnce } from "../writes/sendOnce";
import { findNow, hasPrimary, primaryOn } from "./find";
import { goneError, isGone } from "./gone";
import { PartialFailure } from "./partialFailure";
import type { WriteOutcome } from "./settle";
import {
  toState,
  toUpdateBody,
  undeclaredSettings,
  unsettledArguments,
  type Declaration,
  type EndpointState,
} from "./state";
import { callOptions, sendWrite, type Step, type Target } from "./step";

interface Patch {
  readonly state: EndpointState;
  readonly declaration: Declaration;
  /** The arguments to send. */
  readonly changed: readonly ArgumentName[];
}

export async function patch(
  step: Step,
  target: Target,
  { changed, state, declaration }: Patch,
): Promise<WriteOutcome> {
  const { api } = step.services;
  const { inputs } = declaration;
  const undeclared = changed.includes("settings") ? await liveSettings(step, target, state) : {};
  const body = toUpdateBody(inputs, changed, undeclared);
  // Fields that the service does not answer count as they were before.
  const old = Object.fromEntries(changed.map((name) => [name, state[name]]));
  const before = { ...declaration, inputs: { ...inputs, ...old } };
  let seen: ApiEndpoint | undefined;
  return sendOnce<WriteOutcome>({
    deadline: step.deadline,
    send: () =>
      sendWrite(step, target.ref.projectId, {
        request: (call) => api.updateEndpoint(target.ref, body, call),
        isTaken: async () =>
          changed.includes("branchId") && hasPrimary(step, { ...inputs, type: state.type }),
      }),
    look: async () => {
      for (const [looks, waitMs] of updateShowsAfterMs.entries()) {
        if (looks > 0 && step.deadline.leftMs() <= 0) break;
        await step.deadline.wait(waitMs);
        seen = await findNow(step.services, target.ref, callOptions(step)).catch(() => undefined);
        if (seen !== undefined && unsettledArguments(toState(seen, before), inputs).length === 0)
          return { done: { endpoint: seen, operations: undefined } };
      }
      return seen === undefined ? "cannot tell" : "not done";
    },
    unknownOutcome: (error) => new PartialFailure(seen === undefined ? state : toState(seen, before), error),
    refusal: async (error) => {
      if (isNotFound(error) && (await isGone(step, target))) return goneError(target);
      return explainMove(step, target, {
        branchId: changed.includes("branchId") ? inputs.branchId : undefined,
        error,
      });
    },
  });
}

/**
 * The settings that nobody declared. A service may replace the map as a whole, so without them nothing is sent.
 *
 * @throws RequestError where the service does not show them.
 */
async function liveSettings(
  step: Step,
  { ref }: Target,
  state: EndpointState,
): Promise<Record<string, unknown>> {
  const endpoint = await findNow(step.services, ref, callOptions(step));
  return endpoint === undefined ? {} : undeclaredSettings(endpoint, state);
}

/** A refused move may mean that the branch has its primary (interface 3.1): then the message names it. */
async function explainMove(
  step: Step,
  target: Target,
  { branchId, error }: { readonly branchId: string | undefined; readonly error: unknown },
): Promise<unknown> {
  if (branchId === undefined || !(error instanceof RequestError)) return error;
  // A lock that outlived the project's operations is none.
  if (error.transient && !isKind(error, "locked")) return error;
  const list = step.services.lists.now(target.ref.projectId, callOptions(step));
  const now = await list.catch(() => undefined);
  const primary = now === undefined ? undefined : primaryOn(branchId, now);
  if (primary === undefined) return error;
  return new ComputeError({
    doing: target.doing,
    what: `branch ${branchId} has its one primary already, compute ${primary.id}`,
    requestId: error.problem.requestId,
    fix: "Move it to a branch without one, or delete that compute first; nothing was changed",
    cause: error,
  });
}
