/**
 * What the operations of a preview are, and the one step of each resource that a report is about.
 */
import type { PreviewStep } from "./steps";

const replacing: ReadonlySet<string> = new Set([
  "replace",
  "create-replacement",
  "delete-replaced",
  "import-replacement",
]);

/** Steps that change nothing, or that are about computes which are only read. */
const unchanging: ReadonlySet<string> = new Set([
  "same",
  "refresh",
  "read",
  "read-replacement",
  "read-discard",
  "discard",
  "discard-replaced",
  "diff",
]);

/** Steps that change a compute, as far as known: an operation that this version does not know may change it. */
export function isChange({ op }: Pick<PreviewStep, "op">): boolean {
  return !unchanging.has(op);
}

export function isReplacement({ op }: Pick<PreviewStep, "op">): boolean {
  return replacing.has(op);
}

/** What a replacement begins with; its last step only deletes. */
function beginsReplacement(step: Pick<PreviewStep, "op">): boolean {
  return isReplacement(step) && step.op !== "delete-replaced";
}

/**
 * Decided by the state, not by the program: measured, a `retainOnDelete` that is new in this change has no effect on
 * the deletion.
 */
export function isRetained({ before }: PreviewStep): boolean {
  return before?.retainOnDelete === true;
}

/**
 * A replacement has three steps, and an import with changes has two: one of the steps is kept. The last step of a
 * replacement has neither the new state nor the provider's judgement.
 */
export function mergeSteps(steps: readonly PreviewStep[]): readonly PreviewStep[] {
  const merged = new Map<string, PreviewStep>();
  const replaced = new Set(steps.filter(beginsReplacement).map(oldKey));
  for (const planned of steps) {
    const step = asOne(planned, replaced);
    // A compute from an earlier replacement is deleted in the same preview as any step of its successor.
    const key = `${step.urn} ${step.op === "delete" ? (step.before?.id ?? "") : ""}`;
    const known = merged.get(key);
    if (known === undefined || !isChange(known)) merged.set(key, step);
    else if (isReplacement(step)) {
      const reasons = [...(known.reasons ?? []), ...(step.reasons ?? [])];
      merged.set(key, { ...step, after: step.after ?? known.after, reasons });
    }
    // An import with differences: the update is a step of its own, with the judgement.
    else if (known.op === "import" && step.op === "update") merged.set(key, step);
  }
  return [...merged.values()];
}

function oldKey({ urn, before }: PreviewStep): string {
  return `${urn} ${before?.id ?? ""}`;
}

/**
 * If a program only read the replaced compute, with `Endpoint.get`, it is not deleted: it does not belong to the
 * stack. A compute that an earlier replacement did not delete is deleted now, and nothing is replaced.
 *
 * @param replaced - the computes that this preview replaces.
 */
function asOne(planned: PreviewStep, replaced: ReadonlySet<string>): PreviewStep {
  if (!isReplacement(planned)) return planned;
  if (planned.op === "delete-replaced" && !replaced.has(oldKey(planned))) return { ...planned, op: "delete" };
  return planned.before?.external === true
    ? { ...planned, op: "create", before: undefined }
    : { ...planned, op: "replace" };
}
