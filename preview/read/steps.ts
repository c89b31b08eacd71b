/**
 * The content of a preview in any form: its steps, the kinds of their operations, and the one step of each resource
 * that a report shows.
 */
import type { ResourceState } from "./schemas";

/** What the engine plans for one resource. */
export interface PreviewStep {
  readonly op: string;
  readonly urn: string;
  readonly before?: ResourceState | undefined;
  readonly after?: ResourceState | undefined;
  /** The provider's reasons for the step: mostly names of properties. */
  readonly reasons?: readonly string[] | undefined;
  /** The provider's address in a Terraform registry; Pulumi gives none. */
  readonly provider?: string | undefined;
  /** For a resource of another provider: the paths at which the two sides differ, or may differ, as the tool spells them. */
  readonly differing?: readonly string[] | undefined;
}

export interface Diagnostic {
  readonly urn?: string | undefined;
  readonly severity: string;
  /** Without the engine's prefix, colours and last line break. */
  readonly text: string;
}

/** What the engine read of one resource, before a plan or without a plan. */
export interface Refresh {
  readonly urn: string;
  /** As in `PreviewStep`. */
  readonly provider?: string | undefined;
  /** As in `PreviewStep`; absent if the two sides have to be compared. */
  readonly differing?: readonly string[] | undefined;
  readonly before?: ResourceState | undefined;
  /** `gone` if the service no longer has it; undefined if this form does not show the service's answer. */
  readonly found: ResourceState | "gone" | undefined;
}

/** A preview, whatever its form. */
export interface Preview {
  /** `document`: Pulumi's default. `events`: Pulumi's events, which show more. `plan`: a plan of Terraform. */
  readonly form: "document" | "events" | "plan";
  /** All steps except reads. */
  readonly steps: readonly PreviewStep[];
  readonly refreshes: readonly Refresh[];
  /** Unchanged resources, if the form shows them apart from the steps: what changes around them may interrupt them. */
  readonly kept: readonly PreviewStep[];
  /**
   * Number of resources that a refresh found changed, in a form that does not show which; undefined if it shows or
   * does not count them.
   */
  readonly unseenChanges: number | undefined;
  readonly diagnostics: readonly Diagnostic[];
  readonly failed: boolean;
  /** True if a part of the program may be missing: a plan with `-target`, or one that was filtered. */
  readonly partial: boolean;
  /** Resources that do not change; most of them have no step. */
  readonly unchanged: number;
}

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

/** The other operations of an engine. `refused` exists only in reports. */
const changing: ReadonlySet<string> = new Set([
  ...["create", "update", "delete", "import", "remove-pending-replace", "refused"],
]);

/** Engines may add operations: the effect of an unknown operation cannot be judged. */
export function isKnownOperation({ op }: Pick<PreviewStep, "op">): boolean {
  return [unchanging, replacing, changing].some((operations) => operations.has(op));
}

/** Steps that change a compute, or may do so: an operation that this version does not know counts too. */
export function isChange({ op }: Pick<PreviewStep, "op">): boolean {
  return !unchanging.has(op);
}

export function isReplacement({ op }: Pick<PreviewStep, "op">): boolean {
  return replacing.has(op);
}

/** True for a step that may begin a replacement; the last step of a replacement only deletes. */
function beginsReplacement(step: Pick<PreviewStep, "op">): boolean {
  return isReplacement(step) && step.op !== "delete-replaced";
}

/**
 * The state decides, not the program: if this change adds `retainOnDelete`, the engine still deletes the compute (as
 * measured).
 */
export function isRetained({ before }: PreviewStep): boolean {
  return before?.retainOnDelete === true;
}

/**
 * A replacement has three steps, and an import with changes has two: only one of them is kept. The last step of a
 * replacement has neither the new state nor the provider's judgement.
 */
export function mergeSteps<Step extends PreviewStep>(steps: readonly Step[]): readonly Step[] {
  const merged = new Map<string, Step>();
  const replaced = new Set(steps.filter(beginsReplacement).map(oldKey));
  for (const planned of steps) {
    const step = asOne(planned, replaced);
    // A preview that deletes a compute of an earlier replacement may also have a step for its successor.
    const key = `${step.urn} ${step.op === "delete" ? `delete ${step.before?.id ?? ""}` : ""}`;
    const known = merged.get(key);
    if (known === undefined || !isChange(known)) merged.set(key, step);
    else if (isReplacement(step)) {
      const reasons = [...(known.reasons ?? []), ...(step.reasons ?? [])];
      merged.set(key, { ...step, after: step.after ?? known.after, reasons });
    }
    // An import with differences also has an update, a separate step with the provider's judgement.
    else if (known.op === "import" && step.op === "update") merged.set(key, step);
  }
  return [...merged.values()];
}

function oldKey({ urn, before }: PreviewStep): string {
  return `${urn} ${before?.id ?? ""}`;
}

/**
 * A replaced compute that the program only read, with `Endpoint.get`, is not deleted, since it does not belong to the
 * stack. A compute that an earlier replacement did not delete is deleted now, and nothing is replaced.
 *
 * @param replaced - the computes that this preview replaces.
 */
function asOne<Step extends PreviewStep>(planned: Step, replaced: ReadonlySet<string>): Step {
  if (!isReplacement(planned)) return planned;
  if (planned.op === "delete-replaced" && !replaced.has(oldKey(planned))) return { ...planned, op: "delete" };
  return planned.before?.external === true
    ? { ...planned, op: "create", before: undefined }
    : { ...planned, op: "replace" };
}
