/**
 * Judges what one step does to one compute: the engine's operation decides what happens to the resource, the
 * provider's verdict what happens to its connections. If a preview has no verdict of the provider, the provider's
 * rules are applied here.
 */
import type { PropertyValues } from "../../provider/model/stored";
import { changeOf, type FurtherEffect, type Running } from "../../provider/model/interruption";
import { dropsOf, type Verdict } from "../../provider/model/notice";
import { unknownValue } from "../../provider/model/unknown";
import type { Peer } from "../read/peerTable";
import { isReplacement, isRetained, type PreviewStep } from "../read/steps";
import { holdsSecret, isMap, secret, textOf } from "../read/values";
import { type Sides, hasFailedBefore } from "./changes";
import { outcomes, type ComputeReport, type Drift, type Outcome } from "./shape";

type StepJudgement = Pick<ComputeReport, "outcome" | "certain" | "also" | "drops" | "now">;

/** A step, and what decides its entry in the report. */
export interface JudgedStep {
  readonly step: PreviewStep;
  readonly label: string;
  readonly sides: Sides;
  readonly judgement: StepJudgement;
  /** The label of the resource that takes the compute over. */
  readonly heir: string | undefined;
  /** What a refresh found; null if nothing was changed outside. */
  readonly drift: Drift | null;
  /** The provider's messages about this resource. */
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

/** What is known of a step from outside it. */
interface BesideStep {
  readonly isRefused: boolean;
  /** True if another resource of the program adopts the compute. */
  readonly isHandedOver: boolean;
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
function partsOf({ effect, certain, also = [] }: Effected): readonly FurtherEffect[] {
  return effect === "none" || effect === "unstated" ? also : [{ effect, certain }, ...also];
}

export function judgementOf(
  step: PreviewStep,
  sides: Sides,
  { isRefused, isHandedOver, isGone, isUnjudged }: BesideStep,
): StepJudgement {
  // It only changed outside: the program does not change it.
  if (step.op === "refresh")
    return { outcome: isGone ? "gone" : "drift", certain: true, drops: "no", now: null };
  const now = verdictOfThis(step, sides)?.now;
  const judged = (outcome: Outcome, effected: Effected): StepJudgement => {
    const { effect, certain } = effected;
    const also = partsOf(effected).filter((part) => part.effect !== outcome);
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
    const isKept = isRetained(step) || isHandedOver;
    const effected = effectOfReplacement(sides);
    return judged("replace", isKept ? { ...effected, effect: "none" } : effected);
  }
  switch (step.op) {
    case "delete":
      if (isRetained(step)) return judged("release", unaffected);
      if (isHandedOver) return judged("handover", unaffected);
      // The engine decides on a deletion: it has no effect of the provider's.
      return judged("delete", { effect: "unstated", certain: true });
    case "create":
      return takenOver(sides) === undefined
        ? judged("create", unaffected)
        : // Unless the service was asked, its live values are unknown: the declared size may differ, or not.
          judged("adopt", verdictOfThis(step, sides) ?? unstated);
    case "update": {
      if (sides.hidden.verdict?.deferred !== undefined) return judged("deferred", unaffected);
      const { peer } = step;
      const effected =
        peer === undefined ? effectOfUpdate(step, sides) : effectOnPeer(sides, peer, isUnjudged);
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

/**
 * The verdict, if the service was asked about this very compute: `check` knows no id, and may have found another one.
 */
function verdictOfThis({ before }: PreviewStep, { declared, hidden }: Sides): Verdict | undefined {
  const { verdict } = hidden;
  const id = before === undefined ? takenOver({ declared, hidden }) : before.id;
  return id !== undefined && verdict?.endpointId === id ? verdict : undefined;
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
  const parts = interruption === undefined ? [] : partsOf(interruption);
  const { certain = true } = parts.find(({ effect }) => effect === "replace") ?? {};
  // If nothing is replaced after all, the other changes are applied to this compute.
  return { effect: "replace", certain, also: certain ? [] : parts };
}

function effectOfUpdate(step: PreviewStep, sides: Sides): Effected {
  const { stored = {}, declared, hidden } = sides;
  // Of a preview that has only the notice, something may drop.
  const notice = textOf(step.after?.inputs["interruption"]) === undefined ? undefined : unstated;
  const judged = hidden.verdict ?? notice;
  const ofCheck = judged?.effect === "none" ? undefined : judged;
  if (verdictOfThis(step, sides) !== undefined) return ofCheck ?? unaffected;
  // `check` compared the secret values; without its verdict, a masked value may have changed.
  const seen = unmasked(stored, declared, hidden.verdict === undefined ? unknownValue : undefined);
  const { changed, interruption } = changeOf(stored, seen);
  if (ofCheck === undefined) return interruption ?? unaffected;
  // Nothing differs from the result of the failed update: the service already has it, and the update only waits.
  if (hasFailedBefore(step) && changed.length === 0)
    return { ...ofCheck, certain: false, also: ofCheck.also?.map((part) => ({ ...part, certain: false })) };
  if (interruption === undefined) return ofCheck;
  // Only `check` compared secret values: the state may be sure of another change.
  return holdsSecret(declared)
    ? { ...interruption, also: mergedParts([...(interruption.also ?? []), ...partsOf(ofCheck)]) }
    : interruption;
}

/** Known arguments have the effects of this provider's. Their places in the service are not sent by an update. */
function effectOnPeer(
  { stored = {}, declared }: Sides,
  { saysRestarts, place }: Peer,
  isUnjudged: boolean,
): Effected {
  const sent = Object.fromEntries(Object.entries(declared).filter(([name]) => !Object.hasOwn(place, name)));
  // Where all that differs is known, a masked value is none of it.
  const { interruption } = changeOf(stored, unmasked(stored, sent, isUnjudged ? unknownValue : undefined));
  if (interruption === undefined) return isUnjudged ? unstated : unaffected;
  return saysRestarts ? interruption : { effect: interruption.effect, certain: false };
}

/** One for each effect, the most severe first: certain if one of them is. */
function mergedParts(parts: readonly FurtherEffect[]): readonly FurtherEffect[] {
  const effects = [...new Set(parts.map(({ effect }) => effect))];
  return effects
    .sort((left, right) => outcomes.indexOf(left) - outcomes.indexOf(right))
    .map((effect) => ({ effect, certain: parts.some((part) => part.effect === effect && part.certain) }));
}

/**
 * A declaration without masked values. If a value is masked on both sides, it may differ or not.
 *
 * @param instead - replaces such a value; if undefined, a value that is masked on either side is left out.
 */
function unmasked(
  stored: PropertyValues,
  declared: PropertyValues,
  instead: string | undefined,
): PropertyValues {
  const isMasked = (from: unknown, to: unknown): boolean =>
    instead === undefined ? from === secret || to === secret : from === secret && to === secret;
  const seen = (from: unknown, to: unknown): unknown => {
    if (isMasked(from, to)) return instead ?? from;
    if (!isMap(to)) return to;
    const members = Object.entries(to).map(
      ([name, value]) => [name, seen(isMap(from) ? from[name] : undefined, value)] as const,
    );
    return Object.fromEntries(members.filter(([, value]) => value !== undefined));
  };
  const entries = Object.entries(declared)
    // An argument that is left out completely is unmanaged, and not a change.
    .filter(([name, to]) => instead !== undefined || !isMasked(stored[name], to))
    .map(([name, to]) => [name, seen(stored[name], to)] as const);
  return Object.fromEntries(entries);
}
