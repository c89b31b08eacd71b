/**
 * Plans a restart: whether the run starts the compute anew anyway, what the restart interrupts, and whether a policy
 * lets it happen, leaves it for later or refuses it.
 */
import type { EndpointRef } from "../api/client";
import type { ProviderConfig } from "../settings/config";
import type { Interruption, Notice, Now, Verdict } from "../pure/interruption";
import type { LiveRead, LiveReads } from "../endpoint/planning/live";
import { ruleOn, type Ruling } from "../pure/policy";
import { asksService, nowOf } from "../endpoint/planning/running";
import { isUnknown } from "../pure/unknown";
import { runsNothing } from "../pure/verdict";
import type { PlannedRestart } from "./arguments";
import type { FreshComputes } from "./fresh";
import { interruptionBy, type RestartCause } from "../pure/restartCause";

export interface PlanningServices {
  readonly config: ProviderConfig;
  readonly liveReads: Pick<LiveReads, "readLive" | "serviceNow">;
  readonly fresh: Pick<FreshComputes, "done" | "planned" | "isUnknownCreated">;
  /** Wall time of this machine in milliseconds. */
  readonly now: () => number;
}

export interface RestartRequest {
  readonly cause: RestartCause;
  readonly inputs: PlannedRestart;
  /** The compute of the state, where the declared id is not known yet. */
  readonly formerId?: string | undefined;
  readonly isPreview: boolean;
  /** Names of the arguments that are secret. */
  readonly secrets: readonly string[];
}

export interface RestartPlan {
  /** What the run does to the compute anyway, so that no restart is sent; undefined if a restart is to be sent. */
  readonly spared?: Spared | undefined;
  readonly notice?: Notice | undefined;
  readonly verdict: Verdict;
  readonly refusal?: Extract<Ruling, { kind: "refused" }>["refusal"] | undefined;
  /** Whether the service knows the project, and no such compute in it. */
  readonly isMissing?: boolean;
}

export interface Spared {
  /** Why no restart is sent, for the row. */
  readonly text: string;
  /** True if the run has done it already: then the step itself says so. */
  readonly isDone: boolean;
}

export async function planRestart(request: RestartRequest, services: PlanningServices): Promise<RestartPlan> {
  const { cause, inputs } = request;
  const ref = refOf(request);
  const place = placeIn(request, ref);
  const spared = sparedBy(ref, services);
  if (spared !== undefined) return { spared, verdict: { effect: "none", certain: true, ...place } };
  const read = ref && (await readNow(ref, request, services));
  const now = read?.kind === "found" ? nowOf(read.endpoint, services.liveReads.serviceNow()) : undefined;
  const interruption = ref === undefined ? mayBeNew(cause) : whileIdle(interruptionBy(cause), now);
  const facts = { ...place, now: now?.running, lastAccess: now?.lastAccess, unasked: isUnasked(read) };
  const applied = {
    notice: { property: "interruption", ...interruption, now },
    verdict: { effect: "restart", certain: interruption.certain, ...facts },
    isMissing: read?.kind === "missing",
  } as const;
  // Of a compute that may be one of this run's own nothing can be held back: the update knows it, and decides.
  if (ref === undefined) return applied;
  const ruling = ruleOn({ inputs, interruption, now }, { config: services.config, nowMs: services.now() });
  switch (ruling.kind) {
    case "applied": {
      const { notice } = applied;
      const proviso = ruling.proviso === undefined ? "" : `; ${ruling.proviso}`;
      return { ...applied, notice: { ...notice, text: `${notice.text}${proviso}` } };
    }
    case "refused":
      return { ...applied, refusal: ruling.refusal };
    case "waits":
      return {
        ...applied,
        notice: waitingNotice(ruling, interruption, now),
        verdict: {
          effect: "none",
          certain: true,
          ...facts,
          deferred: { effect: "restart", ...ruling.until },
        },
      };
  }
}

export function waitingNotice(
  { until }: Extract<Ruling, { kind: "waits" }>,
  interruption: Interruption,
  now: Now | undefined,
): Notice {
  return { property: "deferred", text: `${until.text}: ${interruption.text}`, now };
}

/** The compute, if its id and its project are known. */
function refOf({ inputs: { projectId, endpointId }, formerId }: RestartRequest): EndpointRef | undefined {
  const id = isUnknown(endpointId) ? formerId : endpointId;
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
