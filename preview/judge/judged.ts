/**
 * Finds the provider's judgement of a step. The plugin's comes with the diff. The dynamic provider's was written by the
 * check: a policy pack may have changed the inputs since, and then the row, which comes from the diff, says another thing.
 */
import { changeOf } from "../../provider/pure/plan";
import { isNotice, noticeParts } from "../../provider/pure/verdict";
import type { Verdict } from "../../provider/pure/interruption";
import { readInputs, readStored, verdictIn, verdictInReasons } from "../../provider/pure/stored";
import type { PreviewStep } from "../read/preview";
import { isEndpoint } from "../read/urn";
import { textOf } from "../read/values";

/** @param warnings - what the preview says on the resource's row. */
export function verdictOf(step: PreviewStep, warnings: readonly string[]): Verdict | undefined {
  const ofCheck = verdictIn(step.after?.inputs ?? {});
  if (ofCheck === undefined) return verdictInReasons(step.reasons ?? []);
  return isRemedied(step, warnings) ? ofRow(ofCheck, warnings) : ofCheck;
}

/** The sentence that the check wrote into the inputs. */
export function propertyIn(inputs: Readonly<Record<string, unknown>>): string | undefined {
  const deferred = textOf(inputs["deferred"]);
  return textOf(inputs["interruption"]) ?? (deferred && `deferred ${deferred}`);
}

/** Whether the row says something else of an update than the check: nothing, where the two sides show no interruption. */
export function isRemedied(step: PreviewStep, warnings: readonly string[]): boolean {
  const { op, before, after } = step;
  const property = propertyIn(after?.inputs ?? {});
  if (op !== "update" || before === undefined || after === undefined || property === undefined) return false;
  const said = warnings.find(isNotice);
  if (said !== undefined) return withoutFacts(said) !== property && !property.includes("(secret)");
  if (hasFailedBefore(step) || !isEndpoint(step.urn) || property.startsWith("deferred ")) return false;
  const { args } = readInputs(after.inputs);
  return changeOf(readStored(before.outputs), args).interruption === undefined;
}

export function hasFailedBefore({ before }: PreviewStep): boolean {
  return (before?.initErrors?.length ?? 0) > 0;
}

/** Without what the compute does now, which only rows have. */
function withoutFacts(said: string): string {
  return said.replace(/ \((?:active|idle|disabled) now[^)]*\)/, "");
}

function ofRow(ofCheck: Verdict, warnings: readonly string[]): Verdict {
  const { effect = "none", certain = true, until } = noticeParts(warnings.find(isNotice) ?? "");
  const facts = { ...ofCheck, also: undefined, certain };
  return until === undefined || effect === "none"
    ? { ...facts, effect, deferred: undefined }
    : { ...facts, effect: "none", deferred: { effect, text: until } };
}
