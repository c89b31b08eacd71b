/**
 * Changing a compute: a PATCH with what changed, a restart where one is asked for, or, after a failed run,
 * nothing but the wait that was left.
 */
import type { EndpointRef } from "../api/client";
import type { ApiEndpoint, ApiOperation } from "../api/schemas";
import { ComputeError, isNotFound, PartialFailure, RequestError } from "../errors";
import { verdictOf } from "../operations/status";
import { effects, type ArgumentName } from "./effects";
import { findListed } from "./absence";
import { finish, unsettledArguments, waitFor, type Change } from "./finish";
import type { EndpointInputs } from "./inputs";
import { pulledTriggers } from "./interruption";
import { operationsOf, recall, stillOwed } from "./owed";
import { primaryOn } from "./reconcile";
import {
  changedArguments,
  isPatched,
  toState,
  toStored,
  toUpdateBody,
  triggerHashes,
  undeclaredSettings,
  type Declaration,
  type EndpointState,
} from "./state";
import {
  callOptions,
  declarationOf,
  inTurn,
  maxSends,
  readOne,
  sendWrite,
  type Services,
  type Step,
  type Target,
} from "./step";

/** @param state - the old outputs. @param declared - the new inputs after `check`. */
export async function updateEndpoint(
  services: Services,
  state: Readonly<EndpointState>,
  declared: Readonly<Record<string, unknown>>,
): Promise<EndpointState> {
  const declaration = declarationOf(declared);
  const { inputs } = declaration;
  try {
    return toStored(await change(services, state, declaration), inputs);
  } catch (error) {
    if (!(error instanceof PartialFailure)) throw error;
    const stored = toStored(error.properties as unknown as EndpointState, inputs);
    throw new PartialFailure(error.id, { ...stored }, error.cause);
  }
}

async function change(
  services: Services,
  state: Readonly<EndpointState>,
  declaration: Declaration,
): Promise<EndpointState> {
  const { projectId, endpointId } = state;
  const ref = { projectId, endpointId };
  const target = { doing: `updating compute ${endpointId}`, kind: "change", ref } as const;
  const changed = changedArguments(state, declaration.inputs);
  const restarts = owesRestart(state, declaration.inputs);
  const plan = {
    kind: "update",
    projectId,
    urn: declaration.urn,
    timeouts: declaration.inputs.timeouts,
  } as const;

  return inTurn(services, plan, async (step) => {
    const left = await recall(step, target.ref, state.__operations ?? []);
    const sends = isPatched(changed) || restarts;
    // Interface 3.2: what is under way ends before the next dependent request. What failed is superseded by it.
    if (sends)
      await waitFor(
        step,
        target,
        left.filter((operation) => verdictOf(operation.status) === "pending"),
      );
    const change = isPatched(changed)
      ? await patch(step, target, { changed, state, declaration })
      : { endpoint: undefined, operations: sends ? [] : await stillOwed(step, target, left) };
    if (!restarts) return finish(step, target, { change, declaration, known: state });
    // Until the restart is sent, the state keeps the old triggers: the next run then still owes it.
    const owed = {
      ...declaration,
      inputs: { ...declaration.inputs, restartTriggers: undefined },
      triggers: triggerHashes(state),
    };
    const restart = async (turn: Step): Promise<EndpointState> => {
      const restarted = await restartOnce(turn, target, { state, declaration: owed });
      return finish(turn, target, { change: restarted, declaration, known: state });
    };
    if (!isPatched(changed)) return restart(step);
    // Gives the turn back: the restart is another write, with a turn of its own.
    await finish(step, target, { change, declaration: owed, known: state });
    return inTurn(services, plan, restart);
  });
}

/**
 * Whether a declaration asks for a restart beside its other changes. A changed size restarts the compute
 * already, and a disabled one has nothing to restart: one interruption is enough.
 */
export function owesRestart(state: EndpointState, inputs: EndpointInputs): boolean {
  const isPulled = pulledTriggers(state, inputs.restartTriggers).length > 0;
  const isDisabled = state.disabled === true || inputs.disabled === true;
  return isPulled && !isDisabled && !restartsByItself(changedArguments(state, inputs));
}

/** Whether one of these arguments restarts the compute by itself. */
function restartsByItself(changed: readonly ArgumentName[]): boolean {
  return changed.some((name) => name !== "restartTriggers" && effects[name] === "restart");
}

interface Known {
  readonly state: Readonly<EndpointState>;
  readonly declaration: Declaration;
}

interface Patch extends Known {
  readonly changed: readonly ArgumentName[];
}

/** Before each look at what became of a write without an answer. */
const lookAfterMs = [500, 1_500, 3_000] as const;

/** Sends a PATCH; one without an answer is looked for before it is sent again. */
export async function patch(
  step: Step,
  target: Target,
  { changed, state, declaration }: Patch,
): Promise<Change> {
  const { services } = step;
  const undeclared = changed.includes("settings") ? await liveSettings(step, target, state) : {};
  const body = toUpdateBody(declaration.inputs, changed, undeclared);
  for (let sends = 1; ; sends++) {
    try {
      return await sendWrite(step, target.ref.projectId, (call) =>
        services.api.updateEndpoint(target.ref, body, call),
      );
    } catch (error) {
      if (isNotFound(error) && (await isGone(step, target))) throw goneError(target);
      if (!(error instanceof RequestError) || error.outcome !== "unknown")
        throw await explainMove(step, target, { branchId: body.branch_id, error });
      // Fields that the service does not answer count as they were before.
      const old = Object.fromEntries(changed.map((name) => [name, state[name]]));
      const before = { ...declaration, inputs: { ...declaration.inputs, ...old } };
      const seen = await lookForChange(step, target.ref, { before, wanted: declaration.inputs });
      if (seen.applied) return { endpoint: seen.endpoint, operations: undefined };
      if (sends < maxSends && step.deadline.leftMs() > 0) continue;
      const truth = seen.endpoint === undefined ? state : toState(seen.endpoint, before);
      throw new PartialFailure(target.ref.endpointId, { ...truth }, error);
    }
  }
}

/**
 * The settings that nobody declared. A service may replace the map as a whole, so without them nothing is sent.
 *
 * @throws RequestError where the service does not show them.
 */
async function liveSettings(
  step: Step,
  { ref }: Target,
  state: Readonly<EndpointState>,
): Promise<Record<string, unknown>> {
  const endpoint = await readOne(step.services, ref, callOptions(step));
  return endpoint === undefined ? {} : undeclaredSettings(endpoint, state);
}

/** A refused move may mean that the branch has its primary (interface 3.1): then the message names it. */
async function explainMove(
  step: Step,
  target: Target,
  { branchId, error }: { readonly branchId: string | undefined; readonly error: unknown },
): Promise<unknown> {
  if (branchId === undefined || !(error instanceof RequestError)) return error;
  // A 423 that outlived the project's operations is no lock.
  if (error.transient && error.status !== 423) return error;
  const list = step.services.reads.listNow(target.ref.projectId, callOptions(step));
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

/** Whether the service shows the wanted values, after a PATCH without an answer. */
async function lookForChange(
  step: Step,
  ref: EndpointRef,
  { before, wanted }: { readonly before: Declaration; readonly wanted: EndpointInputs },
): Promise<{ readonly applied: boolean; readonly endpoint: ApiEndpoint | undefined }> {
  let endpoint: ApiEndpoint | undefined;
  for (const [looks, waitMs] of lookAfterMs.entries()) {
    if (looks > 0 && step.deadline.leftMs() <= 0) break;
    await step.services.clock.sleep(waitMs);
    endpoint = await readOne(step.services, ref, callOptions(step)).catch(() => undefined);
    if (endpoint !== undefined && unsettledArguments(toState(endpoint, before), wanted).length === 0) {
      return { applied: true, endpoint };
    }
  }
  return { applied: false, endpoint };
}

/**
 * Whether it is the compute that a "not found" speaks of: a branch may be missing as well, or a route.
 *
 * @throws ComputeError where the service does not know the project either.
 */
async function isGone(step: Step, { doing, ref }: Target): Promise<boolean> {
  const look = { doing, call: callOptions(step) };
  const seen = await findListed(step.services, ref, look).catch((error: unknown) => {
    if (error instanceof RequestError) return "unsure";
    throw error;
  });
  return seen === undefined;
}

function goneError(target: Target): ComputeError {
  return new ComputeError({
    doing: target.doing,
    what: "the service no longer knows this compute",
    fix: "Run `pulumi refresh`: the next preview then shows that it is created again",
  });
}

/**
 * Sends a restart. Without an answer, operations of the compute that were not there before say that it was
 * taken; it is sent again only where the service said that it did nothing (503) and there are none.
 */
async function restartOnce(step: Step, target: Target, known: Known): Promise<Change> {
  const { services } = step;
  const { ref } = target;
  const seen = (): Promise<readonly ApiOperation[] | undefined> =>
    operationsOf(step, ref).catch(() => undefined);
  const before = new Set((await seen())?.map(({ id }) => id));
  for (let sends = 1; ; sends++) {
    try {
      const operations = await sendWrite(step, ref.projectId, (call) =>
        services.api.restartEndpoint(ref, call),
      );
      return { endpoint: undefined, operations };
    } catch (error) {
      if (isNotFound(error) && (await isGone(step, target))) throw goneError(target);
      if (!(error instanceof RequestError) || error.outcome !== "unknown")
        throw await keep(step, target, { ...known, cause: error });
      await services.clock.sleep(lookAfterMs[0]);
      const now = await seen();
      const begun = now?.filter(({ id }) => !before.has(id)) ?? [];
      if (begun.length > 0) return { endpoint: undefined, operations: begun };
      if (now === undefined || error.status !== 503 || sends >= maxSends)
        throw await keep(step, target, { ...known, cause: unknownRestart(target, error) });
    }
  }
}

function unknownRestart({ ref }: Target, cause: RequestError): ComputeError {
  return new ComputeError({
    doing: `restarting compute ${ref.endpointId}`,
    what: `the outcome is unknown (${cause.problem.what}), and no operation of it shows up`,
    requestId: cause.problem.requestId,
    fix: "`pulumi up` sends the restart again; where the compute has restarted already, put the old restartTriggers back first",
    cause,
  });
}

/** A failure that leaves the compute as the service shows it now, with the restart still owed. */
async function keep(
  step: Step,
  target: Target,
  known: Known & { readonly cause: unknown },
): Promise<PartialFailure> {
  const seen = await readOne(step.services, target.ref, callOptions(step)).catch(() => undefined);
  const truth = seen === undefined ? known.state : toState(seen, known.declaration);
  return new PartialFailure(target.ref.endpointId, { ...truth, __operations: [] }, known.cause);
}
