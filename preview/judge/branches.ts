/**
 * Finds the branches on which several computes drop connections in the same update.
 */
import { restartRank } from "../../provider/pure/verdict";
import type { PreviewStep } from "../read/preview";
import { groupBy } from "../read/values";
import { sidesOf } from "./changes";
import type { ComputeReport, Outcome, SharedBranch } from "./shape";

/** Not on the branch before or after the change, listed under another name, or unknown. */
const absent: ReadonlySet<Outcome> = new Set(["refused", "create", "gone", "handover"]);

/**
 * By the URN of a compute: the provider that orders its update among those of its branch. Each provider has a process of
 * its own, which knows nothing of the others' updates. Creates and deletes do not wait.
 */
export function orderedIn(steps: readonly PreviewStep[]): ReadonlyMap<string, string> {
  const ordered = steps.filter((step) => step.op === "update" && sidesOf(step).hidden.verdict !== undefined);
  const providers = ordered.map(
    ({ urn, before, after }) => [urn, (after ?? before)?.provider ?? ""] as const,
  );
  return new Map(providers.filter(([, provider]) => provider !== ""));
}

export function sharedBranches(
  computes: readonly ComputeReport[],
  ordered: ReadonlyMap<string, string>,
): readonly SharedBranch[] {
  const placed = computes.filter(({ branchId, outcome }) => branchId !== null && !absent.has(outcome));
  const branches = groupBy(placed, ({ projectId, branchId }) => JSON.stringify([projectId, branchId]));
  return [...branches.values()].flatMap((all) => {
    const dropping = all.filter(({ drops }) => drops !== "no");
    const { projectId = null, branchId = null } = dropping[0] ?? {};
    if (branchId === null || dropping.length < 2) return [];
    const providers = new Set(dropping.map(({ urn }) => ordered.get(urn)));
    // A resource may stand here twice: an earlier replacement left a compute over, which is deleted beside the update.
    const isOrdered =
      providers.size === 1 && !providers.has(undefined) && dropping.every(({ step }) => step === "update");
    const primaryLast = [...dropping].sort((left, right) => restartRank(left) - restartRank(right));
    const urns = new Set((isOrdered ? primaryLast : dropping).map(({ urn }) => urn));
    return [{ projectId, branchId, computes: [...urns], ordered: isOrdered }];
  });
}
