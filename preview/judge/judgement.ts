/**
 * Judges each step once: our own computes by the rules of `own.ts`, other providers' resources by those of
 * `peers/judgement.ts`.
 */
import { judgePeer, unknownOfPeer } from "../peers/judgement";
import type { Holder, TranslatedStep } from "../peers/peer";
import { isEndpoint } from "../read/urn";
import type { Cause, Drift, Judgement, Remark } from "../shape";
import type { StepSides } from "./changes";
import { judgeOwn, unknownOfOwn } from "./own";

/** A step, with everything that its entry in the report is made from. */
export interface JudgedStep {
  readonly step: TranslatedStep;
  readonly label: string;
  readonly sides: StepSides;
  readonly judgement: Judgement;
  /** What a refresh found; null if nothing was changed outside. */
  readonly drift: Drift | null;
  /** The provider's messages about this resource. */
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  /** What resources around the compute do to it. */
  readonly causes: readonly Cause[];
  /** What else a reader should know of this step. */
  readonly asides: readonly Remark[];
  /** Set for all computes of a place, if the preview knows none of them. */
  readonly place?: Holder;
}

/** Facts about a step that the step itself does not show. */
interface BesideStep {
  readonly isRefused: boolean;
  /** True if the compute was deleted outside the program. */
  readonly isGone: boolean;
}

/** The judgement on a compute that the program does not change. */
export const unchanged: Judgement = { outcome: "none", certain: true, drops: "no", now: null };

export function judgementOf(
  step: TranslatedStep,
  sides: StepSides,
  { isRefused, isGone }: BesideStep,
): Judgement {
  if (step.op === "same") return unchanged;
  // The compute only changed outside: the program does not change it.
  if (step.op === "refresh")
    return { outcome: isGone ? "gone" : "drift", certain: true, drops: "no", now: null };
  if (isRefused) return { outcome: "refused", certain: true, drops: "may", now: null };
  return isEndpoint(step.urn) ? judgeOwn(step, sides) : judgePeer(step, sides);
}

/**
 * The paths that have an unknown effect on computes. Empty if an effect is unknown, but no path can be named; undefined
 * if every effect of the step is known.
 */
export function unknownOf(step: TranslatedStep): readonly string[] | undefined {
  return isEndpoint(step.urn) ? unknownOfOwn(step) : unknownOfPeer(step);
}
