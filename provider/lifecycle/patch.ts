/**
 * Sends the PATCH of a change. If no answer comes, the compute is checked before the PATCH is sent again.
 */
import type { ApiEndpoint, EndpointBody } from "../service/schemas";
import { pollUntil } from "../clock";
import { ComputeError, RequestError } from "../model/errors";
import type { EndpointInputs } from "../model/inputs";
import { runsNothing } from "../model/interruption";
import { writeShowsAfterMs } from "../model/timing";
import { runningOf } from "../service/running";
import { writeOnce, type WriteResult } from "../service/writeOnce";
import { absence, absenceError, findListed, hasPrimary, seenNow, seenIfListed } from "./find";
import { primaryOn } from "../service/lists";
import type { SentChange } from "./sent";
import type { WriteAnswer } from "./settle";
import { pgSettingsOf, withoutPrefix } from "../model/changes";
import { hiddenValue, planSettings, type SettingsPlan } from "../model/settingsOnWire";
import {
  PartialFailure,
  withoutGoneSettings,
  toState,
  toUpdateBody,
  unsettledArguments,
  type EndpointState,
} from "../model/state";
import { callOptions, writeOptions, type ComputeStep, type Declaration } from "./step";

/** A PATCH under way. */
interface PatchAttempt {
  readonly step: ComputeStep;
  readonly sent: SentChange;
  /** What the sends so far do to the settings; undefined if the PATCH sends none. */
  plan: SettingsPlan | undefined;
  /** Whether an earlier send may have been carried out as well. */
  isRepeated: boolean;
  /** The compute in the latest list that was read since the first send. */
  seen: ApiEndpoint | undefined;
}

export async function patch(step: ComputeStep, sent: SentChange): Promise<WriteAnswer> {
  const attempt: PatchAttempt = { step, sent, plan: undefined, isRepeated: false, seen: undefined };
  const answer = await writeOnce<WriteAnswer>({
    deadline: step.deadline,
    send: () => send(attempt),
    checkResult: () => checkResult(attempt),
    // If the second PATCH is refused, the first one may be the reason.
    isUncertain: (error) => error.outcome === "unknown" || attempt.isRepeated,
    mayRepeat: (error) => error.outcome === "unknown" && !isInUseByNow(attempt),
    unknownOutcome: (error) => unknownOutcome(attempt, error),
    refusal: (error) => explainRefusal(attempt, error),
  });
  for (const name of attempt.plan?.kept ?? []) await step.resource.row.say("warning", keptText(name));
  return { ...answer, settings: attempt.plan };
}

async function send(attempt: PatchAttempt): Promise<WriteAnswer> {
  const { step, sent } = attempt;
  const { known, changed, declaration } = sent;
  const isTaken = async (): Promise<boolean> =>
    changed.includes("branchId") && hasPrimary(step, { ...declaration.inputs, type: known.type }, step.ref);
  const call = { ...writeOptions(step, isTaken), onDoubt: () => (attempt.isRepeated = true) };
  const change = await step.service.api.updateEndpoint(step.ref, () => bodyOf(attempt), call);
  return { ...change, isRepeated: attempt.isRepeated };
}

/**
 * The body, made anew before each send. A service may replace all settings at once, so the PATCH also sends those that are somebody
 * else's: as they are at that moment, and not as they were before a wait for a lock or for the rate limit.
 */
async function bodyOf(attempt: PatchAttempt): Promise<EndpointBody> {
  const { step, sent, plan } = attempt;
  const { changed, declaration, known } = sent;
  const { inputs } = declaration;
  if (changed.includes("settings")) {
    const { ignores } = step.resource;
    const next = planSettings(await liveCompute(step, known), inputs, { ...known, ignores });
    // An earlier send may have been carried out.
    const either = (name: "ours" | "removed"): readonly string[] => [
      ...new Set([...(plan?.[name] ?? []), ...next[name]]),
    ];
    attempt.plan = { ...next, ours: either("ours"), removed: either("removed") };
  }
  return toUpdateBody(inputs, changed, attempt.plan);
}

/** Reads lists until the compute shows the change. */
async function checkResult(attempt: PatchAttempt): Promise<WriteResult<WriteAnswer>> {
  const { step, sent, isRepeated } = attempt;
  attempt.isRepeated = true;
  const how = { sent: sent.changed, ignores: step.resource.ignores };
  const isDone = (endpoint: ApiEndpoint): boolean =>
    unsettledArguments(shownBy(endpoint, sent), sent.declaration.inputs, how).length === 0;
  const seen = await pollUntil(step.deadline, writeShowsAfterMs, {
    poll: () => seenIfListed(step),
    isEnough: (endpoint) => endpoint !== undefined && isDone(endpoint),
  });
  attempt.seen = seen;
  if (seen === undefined) return "cannot tell";
  return isDone(seen) ? { done: { endpoint: seen, operations: undefined, isRepeated } } : "not done";
}

/** A change that was sent because the compute was idle is not sent again once the compute is in use: the next run decides. */
function isInUseByNow({ sent: { running }, seen }: PatchAttempt): boolean {
  return runsNothing(running) && seen !== undefined && runningOf(seen) === "active";
}

async function unknownOutcome(attempt: PatchAttempt, error: RequestError): Promise<unknown> {
  const { sent, seen } = attempt;
  const { known, names } = sent;
  const explained = await explainRefusal(attempt, error);
  if (explained !== error) return explained;
  const last = seen === undefined ? known : shownBy(seen, sent);
  const unconfirmed = { ...known.unconfirmed, ...unconfirmedOf(attempt) };
  return new PartialFailure({ ...last, unconfirmed, operations: "unnamed", sent: names }, error);
}

/** The PATCH may still be carried out, and somebody else may set the same settings: their values tell whose they are. */
function unconfirmedOf({
  step,
  sent: { known, declaration },
  plan,
}: PatchAttempt): NonNullable<EndpointState["unconfirmed"]> {
  const values = pgSettingsOf(declaration.inputs) ?? {};
  const isSecret = step.resource.secrets.includes("settings");
  const names = (plan?.ours ?? []).filter((name) => !known.managed.includes(name)).map(withoutPrefix);
  return Object.fromEntries(names.map((name) => [name, isSecret ? hiddenValue : values[name]]));
}

async function explainRefusal({ step, sent }: PatchAttempt, error: unknown): Promise<unknown> {
  const { changed, declaration, known } = sent;
  const branchId = changed.includes("branchId") ? declaration.inputs.branchId : undefined;
  return (await absence(step, { error, wanted: known })) ?? moveError(step, branchId, error);
}

/** The state that a compute shows. Fields that the service does not return count as unchanged. */
function shownBy(endpoint: ApiEndpoint, sent: SentChange): EndpointState {
  const shown = toState(endpoint, beforeChange(sent));
  return sent.changed.includes("settings")
    ? { ...shown, managed: withoutGoneSettings(endpoint, shown.managed) }
    : shown;
}

/** What to say about a setting that is no longer declared, if nobody knows whose it is. */
function keptText(name: string): string {
  return `The service has the setting ${name}, which a change without an answer may have set. Its value is not that change's, so it stays: somebody else may need it. If nobody does, remove it at the service.`;
}

/** The declaration as before the change, for fields that the service does not return: they count as unchanged. */
function beforeChange({ known, changed, declaration }: SentChange): Declaration {
  const old = Object.fromEntries(changed.map((name) => [name, known[name]]));
  const { inputs } = declaration;
  // Include the names of new settings, or `toState` would drop them.
  const names = Object.keys(inputs.settings?.pgSettings ?? {});
  const pgSettings: object = {
    ...Object.fromEntries(names.map((name) => [name, undefined] as const)),
    ...known.settings?.pgSettings,
  };
  const settings = changed.includes("settings")
    ? ({ pgSettings } as EndpointInputs["settings"])
    : inputs.settings;
  return { ...declaration, inputs: { ...inputs, ...old, settings } };
}

/**
 * The compute as it is now.
 *
 * @throws ComputeError if no list shows it: its settings are never guessed.
 */
async function liveCompute(step: ComputeStep, state: EndpointState): Promise<ApiEndpoint> {
  const seen = await pollUntil(step.deadline, [0, ...writeShowsAfterMs], {
    poll: () => seenNow(step),
    isEnough: (endpoint) => endpoint !== undefined,
  });
  if (seen !== undefined) return seen;
  const listed = await findListed(step.service, state, { doing: step.doing, call: callOptions(step) });
  if (listed.kind === "found") return listed.endpoint;
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
