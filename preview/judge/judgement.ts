/**
 * Judges what one step does to one compute: the engine's operation decides what happens to the resource, the
 * provider's verdict what happens to its connections. If a preview has no verdict of the provider, the provider's
 * rules are applied here.
 */
import { changeOf, type FurtherEffect, type Running } from "../../provider/model/interruption";
import { dropsOf, verdictOnRow, type Verdict } from "../../provider/model/notice";
import { unknownValue } from "../../provider/model/unknown";
import { effectOnPeer } from "../peers/effect";
import { isReplacement, isRetained, type PreviewStep } from "../read/steps";
import { interruptionBetween } from "../read/masks";
import { holdsSecret, readableText } from "../read/values";
import type { Sides } from "./changes";
import { outcomes, type ComputeReport, type Drift, type Outcome } from "./shape";

type StepJudgement = Pick<ComputeReport, "outcome" | "certain" | "also" | "drops" | "now">;

/** A step, and what decides its entry in the report. */
export interface JudgedStep {
  readonly step: PreviewStep;
  readonly label: string;
  readonly sides: Sides;
  readonly judgement: StepJudgement;
  /** What a refresh found; null if nothing was changed outside. */
  readonly drift: Drift | null;
  /** The provider's messages about this resource. */
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

/** What is known of a step from outside it. */
interface BesideStep {
  readonly isRefused: boolean;
  /** True if it was deleted outside the program. */
  readonly isGone: boolean;
  /** True if not all of it is known. */
  readonly isUnjudged: boolean;
}

/** The effect on the connections of a compute. */
type Effected = Pick<Verdict, "effect" | "certain" | "also">;

const unaffected: Effected = { effect: "none", certain: true };
const unstated: Effected = { effect: "unstated", certain: false };

/** What any part of a change does, as far as it is known. */
function allEffects({ effect, certain, also = [] }: Effected): readonly FurtherEffect[] {
  return effect === "none" || effect === "unstated" ? also : [{ effect, certain }, ...also];
}

export function judgementOf(
  step: PreviewStep,
  sides: Sides,
  { isRefused, isGone, isUnjudged }: BesideStep,
): StepJudgement {
  // It only changed outside: the program does not change it.
  if (step.op === "refresh")
    return { outcome: isGone ? "gone" : "drift", certain: true, drops: "no", now: null };
  const { verdict } = sides.hidden;
  const now = verdict?.now;
  const judged = (outcome: Outcome, effected: Effected): StepJudgement => {
    const { effect, certain } = effected;
    const also = allEffects(effected).filter((part) => part.effect !== outcome);
    return {
      outcome,
      certain,
      ...(also.length === 0 || effect === "none" ? {} : { also }),
      drops: dropsOf({
        effect,
        certain: certain || also.some((part) => part.certain),
        now: now ?? storedNow(sides),
      }),
      now: now ?? null,
    };
  };
  if (isRefused) return { outcome: "refused", certain: true, drops: "may", now: null };
  if (isReplacement(step)) {
    const effected = effectOfReplacement(sides);
    return judged("replace", isRetained(step) ? { ...effected, effect: "none" } : effected);
  }
  switch (step.op) {
    case "delete":
      if (isRetained(step)) return judged("release", unaffected);
      // The engine decides on a deletion: it has no effect of the provider's.
      return judged("delete", { effect: "unstated", certain: true });
    case "create":
      return takenOver(sides) === undefined
        ? judged("create", unaffected)
        : // Unless the service was asked, its live values are unknown: the declared size may differ, or not.
          judged("adopt", verdict ?? unstated);
    case "update": {
      if (verdict?.deferred !== undefined) return judged("deferred", unaffected);
      const { peer } = step;
      const own = verdict ?? (isUnjudged ? unstated : effectBetween(step, sides));
      const effected = peer === undefined ? own : effectOnPeer(sides, peer, isUnjudged);
      // `unstated`, and effects of newer versions.
      return judged(outcomes.find((outcome) => outcome === effected.effect) ?? "interrupt", effected);
    }
    case "takeover":
      return judged("adopt", unstated);
    case "import":
    case "remove-pending-replace":
      return judged("none", unaffected);
    default:
      return judged("interrupt", unstated);
  }
}

/** The compute that a create takes over: the one to adopt, or one that an earlier run created. */
export function takenOver({ declared, hidden }: Pick<Sides, "declared" | "hidden">): unknown {
  return declared.adopt ?? hidden.verdict?.endpointId;
}

/** What the state says, if the service was not asked. */
function storedNow({ stored }: Sides): Running | undefined {
  return stored?.["disabled"] === true ? "disabled" : undefined;
}

/** The engine has decided on the replacement; only whether an unknown value differs may still be open. */
function effectOfReplacement({ stored = {}, declared }: Sides): Effected {
  const { interruption } = changeOf(stored, declared);
  const parts = interruption === undefined ? [] : allEffects(interruption);
  const { certain = true } = parts.find(({ effect }) => effect === "replace") ?? {};
  // If nothing is replaced after all, the other changes are applied to this compute.
  return { effect: "replace", certain, also: certain ? [] : parts };
}

/**
 * The effect of an update of which the preview has no judgement: one that interrupts nothing, or one of a preview that was
 * cut down, to which the provider's rules are applied here. Of masked values, the dynamic provider has said on the row what
 * they interrupt; where nothing says that it was asked, they may differ.
 */
function effectBetween({ after }: PreviewStep, { stored = {}, declared, hidden }: Sides): Effected {
  const isAsked = hidden.service !== undefined;
  const interruption = interruptionBetween(stored, declared, isAsked ? undefined : unknownValue);
  if (interruption !== undefined) return interruption;
  const sentence = readableText(after?.inputs["interruption"]);
  if (sentence === undefined || (isAsked && !holdsSecret(declared))) return unaffected;
  return verdictOnRow(sentence) ?? unstated;
}
