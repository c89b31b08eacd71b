/**
 * Ends every change: waits for its operations, reads the compute again, and never loses its id.
 *
 * What the state holds after each kind of failure, and what the next `pulumi up` does:
 *
 * | what failed                                    | the state holds                                  | next run                     |
 * | ---------------------------------------------- | ------------------------------------------------ | ---------------------------- |
 * | a create that was refused                      | nothing                                          | creates                      |
 * | a create without an answer                     | nothing                                          | creates; names replicas (*)  |
 * | a create in a run that was killed              | nothing; Pulumi's backend records that it began  | `cutOff.ts` names it (*)     |
 * | a wait for a create's operations (**)          | the compute as last seen, and `operations`       | waits, sends nothing         |
 * | a change that was refused                      | what it held before                              | sends it                     |
 * | a change whose outcome stays unknown           | the compute as last seen, and "unnamed"          | waits, then sends it         |
 * | a wait for a change's operations (**)          | the new values, and `operations`                 | waits, sends nothing         |
 * | listing operations that no answer named        | the new values, and "unnamed"                    | lists them, waits            |
 * | nothing, but a part of a change waits          | the old values of that part                      | finds the difference         |
 * | an update whose process was killed             | what it held before                              | sends what is missing        |
 * | a restart, for any reason                      | the triggers of the last successful restart      | sends it                     |
 * | a deletion, for any reason                     | what it held before                              | sends it                     |
 *
 * (*) Replicas only: the service refuses a second primary.
 * (**) An operation failed, the time limit passed, or the user pressed Ctrl-C once.
 *
 * `operations` has the ids of the operations that had not succeeded when the answer or a list named them. The next run reads
 * each of them again. A failed operation no longer counts once the compute runs (`waiting.ts`). If the compute is idle, and the
 * operation was no start, the change is sent once more (`update.ts`).
 */
import type { ApiEndpoint, ApiOperation } from "../service/schemas";
import { pollUntil } from "../clock";
import { ComputeError, inList, RequestError } from "../model/errors";
import { goesOnWaiting, OperationFailedError } from "../service/wait";
import { hasEnded, outcomeOf, startsCompute } from "../service/observation";
import { argumentOf, changedNames, droppedNames } from "../model/changes";
import type { ArgumentName } from "../model/fields";
import type { SettingsPlan } from "../model/settingsOnWire";
import { writeShowsAfterMs, serviceClocksDifferMs, timeOf } from "../model/timing";
import { ageWithoutProof, notListedYet, seenNow, seenIfListed } from "./find";
import { stillPending, unnamedOperationsOf, waitForAnswered } from "./waiting";
import {
  PartialFailure,
  toState,
  unsettledArguments,
  withOwn,
  withoutGoneSettings,
  type EndpointState,
} from "../model/state";
import { ranBefore } from "../service/running";
import type { Done } from "./receipt";
import type { Sent } from "./sent";
import type { ComputeStep, Declaration } from "./step";

/** What the service answered to a write. */
export interface WriteAnswer {
  readonly endpoint: ApiEndpoint | undefined;
  /** Undefined if the answer names no operations. */
  readonly operations: readonly ApiOperation[] | undefined;
  /** True if an earlier send may have been carried out as well: the answer does not name the operations of that send. */
  readonly isRepeated?: boolean;
  /** What the write did to the settings; undefined if it sent none. */
  readonly settings?: Pick<SettingsPlan, "ours" | "removed"> | undefined;
}

/**
 * Waits for the operations of a change and reads the compute again.
 *
 * @throws PartialFailure with the id, the current state, and the operations that the next run has to wait for.
 */
export async function settle(step: ComputeStep, answer: WriteAnswer, sent: Sent): Promise<Done> {
  const { operations: named, isRepeated = false } = answer;
  const isNamed = named !== undefined && !isRepeated;
  let operations = isNamed ? named : undefined;
  try {
    operations ??= [...(await unnamedOperations(step, answer)), ...(named ?? [])];
    const ended = await waitForAnswered(step, operations);
    step.permit.end();
    const { state, listed } = await settledState(step, answer, sent);
    return { state, ...shownBy(answer, sent), operations: isNamed ? ended : undefined, after: listed };
  } catch (error) {
    const listed = await seenIfListed(step);
    const seen = latest(listed, answer.endpoint);
    const pending = operations
      ?.filter((operation) => outcomeOf(operation.status) !== "succeeded")
      .map(({ id }) => id);
    const explained = explain(error, sent.names);
    const state = stateOf(sent, answer, seen);
    throw new PartialFailure({ ...state, operations: pending ?? "unnamed", sent: sent.names }, explained);
  }
}

/** What the answer to a change shows of the compute before the change. */
export function shownBy(
  answer: WriteAnswer,
  { running }: Pick<Sent, "running">,
): Pick<Done, "before" | "ran"> {
  const before = answeredBefore(answer);
  // A client may have connected between two sends, so what the compute was doing before the first one no longer counts.
  const ran = answer.isRepeated === true ? undefined : running;
  return { before, ran: (before && ranBefore(before)) ?? ran };
}

/** The compute as it was before the change. The answer shows it, unless an operation of the answer has already ended. */
function answeredBefore({ endpoint, operations, isRepeated }: WriteAnswer): ApiEndpoint | undefined {
  if (endpoint === undefined || operations === undefined || isRepeated === true) return undefined;
  return operations.some(({ status }) => hasEnded(status)) ? undefined : endpoint;
}

function explain(error: unknown, sent: readonly string[] | undefined): unknown {
  if (sent === undefined) return error;
  if (error instanceof OperationFailedError) return changeFailed(error, sent);
  if (!(error instanceof RequestError && error.isAway)) return error;
  const fix = "The change was sent: `pulumi up` continues without sending it again";
  return new ComputeError({ ...error.problem, fix, cause: error });
}

/** The error for a change whose operation failed, in this run or an earlier one. */
function changeFailed(cause: OperationFailedError, sent: readonly string[]): ComputeError {
  const { operation, problem } = cause;
  const next = startsCompute(operation)
    ? "start the compute once (connect to it): the next `pulumi up` then continues"
    : "run `pulumi up` again: it sends the change once more if the compute is idle, and continues if the compute runs";
  return new ComputeError({
    ...problem,
    what: `${problem.what}; the change of ${inList(sent)} may keep the compute from starting`,
    fix: `${takingBack(sent)}. If the new values are right, ${next}`,
    cause,
  });
}

/**
 * Removing a Postgres setting from the program removes it at the service. If any other argument is removed, the service keeps
 * its value.
 */
function takingBack(sent: readonly string[]): string {
  const settings = sent.filter((name) => name.startsWith("settings."));
  if (settings.length === sent.length)
    return "Set the old values again, or take the settings out of the program. Then run `pulumi up`";
  const others =
    settings.length === 0
      ? "Removing an argument"
      : "To undo a Postgres setting, you can also remove it. Removing any other argument";
  return `Set the old values again and run \`pulumi up\`. ${others} is not enough: the service keeps what was sent`;
}

/** The operations to wait for if no answer came, or if the answer named no operations or only some of them. */
async function unnamedOperations(
  step: ComputeStep,
  { endpoint }: WriteAnswer,
): Promise<readonly ApiOperation[]> {
  const listed = await pollUntil(step.deadline, [0, ...writeShowsAfterMs], {
    poll: () => listedOperations(step),
    isEnough: (operations) => isUpToDate(operations, endpoint),
  });
  // Operations that failed before the write no longer count: it supersedes them (interface 3.2).
  const sinceMs = sentSinceMs(endpoint);
  return stillPending(
    step,
    listed.filter(
      ({ status, created_at }) => outcomeOf(status) !== "failed" || !(timeOf(created_at) < sinceMs),
    ),
  );
}

/** NaN if the service does not say when it changed the compute. */
function sentSinceMs(endpoint: ApiEndpoint | undefined): number {
  return timeOf(endpoint?.updated_at) - serviceClocksDifferMs;
}

/** Whether a list shows the operations of a compute's last change. A list may be late, and a change may begin no operation. */
function isUpToDate(listed: readonly ApiOperation[], endpoint: ApiEndpoint | undefined): boolean {
  const sinceMs = sentSinceMs(endpoint);
  return (
    Number.isNaN(sinceMs) ||
    listed.some(({ status, created_at }) => !hasEnded(status) || timeOf(created_at) >= sinceMs)
  );
}

async function listedOperations(step: ComputeStep): Promise<readonly ApiOperation[]> {
  try {
    return await unnamedOperationsOf(step);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const { what, requestId } = error.problem;
    throw new ComputeError({
      doing: step.doing,
      what: `the compute exists and stays in the state, but its operations cannot be listed (${what})`,
      requestId,
      fix: goesOnWaiting,
      cause: error,
    });
  }
}

/**
 * A list may be late, so it does not count if the answer to the write is newer. Otherwise the state would have the old values,
 * and the next preview would announce the same change again.
 */
function latest(listed: ApiEndpoint | undefined, answered: ApiEndpoint | undefined): ApiEndpoint | undefined {
  return timeOf(listed?.updated_at) < timeOf(answered?.updated_at) ? answered : (listed ?? answered);
}

function stateOf(
  { declaration, known }: Sent,
  { settings }: WriteAnswer,
  endpoint: ApiEndpoint | undefined,
): EndpointState {
  const declared =
    settings === undefined ? declaration : { ...declaration, stillManaged: oursAfter(settings, endpoint) };
  if (endpoint !== undefined) return toState(endpoint, declared);
  return withOwn(known as EndpointState, declared);
}

/** The settings of ours after a PATCH. A service that merges settings keeps those that the PATCH has left out. */
function oursAfter(
  { ours, removed }: NonNullable<WriteAnswer["settings"]>,
  endpoint: ApiEndpoint | undefined,
): readonly string[] {
  const isKept = endpoint?.settings?.pg_settings != null;
  return [...ours, ...(isKept ? withoutGoneSettings(endpoint, removed) : [])];
}

/**
 * Reads the compute after the change, and says on its row what is odd about it. A list may be late for a moment, so the compute
 * is read a few times.
 */
async function settledState(
  step: ComputeStep,
  answer: WriteAnswer,
  sent: Sent,
): Promise<{ readonly state: EndpointState; readonly listed: ApiEndpoint | undefined }> {
  const { declaration, changed } = sent;
  const { ignores } = step.resource;
  const { listed, seen, state, missing } = await pollUntil(step.deadline, [0, ...writeShowsAfterMs], {
    poll: async () => {
      const listed = await seenNow(step);
      const seen = latest(listed, answer.endpoint);
      const state = stateOf(sent, answer, seen);
      return {
        listed,
        seen,
        state,
        missing: unsettledArguments(state, declaration.inputs, { sent: changed, ignores }),
      };
    },
    isEnough: ({ listed, seen, missing }) =>
      listed !== undefined && missing.length === 0 && oddStateOf(seen) === undefined,
  });
  const odd = listed && oddStateOf(seen);
  const warnings = [
    odd &&
      `its operations succeeded, but the service shows the compute in the state ${JSON.stringify(odd)}. The compute may not be running. Check at the service what this state means.`,
    listed === undefined && unlistedWarning(step, state),
    listed !== undefined && differenceWarning(state, declaration, missing),
    // A removal that waits was not sent.
    listed !== undefined && answer.settings !== undefined && keptWarning(state, declaration),
  ].filter((text) => typeof text === "string");
  for (const text of warnings) await step.resource.row.say("warning", `${step.doing}: ${text}`);
  return { state, listed: missing.length === 0 && seen === listed ? listed : undefined };
}

const usualStates: ReadonlySet<unknown> = new Set(["init", "active", "idle"]);

/** The state in which a compute has come to rest, if interface 2.1 does not list that state (such as `error`). */
function oddStateOf(seen: ApiEndpoint | undefined): string | undefined {
  const { current_state: state, pending_state: pending, disabled } = seen ?? {};
  const isAtRest = (pending ?? state) === state && disabled !== true;
  return isAtRest && !usualStates.has(state) ? (state ?? undefined) : undefined;
}

/** Suggests no command: a command that reads the lists again may conclude that the compute is gone, and drop it. */
function unlistedWarning({ service, ref }: ComputeStep, state: EndpointState): string {
  const ageMs = ageWithoutProof(service, state);
  return ageMs === undefined
    ? "its operations succeeded, but the service does not list the compute. The state keeps the last known values; check at the service whether somebody deleted the compute."
    : `its operations succeeded, but the ${notListedYet(ref, ageMs)}. The state has the values of the service's last answer; no action is needed.`;
}

/** Settings may hold secrets, so their values are not shown. */
function differenceWarning(
  state: EndpointState,
  { inputs, resource }: Declaration,
  missing: readonly ArgumentName[],
): string | undefined {
  // `keptWarning` names settings that should be gone.
  const dropped = droppedNames(state, inputs);
  const declared = changedNames(state, inputs).filter((name) => !dropped.includes(name));
  const differing = new Set(declared.map(argumentOf));
  const differences = missing
    .filter((name) => differing.has(name))
    .map((name) => {
      const [shown, sent] = [state[name], inputs[name]];
      if (resource.secrets.includes(name)) return `a different value of ${name} (secret)`;
      if ([shown, sent].some((value) => typeof value === "object")) return `other values of ${name}`;
      return `${name} ${JSON.stringify(shown)} instead of ${JSON.stringify(sent)}`;
    });
  if (differences.length === 0) return undefined;
  return `the service accepted the change, but shows ${inList(differences)}. The next preview shows the difference again.`;
}

/** A service that merges settings keeps those that a PATCH leaves out. */
function keptWarning(state: EndpointState, { inputs }: Declaration): string | undefined {
  const kept = droppedNames(state, inputs);
  if (kept.length === 0) return undefined;
  return `the service kept ${inList(kept)}, which this change was to remove. The next preview shows the removal again.`;
}
