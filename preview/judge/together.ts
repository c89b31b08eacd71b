/**
 * What several computes of a preview do together: interruptions on one branch, and renames that the engine takes for a
 * deletion and a new compute.
 */
import { changedArguments } from "../../provider/model/changes";
import { effectOf } from "../../provider/model/fields";
import type { PreviewStep } from "../read/steps";
import { groupBy } from "../read/values";
import type { JudgedStep } from "./judgement";
import type { ComputeReport, Outcome, Rename, SharedBranch } from "../shape";

/**
 * Outcomes that do not count for a branch: a new compute did not exist before, a compute that is gone no longer exists,
 * and nobody knows what would happen to a refused compute.
 */
const absent: ReadonlySet<Outcome> = new Set(["refused", "create", "gone"]);

/** The dependencies of each resource, by URN, through `dependsOn` or outputs. The events do not show dependencies. */
type Dependencies = ReadonlyMap<string, readonly string[]>;

export function dependenciesIn(steps: readonly PreviewStep[]): Dependencies {
  return new Map(steps.map(({ urn, after }) => [urn, after?.dependencies ?? []]));
}

export function sharedBranches(
  computes: readonly ComputeReport[],
  dependencies: Dependencies,
): readonly SharedBranch[] {
  const placed = computes.filter(({ branchId, outcome }) => branchId !== null && !absent.has(outcome));
  const branches = groupBy(placed, ({ projectId, branchId }) => JSON.stringify([projectId, branchId]));
  return [...branches.values()].flatMap((all) => {
    const dropping = all.filter(({ drops }) => drops !== "no");
    const { projectId = null, branchId = null } = dropping[0] ?? {};
    if (branchId === null || dropping.length < 2) return [];
    const urns = [...new Set(dropping.map(({ urn }) => urn))];
    // The engine orders updates and adoptions by their dependencies, and deletions in the reverse order.
    const isOrdered = dropping.every(({ step }) => step === "update" || step === "create");
    const waves = isOrdered ? wavesOf(urns, dependencies) : [urns];
    return [{ projectId, branchId, computes: waves.flat(), waves }];
  });
}

/** First the computes that depend on none of the others, then those that depend only on the first wave, and so on. */
function wavesOf(urns: readonly string[], dependencies: Dependencies): readonly (readonly string[])[] {
  const first = urns.filter((urn) => {
    const before = allBefore(urn, dependencies);
    return !urns.some((other) => other !== urn && before.has(other));
  });
  if (first.length === 0 || first.length === urns.length) return [urns];
  return [
    first,
    ...wavesOf(
      urns.filter((urn) => !first.includes(urn)),
      dependencies,
    ),
  ];
}

/** What a resource depends on, directly or through others. */
function allBefore(urn: string, dependencies: Dependencies, seen = new Set<string>()): ReadonlySet<string> {
  for (const before of dependencies.get(urn) ?? []) {
    if (seen.has(before)) continue;
    seen.add(before);
    allBefore(before, dependencies, seen);
  }
  return seen;
}

/** Pairs of a deleted compute and an equal new one: a rename without an alias looks like this. */
export function renamesIn(judged: readonly JudgedStep[]): readonly Rename[] {
  const created = judged.filter(({ judgement }) => judgement.outcome === "create");
  const taken = new Set<JudgedStep>();
  return judged
    .filter(({ judgement }) => judgement.outcome === "delete")
    .flatMap((old) => {
      const next = created.find((one) => !taken.has(one) && areAlike(old, one));
      if (next === undefined) return [];
      taken.add(next);
      return [{ from: old.step.urn, to: next.step.urn }];
    });
}

function areAlike({ sides: { stored = {} } }: JudgedStep, { sides: { declared } }: JudgedStep): boolean {
  return (
    stored["projectId"] === declared.projectId &&
    changedArguments(stored, declared).every((name) => effectOf(name) === "none")
  );
}
