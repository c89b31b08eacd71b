/**
 * Sends the PATCH of a change. If no answer comes, the compute is checked before the PATCH is sent again.
 */
import type { ApiEndpoint } from "../service/schemas";
import { pollUntil } from "../clock";
import { ComputeError, RequestError } from "../model/errors";
import { isOwn } from "../model/fields";
import type { EndpointInputs } from "../model/inputs";
import { runsNothing } from "../model/interruption";
import { writeShowsAfterMs } from "../model/timing";
import { runningOf } from "../service/running";
import { writeOnce, type WriteResult } from "../service/writeOnce";
import type { Due } from "./due";
import { absence, absenceError, findListed, hasPrimary, seenNow, seenIfListed } from "./find";
import { primaryOn } from "../service/lists";
import type { WriteAnswer } from "./settle";
import { changedSettings, droppedSettings, managedNames, pgSettingPrefix } from "../model/changes";
import {
  PartialFailure,
  withoutGoneSettings,
  toState,
  toUpdateBody,
  undeclaredSettings,
  unsettledArguments,
  type EndpointState,
} from "../model/state";
import { callOptions, writeOptions, type ComputeStep, type Declaration } from "./step";

/** A PATCH under way. */
interface PatchAttempt {
  readonly step: ComputeStep;
  readonly state: EndpointState;
  readonly due: Due;
  /** Names of what is sent. */
  readonly sent: readonly string[];
  /**
   * Settings that exist at the service and are not declared. They are sent along, since the service may replace all settings at
   * once. Undefined if the PATCH sends no settings.
   */
  undeclared: ReturnType<typeof undeclaredSettings> | undefined;
  /** Whether an earlier send may have been carried out as well. */
  isRepeated: boolean;
  /** The compute in the latest list that was read since the first send. */
  seen: ApiEndpoint | undefined;
}

export async function patch(step: ComputeStep, state: EndpointState, due: Due): Promise<WriteAnswer> {
  const undeclared = due.changed.includes("settings") ? await liveSettings(step, state) : undefined;
  const sent = sentNames(state, due);
  const attempt: PatchAttempt = { step, state, due, sent, undeclared, isRepeated: false, seen: undefined };
  return writeOnce<WriteAnswer>({
    deadline: step.deadline,
    send: () => send(attempt),
    checkResult: () => checkResult(attempt),
    // If the second PATCH is refused, the first one may be the reason.
    isUncertain: (error) => error.outcome === "unknown" || attempt.isRepeated,
    mayRepeat: (error) => error.outcome === "unknown" && !isInUseByNow(attempt),
    unknownOutcome: (error) => unknownOutcome(attempt, error),
    refusal: (error) => explainRefusal(attempt, error),
  });
}

async function send(attempt: PatchAttempt): Promise<WriteAnswer> {
  const { step, state, due, sent, undeclared } = attempt;
  const { changed, declaration, running } = due;
  const isTaken = async (): Promise<boolean> =>
    changed.includes("branchId") && hasPrimary(step, { ...declaration.inputs, type: state.type }, step.ref);
  const body = toUpdateBody(declaration.inputs, changed, undeclared);
  const call = { ...writeOptions(step, isTaken), onDoubt: () => (attempt.isRepeated = true) };
  const change = await step.service.api.updateEndpoint(step.ref, body, call);
  const { isRepeated } = attempt;
  // A client may have connected between two sends, so what the compute was doing before the first one no longer counts.
  return { ...change, isRepeated, sent, running: isRepeated ? undefined : running };
}

/** Reads lists until the compute shows the change. */
async function checkResult(attempt: PatchAttempt): Promise<WriteResult<WriteAnswer>> {
  const { step, state, due, sent } = attempt;
  // As in `send`: what the compute was doing before the first send does not count for a later one.
  const running = attempt.isRepeated ? undefined : due.running;
  attempt.isRepeated = true;
  const isDone = (endpoint: ApiEndpoint): boolean =>
    unsettledArguments(shownBy(endpoint, attempt), due.declaration.inputs, due.changed).length === 0;
  const seen = await pollUntil(step.deadline, writeShowsAfterMs, {
    poll: () => seenIfListed(step),
    isEnough: (endpoint) => endpoint !== undefined && isDone(endpoint),
  });
  attempt.seen = seen;
  if (seen === undefined) return "cannot tell";
  if (isDone(seen))
    return {
      done: { endpoint: seen, operations: undefined, sent, running },
    };
  // Read the undeclared settings again for the next PATCH: somebody may have changed them since the first PATCH.
  attempt.undeclared &&= undeclaredSettings(seen, state);
  return "not done";
}

/** A change that was sent because the compute was idle is not sent again once the compute is in use: the next run decides. */
function isInUseByNow({ due: { running }, seen }: PatchAttempt): boolean {
  return runsNothing(running) && seen !== undefined && runningOf(seen) === "active";
}

async function unknownOutcome(attempt: PatchAttempt, error: RequestError): Promise<unknown> {
  const { state, due, sent, seen } = attempt;
  const explained = await explainRefusal(attempt, error);
  if (explained !== error) return explained;
  const last = seen === undefined ? state : shownBy(seen, attempt);
  // The PATCH may still be carried out. New settings count as managed, so that an update removes them once they are undeclared.
  const added = due.changed.includes("settings") ? managedNames(due.declaration.inputs) : [];
  const managed = [...new Set([...last.managed, ...added])];
  return new PartialFailure({ ...last, managed, operations: "unnamed", sent }, error);
}

async function explainRefusal({ step, state, due }: PatchAttempt, error: unknown): Promise<unknown> {
  const branchId = due.changed.includes("branchId") ? due.declaration.inputs.branchId : undefined;
  return (await absence(step, { error, wanted: state })) ?? moveError(step, branchId, error);
}

/** The state that a compute shows. Fields that the service does not return count as unchanged. */
function shownBy(endpoint: ApiEndpoint, { state, due }: PatchAttempt): EndpointState {
  const shown = toState(endpoint, beforeChange(state, due));
  if (!due.changed.includes("settings")) return shown;
  const settings = state.managed.filter((name) => name.startsWith(pgSettingPrefix));
  return { ...shown, managed: withoutGoneSettings(endpoint, [...shown.managed, ...settings]) };
}

/** Names of the arguments that a PATCH sends; `settings` comes with the names of the settings that differ from the state. */
function sentNames(state: EndpointState, { changed, declaration: { inputs } }: Due): readonly string[] {
  const settings = [...changedSettings(state, inputs), ...droppedSettings(state, inputs)];
  // None differs if the update only puts back what somebody else has changed.
  const names = settings.length === 0 ? "" : ` (${settings.join(", ")})`;
  return changed
    .filter((name) => !isOwn(name))
    .map((name) => (name === "settings" ? `settings.pgSettings${names}` : name));
}

/** The declaration as before the change, for fields that the service does not return: they count as unchanged. */
function beforeChange(state: EndpointState, { changed, declaration }: Due): Declaration {
  const old = Object.fromEntries(changed.map((name) => [name, state[name]]));
  const { inputs } = declaration;
  // Include the names of new settings, or `toState` would drop them.
  const names = Object.keys(inputs.settings?.pgSettings ?? {});
  const pgSettings: object = {
    ...Object.fromEntries(names.map((name) => [name, undefined] as const)),
    ...state.settings?.pgSettings,
  };
  const settings = changed.includes("settings")
    ? ({ pgSettings } as EndpointInputs["settings"])
    : inputs.settings;
  return { ...declaration, inputs: { ...inputs, ...old, settings } };
}

/**
 * The settings that exist at the service and are not declared. A service may replace all settings at once, so they are read
 * before anything is sent.
 *
 * @throws ComputeError if no list shows the compute.
 */
async function liveSettings(
  step: ComputeStep,
  state: EndpointState,
): Promise<ReturnType<typeof undeclaredSettings>> {
  const seen = await pollUntil(step.deadline, [0, ...writeShowsAfterMs], {
    poll: () => seenNow(step),
    isEnough: (endpoint) => endpoint !== undefined,
  });
  if (seen !== undefined) return undeclaredSettings(seen, state);
  const listed = await findListed(step.service, state, { doing: step.doing, call: callOptions(step) });
  if (listed.kind === "found") return undeclaredSettings(listed.endpoint, state);
  throw absenceError(step, listed);
}

/** A refused move may mean that the branch already has a primary (interface 3.1). If so, the message names that primary. */
async function moveError(step: ComputeStep, branchId: string | undefined, error: unknown): Promise<unknown> {
  if (branchId === undefined || !(error instanceof RequestError) || error.outcome !== "not done")
    return error;
  const now = await step.service
    .listComputes({ projectId: step.ref.projectId }, callOptions(step))
    .catch(() => undefined);
  const primary = now && primaryOn(branchId, now);
  if (primary === undefined || primary.id === step.ref.endpointId) return error;
  const { requestId } = error.problem;
  // The choices leave out `adopt`, since the resource already has a compute.
  return new ComputeError({
    doing: step.doing,
    what: `branch ${branchId} already has a primary (${primary.id}), and a branch can have only one`,
    requestId,
    fix: "Nothing was changed",
    choices: [
      "If another resource of this program moves that compute away: add the option dependsOn with that resource, or run `pulumi up` a second time.",
      "Otherwise: move this compute to a branch without a primary.",
    ],
    cause: error,
  });
}
