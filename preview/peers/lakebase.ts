/**
 * Adjusts a step to what Databricks carries out: a Lakebase branch already has its primary.
 */
import { unknownValue } from "../../provider/model/unknown";
import type { PreviewStep } from "../read/steps";
import { typeOf } from "../read/urn";
import { holdsSecret } from "../read/values";
import { lakebaseKind, valueAt } from "./table";

type Values = Readonly<Record<string, unknown>>;

function stepKind({ urn }: PreviewStep): string | undefined {
  return lakebaseKind(typeOf(urn) ?? "");
}

/**
 * Lakebase creates the primary of each branch itself, and deletes it only with the branch. A resource that declares the
 * primary takes it over, and writes to it at once (`replace_existing`). Removing this resource leaves the compute
 * running.
 */
export function asCarriedOut(step: PreviewStep, steps: readonly PreviewStep[]): PreviewStep {
  const kind = stepKind(step);
  if (kind === undefined) return step;
  const isPrimary = kind === "endpoint" && isLakebasePrimary(step);
  if (step.op === "create")
    return takesOver(step) && !isOnNew(step, steps) ? { ...step, op: "takeover" } : step;
  if (!isPrimary || step.before === undefined) return step;
  // A value that is masked may be any value.
  if (step.op === "delete")
    return isHidden(step) ? step : { ...step, before: { ...step.before, retainOnDelete: true } };
  return /replace/.test(step.op) ? { ...step, op: "takeover" } : step;
}

function valuesOf({ before, after }: PreviewStep): Values {
  const state = after ?? before;
  return { ...state?.outputs, ...state?.inputs };
}

export function takesOver(step: PreviewStep): boolean {
  const replaces = valueAt(valuesOf(step), "replaceExisting");
  return replaces !== undefined && replaces !== null && replaces !== false;
}

function isHidden(step: PreviewStep): boolean {
  const values = valuesOf(step);
  return ["replaceExisting", "endpointId"].some((name) => {
    const value = valueAt(values, name);
    return value === unknownValue || holdsSecret(value);
  });
}

function isLakebasePrimary(step: PreviewStep): boolean {
  const values = valuesOf(step);
  const type = valueAt(values, "spec.endpointType");
  return takesOver(step) || valueAt(values, "endpointId") === "primary" || /READ_WRITE$/.test(String(type));
}

/** Whether the same plan creates the branch, or the project with its first branch. */
function isOnNew(step: PreviewStep, steps: readonly PreviewStep[]): boolean {
  const parent = valueAt(valuesOf(step), "parent");
  const kinds = stepKind(step) === "endpoint" ? ["branch", "project"] : ["project"];
  const holders = steps.filter((other) => kinds.includes(stepKind(other) ?? ""));
  const isCreated = (other: PreviewStep): boolean =>
    other.op === "create" && (!takesOver(other) || (stepKind(other) === "branch" && isOnNew(other, steps)));
  // The parent is unknown, so every candidate must be new.
  if (parent === unknownValue) return holders.length > 0 && holders.every(isCreated);
  return holders.filter(isCreated).some((other) => `${String(parent)}/`.startsWith(`${placeText(other)}/`));
}

function placeText(holder: PreviewStep): string {
  const at = (name: string): string => String(valueAt(valuesOf(holder), name));
  return stepKind(holder) === "branch"
    ? `${at("parent")}/branches/${at("branchId")}`
    : `projects/${at("projectId")}`;
}
