/**
 * What one step does to one compute: the engine's operation first, then the provider's notice, then the table
 * of effects for what both leave out.
 */
import type { Change } from "./changes";
import type { Step } from "./input";
import type { Notice } from "./notice";
import { unknown } from "./values";

/**
 * Most serious first: the order of every report.
 *
 * - `refused`: the preview failed on this compute.
 * - `interrupt`: connections may drop; the interface does not say.
 * - `adopt`: an existing compute is taken over, and what is declared is applied to it.
 * - `release`: it leaves the stack and goes on running (`retainOnDelete`).
 * - `none`: it changes, and connections are unaffected.
 */
export const outcomes = [
  "refused",
  "delete",
  "replace",
  "move",
  "suspend",
  "restart",
  "interrupt",
  "adopt",
  "release",
  "none",
  "create",
] as const;

export type Outcome = (typeof outcomes)[number];

export interface Verdict {
  readonly outcome: Outcome;
  /** False where only the update will know. */
  readonly certain: boolean;
}

const replacing: ReadonlySet<string> = new Set([
  "replace",
  "create-replacement",
  "delete-replaced",
  "import-replacement",
]);

/** Steps that change a compute; `read`, `refresh` and the like belong to others or change nothing. */
export function isChange({ op }: Step): boolean {
  return replacing.has(op) || ["create", "update", "delete", "import", "remove-pending-replace"].includes(op);
}

export function isReplacement({ op }: Step): boolean {
  return replacing.has(op);
}

/** What is known of a step besides itself. */
export interface Evidence {
  readonly notice: Notice | undefined;
  readonly changes: readonly Change[];
  readonly isRefused: boolean;
}

export function verdictOf(step: Step, { notice, changes, isRefused }: Evidence): Verdict {
  if (isRefused) return { outcome: "refused", certain: true };
  switch (step.op) {
    case "delete":
      return { outcome: isRetained(step) ? "release" : "delete", certain: true };
    case "create":
      // Nothing tells what the taken-over compute runs now: the declared size may differ, or not.
      return step.after?.inputs?.["adopt"] === undefined
        ? { outcome: "create", certain: true }
        : { outcome: "adopt", certain: false };
    case "update":
      return verdictOfUpdate(step, notice, changes);
    default:
      if (isReplacement(step)) return { outcome: "replace", certain: notice?.certain ?? true };
      return { outcome: "none", certain: true };
  }
}

/** Decided by the state, not by the program: measured, a `retainOnDelete` new in this change does not keep it. */
export function isRetained(step: Step): boolean {
  return step.before?.retainOnDelete === true;
}

function verdictOfUpdate(step: Step, notice: Notice | undefined, changes: readonly Change[]): Verdict {
  if (notice === undefined) return derivedVerdict(changes);
  // After a failed update the property compares with what was declared then. Where nothing differs from the
  // state, the service has it already: what is left is to wait.
  const isStale =
    notice.source === "property" && hasFailedBefore(step) && derivedVerdict(changes).outcome === "none";
  return { outcome: notice.effect, certain: notice.certain && !isStale };
}

export function hasFailedBefore({ before }: Step): boolean {
  return (before?.initErrors?.length ?? 0) > 0;
}

/** The table of effects alone, where no notice arrived: an engine that takes none, or a stored older one. */
function derivedVerdict(changes: readonly Change[]): Verdict {
  const known = changes.filter(({ hidden }) => !hidden);
  for (const outcome of outcomes) {
    const causes = known.filter(({ effect }) => (effect === "unstated" ? "interrupt" : effect) === outcome);
    if (causes.length > 0 && outcome !== "none") {
      return { outcome, certain: outcome !== "interrupt" && causes.some(({ to }) => to !== unknown) };
    }
  }
  return { outcome: "none", certain: true };
}
