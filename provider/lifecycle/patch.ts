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
import { writeOnce } from "../service/writeOnce";
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

export async function patch(step: ComputeStep, state: EndpointState, due: Due): Promise<WriteAnswer> {
  const { changed, declaration, running } = due;
  const { inputs } = declaration;
  const before = beforeChange(state, due);
  const sent = sentNames(state, due);
  const undeclared = changed.includes("settings") ? await liveSettings(step, state) : undefined;
  let body = toUpdateBody(inputs, changed, undeclared);
  const shownBy = (endpoint: ApiEndpoint): EndpointState => {
    const shown = toState(endpoint, before);
    if (!changed.includes("settings")) return shown;
    const settings = state.managed.filter((name) => name.startsWith(pgSettingPrefix));
    return { ...shown, managed: withoutGoneSettings(endpoint, [...shown.managed, ...settings]) };
  };
  let seen: ApiEndpoint | undefined;
  let isRepeated = false;
  const refusal = async (error: unknown): Promise<unknown> => {
    const branchId = changed.includes("branchId") ? inputs.branchId : undefined;
    return (await absence(step, { error, wanted: state })) ?? moveError(step, branchId, error);
  };
  const isTaken = async (): Promise<boolean> =>
    changed.includes("branchId") && hasPrimary(step, { ...inputs, type: state.type }, step.ref);
  return writeOnce<WriteAnswer>({
    deadline: step.deadline,
    send: async () => {
      const call = { ...writeOptions(step, isTaken), onDoubt: () => (isRepeated = true) };
      const change = await step.service.api.updateEndpoint(step.ref, body, call);
      return { ...change, isRepeated, sent, running: isRepeated ? undefined : running };
    },
    checkResult: async () => {
      isRepeated = true;
      const isDone = (endpoint: ApiEndpoint): boolean =>
        unsettledArguments(shownBy(endpoint), inputs).length === 0;
      seen = await pollUntil(step.deadline, writeShowsAfterMs, {
        poll: () => seenIfListed(step),
        isEnough: (endpoint) => endpoint !== undefined && isDone(endpoint),
      });
      if (seen !== undefined && isDone(seen))
        return { done: { endpoint: seen, operations: undefined, sent, running } };
      // Somebody may have set a setting since the first PATCH.
      if (seen !== undefined) body = toUpdateBody(inputs, changed, undeclaredSettings(seen, state));
      return seen === undefined ? "cannot tell" : "not done";
    },
    // If the second PATCH is refused, the first one may be the reason.
    isUncertain: (error) => error.outcome === "unknown" || isRepeated,
    // What was sent because the compute ran nothing is not sent again once somebody uses it: the next run decides anew.
    mayRepeat: (error) =>
      error.outcome === "unknown" && !(runsNothing(running) && seen && runningOf(seen) === "active"),
    unknownOutcome: async (error) => {
      const explained = await refusal(error);
      if (explained !== error) return explained;
      const last = seen === undefined ? state : shownBy(seen);
      // Who takes a new setting back has it removed: the PATCH may still be carried out.
      const managed = changed.includes("settings")
        ? [...last.managed, ...managedNames(inputs)]
        : last.managed;
      return new PartialFailure(
        { ...last, managed: [...new Set(managed)], operations: "unnamed", sent },
        error,
      );
    },
    refusal,
  });
}

/** The arguments that a PATCH sends; of settings, which ones. */
function sentNames(state: EndpointState, { changed, declaration: { inputs } }: Due): readonly string[] {
  const settings = [...changedSettings(state, inputs), ...droppedSettings(state, inputs)];
  return changed
    .filter((name) => !isOwn(name))
    .map((name) => (name === "settings" ? `settings.pgSettings (${settings.join(", ")})` : name));
}

/** The declaration without a change. Fields that the service does not return count as unchanged. */
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
 * The settings that were not declared. A service may replace all settings at once, so nothing is sent before they
 * were read.
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

/** A refused move may mean that the branch already has its primary (interface 3.1): then the message names it. */
async function moveError(step: ComputeStep, branchId: string | undefined, error: unknown): Promise<unknown> {
  if (branchId === undefined || !(error instanceof RequestError) || error.outcome !== "not done")
    return error;
  const now = await step.service
    .listComputes({ projectId: step.ref.projectId }, callOptions(step))
    .catch(() => undefined);
  const primary = now && primaryOn(branchId, now);
  if (primary === undefined || primary.id === step.ref.endpointId) return error;
  const { requestId } = error.problem;
  // `adopt` would have no effect: the resource has its compute.
  return new ComputeError({
    doing: step.doing,
    what: `branch ${branchId} already has a primary (${primary.id}), and a branch can have only one`,
    requestId,
    fix: "Nothing was changed",
    choices: [
      "If another resource of this program moves that compute away: add the option dependsOn with that resource, or run `pulumi up` a second time.",
      "Otherwise: move this one to a branch without a primary.",
    ],
    cause: error,
  });
}
