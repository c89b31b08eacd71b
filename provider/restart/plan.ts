/**
 * Plans a restart: whether the run starts the compute anew anyway, what the restart interrupts, and whether a policy
 * lets it happen, leaves it for later or refuses it.
 */
import type { EndpointRef } from "../api/client";
import type { ProviderConfig } from "../settings/config";
import type { Interruption, Notice, Now, Verdict } from "../pure/interruption";
import type { LiveRead, LiveReads } from "../endpoint/planning/live";
import { noticeOf } from "../pure/plan";
import { ruleOn, type Decision, type RuledChange, type Situation } from "../pure/policy";
import { asksService, nowOf } from "../endpoint/planning/running";
import { isUnknown } from "../pure/unknown";
import { runsNothing } from "../pure/verdict";
import type { PlannedRestart } from "./arguments";
import type { FreshComputes } from "./fresh";
import type { RestartState } from "./state";
import { causeOf, interruptionBy, type RestartCause } from "../pure/restartCause";

export interface PlanningServices {
  readonly config: ProviderConfig;
  readonly liveReads: Pick<LiveReads, "readLive" | "serviceNow">;
  readonly fresh: Pick<FreshComputes, "done" | "planned" | "isUnknownCreated">;
  /** Wall time of this machine in milliseconds. */
  readonly now: () => number;
}

export interface RestartRequest {
  /** The last restart, as the state or the old declaration has it. Its compute counts while the declared id is unknown. */
  readonly before: Partial<RestartState> | undefined;
  readonly inputs: PlannedRestart;
  readonly isPreview: boolean;
  /** Names of the arguments that are secret. */
  readonly secrets: readonly string[];
}

export interface RestartPlan {
  /** What the run does to the compute anyway, so that no restart is sent; undefined if a restart is to be sent. */
  readonly spared?: Spared | undefined;
  readonly notice?: Notice | undefined;
  readonly verdict: Verdict;
  readonly refusal?: Decision["refusal"] | undefined;
  /** Whether the service knows the project, and no such compute in it. */
  readonly isMissing?: boolean;
}

export interface Spared {
  /** Why no restart is sent, for the row. */
  readonly text: string;
  /** True if the run has done it already: then the step itself says so. */
  readonly isDone: boolean;
}

/** @returns undefined if no restart is due. */
export async function planRestart(
  request: RestartRequest,
  services: PlanningServices,
): Promise<RestartPlan | undefined> {
  const { before, inputs } = request;
  const cause = causeOf(before, inputs);
  if (cause === undefined) return undefined;
  const ref = refOf(request);
  const place = placeIn(request, ref);
  const spared = sparedBy(ref, services);
  if (spared !== undefined) return { spared, verdict: { effect: "none", certain: true, ...place } };
  const read = ref && (await readNow(ref, request, services));
  const now = read?.kind === "found" ? nowOf(read.endpoint, services.liveReads.serviceNow()) : undefined;
  const interruption = ref === undefined ? mayBeNew(cause) : whileIdle(interruptionBy(cause), now);
  const facts = { ...place, now: now?.running, lastAccess: now?.lastAccess, unasked: isUnasked(read) };
  // Of a compute that may be one of this run's own nothing can be held back: the update knows it, and decides.
  const decision =
    ref === undefined
      ? {}
      : decideOnRestart({ inputs, interruption, now }, { config: services.config, nowMs: services.now() });
  const { deferral, refusal } = decision;
  return {
    notice: noticeOf({ interruption, now }, decision),
    verdict: {
      effect: deferral === undefined ? "restart" : "none",
      certain: deferral !== undefined || interruption.certain,
      ...facts,
      deferred: deferral?.verdict,
    },
    refusal,
    isMissing: read?.kind === "missing",
  };
}

/** What the policy decides about a restart: all of it can wait, as `triggers`. */
export function decideOnRestart(restart: RuledChange, situation: Situation): Decision {
  return ruleOn(restart, { ...situation, names: ["triggers"] });
}

/** The compute, if its id and its project are known. */
function refOf({ inputs: { projectId, endpointId }, before }: RestartRequest): EndpointRef | undefined {
  const id = isUnknown(endpointId) ? before?.endpointId : endpointId;
  return isUnknown(projectId) || id === undefined ? undefined : { projectId, endpointId: id };
}

function placeIn(
  { secrets }: RestartRequest,
  ref: EndpointRef | undefined,
): Pick<Verdict, "projectId" | "endpointId"> {
  return {
    projectId: secrets.includes("projectId") ? undefined : ref?.projectId,
    endpointId: ref?.endpointId,
  };
}

export const sparedTexts = {
  created: "Not restarted: its compute is created in this run.",
  restarted: "Not restarted a second time: another change of this run interrupts its compute.",
} as const;

function sparedBy(ref: EndpointRef | undefined, { fresh }: PlanningServices): Spared | undefined {
  if (ref === undefined)
    return fresh.isUnknownCreated() ? { text: sparedTexts.created, isDone: false } : undefined;
  const done = fresh.done(ref);
  const how = done ?? fresh.planned(ref);
  return how && { text: sparedTexts[how], isDone: done !== undefined };
}

function mayBeNew(cause: RestartCause): Interruption {
  const { text, ...interruption } = interruptionBy({ ...cause, certain: false });
  return { ...interruption, text: `${text}; a compute that this run creates is not restarted` };
}

/** An update starts no compute that it finds idle; it may be active by then. */
function whileIdle(interruption: Interruption, now: Now | undefined): Interruption {
  return runsNothing(now?.running) ? { ...interruption, certain: false } : interruption;
}

async function readNow(
  ref: EndpointRef,
  request: RestartRequest,
  { config, liveReads }: PlanningServices,
): Promise<LiveRead | undefined> {
  return asksService(request, config) ? liveReads.readLive(ref) : undefined;
}

function isUnasked(read: LiveRead | undefined): true | undefined {
  return read?.kind === "unanswered" ? true : undefined;
}
