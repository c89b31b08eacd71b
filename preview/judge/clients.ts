/**
 * What clients of a compute notice: figures that depend on its size, and remarks, which every form of the report shows
 * in the same words.
 */
import { fields, type Effect } from "../../provider/model/fields";
import { cuRange, type Figure } from "../../provider/model/sizes";
import { present, secret, readableText, runningInState } from "../read/values";
import { type StepSides, hasFailedBefore } from "./changes";
import { isRetained } from "../read/steps";
import type { JudgedStep } from "./judgement";
import type { Remark, Resize } from "../shape";

type ClientValues = Readonly<Record<string, unknown>>;

/** @param declared - a limit that is left out keeps its value; a new compute gets the service's default. */
export function resizeOf(stored: ClientValues, declared: ClientValues): Resize | null {
  const [from, to] = [sizeOf(stored), sizeOf({ ...stored, ...declared })];
  return to === null || to === from ? null : { from, to };
}

/** In CU: `1`, `0.5–2`; null if the size is not known. */
function sizeOf({ autoscalingLimitMinCu, autoscalingLimitMaxCu }: ClientValues): string | null {
  const limits = [autoscalingLimitMinCu, autoscalingLimitMaxCu];
  return limits.includes(secret) ? null : cuRange(limits) || null;
}

/** `max_connections 112 → 450`. */
function describeFigure({ name, from, to, unit }: Figure): string {
  return `${name} ${from} → ${to} ${unit}`.trimEnd();
}

export function remarksOf(judged: JudgedStep, figures: readonly Figure[]): readonly Remark[] {
  const { step, sides, judgement, drift, causes, asides } = judged;
  const isReplacingGone = drift?.gone === true && judgement.outcome !== "gone";
  const further = present([
    sides.hidden.verdict?.unasked === true && "the service could not be asked",
    ...figures.map(describeFigure),
    isReplacingGone && "the old compute was deleted outside the program",
    hasFailedBefore(step) && "this update continues an update that failed",
  ]);
  const own = remarksOfOutcome(judged);
  return [
    // What a neighbour does contradicts this remark.
    ...(causes.length === 0
      ? own
      : own.map((remark) => (remark === unaffected ? dropRemark(judged) : remark))),
    ...causes.map(({ text, resource }) => ({ text, value: resource })),
    ...asides,
    ...further.map((text) => ({ text })),
  ];
}

function remarksOfOutcome(judged: JudgedStep): readonly Remark[] {
  const { step, sides, judgement } = judged;
  const drop = dropRemark(judged);
  const host = quoted(sides.stored?.["host"]);
  const isGoing = judgement.outcome === "delete" || judgement.outcome === "replace";
  if (step.holder !== undefined && isGoing) return [drop, { text: "the hosts of all its computes go away" }];
  switch (judgement.outcome) {
    case "refused":
      return [{ text: "the preview stopped here" }];
    case "delete":
      return [drop, { text: "its host goes away", ...host }];
    case "replace":
      if (isRetained(step))
        return [{ text: "a new host; the old compute goes on running, no longer managed", ...host }];
      return judgement.certain
        ? [drop, { text: "its host goes away", ...host }, { text: "the new host is known after the update" }]
        : [drop, { text: "its host may go away", ...host }];
    case "move": {
      const serves = judgement.certain ? "then serves" : "may then serve";
      return [drop, { text: `the same host ${serves} another branch`, ...quoted(sides.declared.branchId) }];
    }
    case "suspend":
      return [drop, { text: "the compute accepts no connections while disabled" }];
    case "restart":
    case "interrupt":
      return [drop];
    case "adopt":
      return remarksOfAdoption(drop, judgement);
    case "gone":
      return [
        {
          text:
            step.holder === undefined
              ? "the compute was deleted outside the program; its host is gone"
              : "it was deleted outside the program; the hosts of its computes are gone",
          ...host,
        },
      ];
    case "drift":
      return [{ text: "the compute already has these values; the refresh interrupts nothing" }];
    case "release":
      return [{ text: "the compute goes on running, no longer managed", ...host }];
    case "create":
      return [{ text: "its host is known after the update" }];
    case "deferred":
      return [...deferralRemark(sides), unaffected];
    case "none":
      return [judgement.now === "disabled" || isDisabled(sides) ? disabled : unaffected];
  }
}

function deferralRemark({ hidden: { verdict } }: StepSides): readonly Remark[] {
  const { deferred } = verdict ?? {};
  if (deferred === undefined) return [];
  const { effect, text } = deferred;
  // A newer version of the provider may report an effect that this version does not know.
  return [{ text: `${isNamed(effect) ? effect : "interruption"} deferred`, value: text }];
}

function isNamed(effect: Effect): boolean {
  return effect !== "unstated" && Object.values(fields).some((field) => field.effect === effect);
}

const unaffected: Remark = { text: "connections are unaffected" };
const disabled: Remark = { text: "no connections were open: the compute was disabled" };

/** The remarks on an adoption, which applies the declared values to the compute. */
function remarksOfAdoption(drop: Remark, { drops, certain }: JudgedStep["judgement"]): readonly Remark[] {
  if (drops === "may" && !certain)
    return [{ text: "applying the declared values to the compute may drop open connections" }];
  return drops === "no" && drop !== idle
    ? [unaffected]
    : [{ text: "the declared values are applied to the compute" }, drop];
}

const idle: Remark = { text: "no connections were open: the compute was idle when previewed" };

function dropRemark({ judgement: { drops, now }, sides }: JudgedStep): Remark {
  if (now === "idle") return idle;
  if (now === "disabled" || (drops === "no" && isDisabled(sides))) return disabled;
  return { text: drops === "yes" ? "open connections drop" : "open connections may drop" };
}

/** Empty if the value is hidden, or known only during the update. */
function quoted(value: unknown): { readonly value?: string } {
  const text = readableText(value);
  return text === undefined ? {} : { value: text };
}

function isDisabled({ stored }: StepSides): boolean {
  return runningInState(stored) === "disabled";
}
