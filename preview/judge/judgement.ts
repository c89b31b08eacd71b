/**
 * Judges each step once: a compute of ours by the rules of `own.ts`, what another provider declares by those of
 * `peers/judgement.ts`.
 */
import { judgePeer, unknownOfPeer } from "../peers/judgement";
import type { TranslatedStep } from "../peers/peer";
import { isEndpoint } from "../read/urn";
import type { Drift, Judgement } from "../shape";
import type { StepSides } from "./changes";
import { judgeOwn, unknownOfOwn } from "./own";

/** A step, and what decides its entry in the report. */
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
}

/** What is known of a step from outside it. */
interface BesideStep {
  readonly isRefused: boolean;
  /** True if it was deleted outside the program. */
  readonly isGone: boolean;
}

export function judgementOf(
  step: TranslatedStep,
  sides: StepSides,
  { isRefused, isGone }: BesideStep,
): Judgement {
  // It only changed outside: the program does not change it.
  if (step.op === "refresh")
    return { outcome: isGone ? "gone" : "drift", certain: true, drops: "no", now: null };
  if (isRefused) return { outcome: "refused", certain: true, drops: "may", now: null };
  return isEndpoint(step.urn) ? judgeOwn(step, sides) : judgePeer(step, sides);
}

/** What of a step nobody here knows, as far as it has names; undefined if all that it does to computes is known. */
export function unknownOf(step: TranslatedStep): readonly string[] | undefined {
  return isEndpoint(step.urn) ? unknownOfOwn(step) : unknownOfPeer(step);
}
