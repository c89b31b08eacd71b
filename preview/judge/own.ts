/**
 * Judges what a step does to one of our computes. The engine's operation decides what happens to the resource. The
 * provider's verdict decides what happens to its connections. If a preview has no verdict, the provider's rules are
 * applied here.
 */
import { argumentNames, effectOf } from "../../provider/model/fields";
import { dropsOf, verdictOnRow, type Verdict } from "../../provider/model/notice";
import { readInputs, verdictInReasons } from "../../provider/model/stored";
import { holdsUnknown, unknownValue } from "../../provider/model/unknown";
import { interruptionBetween, openReplacement, partsOf } from "../read/masks";
import { isKnownOperation, isReplacement, isRetained, type PreviewStep } from "../read/steps";
import { holdsSecret, readableText, runningInState } from "../read/values";
import { outcomes, type Judgement, type Outcome } from "../shape";
import type { StepSides } from "./changes";

/** The effect on the connections of a compute. */
type Effected = Pick<Verdict, "effect" | "certain" | "also">;

const unaffected: Effected = { effect: "none", certain: true };
const unstated: Effected = { effect: "unstated", certain: false };

export function judgeOwn(step: PreviewStep, sides: StepSides): Judgement {
  const { verdict } = sides.hidden;
  const now = verdict?.now;
  const judged = (outcome: Outcome, effected: Effected): Judgement => {
    const { effect, certain } = effected;
    const also = partsOf(effected).filter((part) => part.effect !== outcome);
    return {
      outcome,
      certain,
      ...(also.length === 0 || effect === "none" ? {} : { also }),
      drops: dropsOf({
        effect,
        certain: certain || also.some((part) => part.certain),
        // A verdict says what the service was asked: if it was not asked, somebody may have enabled the compute.
        now: verdict === undefined ? runningInState(sides.stored) : now,
      }),
      now: now ?? null,
    };
  };
  if (isReplacement(step)) {
    const effected = effectOfReplacement(sides);
    return judged("replace", isRetained(step) ? { ...effected, effect: "none" } : effected);
  }
  switch (step.op) {
    case "delete":
      if (isRetained(step)) return judged("release", unaffected);
      // The engine decides on deletions, so the provider states no effect for them.
      return judged("delete", { effect: "unstated", certain: true });
    case "create":
      return takenOver(sides) === undefined
        ? judged("create", unaffected)
        : // Without a verdict, the service was not asked: the compute's live values may differ from the declared ones.
          judged("adopt", verdict ?? unstated);
    case "update": {
      if (verdict?.deferred !== undefined) return judged("deferred", unaffected);
      const effected = verdict ?? (isUnjudgedOwn(step) ? unstated : effectBetween(step, sides));
      // `interrupt` stands for `unstated`, and for the effects of newer versions.
      return judged(outcomes.find((outcome) => outcome === effected.effect) ?? "interrupt", effected);
    }
    case "import":
    case "remove-pending-replace":
      return judged("none", unaffected);
    default:
      return judged("interrupt", unstated);
  }
}

/** The compute that a create takes over: the one to adopt, or one that an earlier run created. */
export function takenOver({ declared, hidden }: Pick<StepSides, "declared" | "hidden">): unknown {
  return declared.adopt ?? hidden.verdict?.endpointId;
}

/** A planned replacement may still turn into an update, if its only reason is an unknown value. */
function effectOfReplacement({ stored = {}, declared }: StepSides): Effected {
  const instead = openReplacement(stored, declared);
  return { effect: "replace", certain: instead === undefined, also: instead };
}

/**
 * The effect of an update for which the preview has no verdict: the update interrupts nothing, or a filter removed the
 * verdict. The provider's rules are applied here. A masked value may have changed, unless the preview shows that the
 * provider has compared the real values. If the other values show no interruption, the dynamic provider's line
 * `interruption` says what the masked values do.
 */
function effectBetween({ after }: PreviewStep, { stored = {}, declared, hidden }: StepSides): Effected {
  const isAsked = hidden.service !== undefined;
  const interruption = interruptionBetween(stored, declared, isAsked ? undefined : unknownValue);
  if (interruption !== undefined) return interruption;
  const sentence = readableText(after?.inputs["interruption"]);
  if (sentence === undefined || (isAsked && !holdsSecret(declared))) return unaffected;
  return verdictOnRow(sentence) ?? unstated;
}

/**
 * Undefined if the effect is known. Otherwise the arguments that hide it: none for an unknown operation, or for missing values.
 */
export function unknownOfOwn(step: PreviewStep): readonly string[] | undefined {
  if (isUnjudgedOwn(step)) return [];
  const hidden = hiddenArguments(step);
  return hidden.length === 0 ? undefined : hidden;
}

/**
 * The arguments of an update that interrupt for certain if they change, and of which nobody knows whether they do: the value of
 * one side is masked, or the earlier one unknown, and the provider has not compared them.
 */
function hiddenArguments({ op, before, after, reasons = [] }: PreviewStep): readonly string[] {
  if (op !== "update" || verdictInReasons(reasons) !== undefined) return [];
  const { args, hidden } = readInputs(after?.inputs ?? {});
  const { outputs = {} } = before ?? {};
  return argumentNames.filter((name) => {
    const isIdle = ["none", "unstated"].includes(effectOf(name)) || args[name] === undefined;
    if (isIdle || hidden.service !== undefined) return false;
    return holdsUnknown(outputs[name]) || [outputs[name], args[name]].some(holdsSecret);
  });
}

function isUnjudgedOwn(step: PreviewStep): boolean {
  return !isKnownOperation(step) || isCutDown(step);
}

/**
 * True if a filter removed the values of one side, so that nothing can be compared, and the preview has no verdict either. A
 * create has one side: without it, nobody knows whether it takes over a compute.
 */
function isCutDown({ op, before, after, reasons = [] }: PreviewStep): boolean {
  const needed: Readonly<Record<string, readonly (object | undefined)[]>> = {
    create: [after?.inputs],
    update: [before?.outputs, after?.inputs],
  };
  const isCut = (needed[op] ?? []).some((values) => Object.keys(values ?? {}).length === 0);
  return isCut && verdictInReasons(reasons) === undefined;
}
