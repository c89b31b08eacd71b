/**
 * Reports the restarts that EndpointRestarts ask for: each as a restart of its compute, under its own name.
 */
import { changeIn, dropsOf, isNotice, noticeParts } from "../../provider/pure/verdict";
import type { Verdict } from "../../provider/pure/interruption";
import { readInputs } from "../../provider/pure/stored";
import { causeOf, changedTriggers } from "../../provider/pure/restartCause";
import type { PreviewStep } from "../read/preview";
import { parseUrn } from "../read/urn";
import { isMap, secret, shownValue, textOf } from "../read/values";
import { verdictOf } from "./judged";
import type { Change, ComputeReport, Outcome, Remark } from "./shape";
import { sourceOf } from "./source";

/** What the preview says of the resource besides its step. */
interface Beside {
  readonly label: string;
  readonly notice: string | null;
  readonly warnings: readonly string[];
  readonly errors: readonly string[];
}

/** A judgement of the provider, or what the two sides say where a preview has none. */
type RestartVerdict = Pick<Verdict, "effect" | "certain" | "now" | "lastAccess" | "deferred" | "unasked">;

/** @returns undefined if the step restarts nothing: it is none of a compute then. */
export function restartReport(
  step: PreviewStep,
  { label, notice, warnings, errors }: Beside,
): ComputeReport | undefined {
  const { urn, op, before, after } = step;
  const verdict = errors.length > 0 ? refused : verdictOn(step, warnings);
  if (verdict === undefined) return undefined;
  const outcome = errors.length > 0 ? "refused" : verdict.deferred === undefined ? "restart" : "deferred";
  const textIn = (name: string): string | null =>
    textOf(before?.outputs[name]) ?? textOf(after?.inputs[name]) ?? null;
  const { certain, now, lastAccess, deferred } = verdict;
  // What is not done now is named by the provider's sentence, as for any compute.
  const heldBack = changeIn(
    (outcome === "refused" ? errors[0] : outcome === "deferred" ? notice : null) ?? "",
  );
  const drops = outcome === "deferred" ? "no" : dropsOf({ effect: "restart", certain, now });
  return {
    urn,
    name: parseUrn(urn).name,
    label,
    id: textIn("endpointId"),
    projectId: textIn("projectId"),
    branchId: null,
    type: null,
    endpointId: textIn("endpointId"),
    step: op,
    outcome,
    certain,
    drops,
    ...(verdict.unasked === true && { unasked: true }),
    now: now ?? null,
    lastAccess: now === "active" ? (lastAccess ?? null) : null,
    changes: outcome === "restart" ? changesIn(step) : [],
    size: null,
    figures: [],
    deferred:
      deferred === undefined
        ? null
        : {
            effect: "restart",
            until: deferred.until ?? null,
          },
    ...(heldBack !== undefined && { heldBack }),
    clients: remarksOf(outcome, { drops, now, deferred }),
    notice,
    errors,
    drift: null,
    source: sourceOf(after),
  };
}

const refused: RestartVerdict = { effect: "restart", certain: true };

function verdictOn(step: PreviewStep, warnings: readonly string[]): RestartVerdict | undefined {
  const { op, before, after } = step;
  if (after === undefined || op === "delete") return undefined;
  const { args } = readInputs(after.inputs);
  const judged = verdictOf(step, warnings);
  if (judged !== undefined)
    return judged.effect === "none" && judged.deferred === undefined ? undefined : judged;
  const cause = causeOf(op === "update" ? before?.outputs : undefined, args);
  if (cause === undefined) return undefined;
  // The dynamic provider's check knows no state, so it says nothing of what waits since an earlier run: its row does.
  const { until: text } = noticeParts(warnings.find(isNotice) ?? "");
  const deferred = text === undefined ? undefined : ({ effect: "restart", text } as const);
  return { effect: deferred === undefined ? "restart" : "none", certain: cause.certain, deferred };
}

/** The triggers that ask for the restart, or may; of a new resource all of them. */
function changesIn({ op, before, after }: PreviewStep): readonly Change[] {
  const [old, triggers] = [
    op === "update" ? before?.outputs["triggers"] : undefined,
    after?.inputs["triggers"],
  ];
  const change = (argument: string, from: unknown, to: unknown): Change => ({
    argument,
    from: shownValue(from),
    to: shownValue(to),
    // A preview does not show whether a secret changes.
    hidden: from === secret && to === secret,
    effect: "restart",
    undoes: false,
  });
  if (!isMap(triggers)) return [change("triggers", isMap(old) ? undefined : old, triggers)];
  const earlier = isMap(old) ? old : {};
  const changed = changedTriggers(earlier, triggers);
  return Object.entries(triggers)
    .filter(([name, value]) => changed.includes(name) || value === secret)
    .map(([name, value]) => change(`triggers.${name}`, earlier[name], value));
}

function remarksOf(
  outcome: Outcome,
  { drops, now, deferred }: Pick<ComputeReport, "drops"> & Pick<RestartVerdict, "now" | "deferred">,
): readonly Remark[] {
  if (outcome === "refused") return [{ text: "the preview stopped here" }];
  if (deferred !== undefined)
    return [{ text: "restart deferred", value: deferred.text }, { text: "connections are unaffected" }];
  if (now === "idle") return [{ text: "none were open: it was idle when previewed" }];
  if (now === "disabled") return [{ text: "none were open: it was disabled" }];
  return [{ text: drops === "yes" ? "open connections drop" : "open connections may drop" }];
}
