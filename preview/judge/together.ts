/**
 * What several computes of a preview do together: interruptions on one branch, primaries that swap branches, and renames
 * that the engine takes for a deletion and a new compute.
 */
import { changedArguments } from "../../provider/model/changes";
import { effectOf } from "../../provider/model/fields";
import { restartRank } from "../../provider/model/interruption";
import type { PreviewStep } from "../read/steps";
import { groupBy } from "../read/values";
import { sidesOf } from "./changes";
import type { JudgedStep } from "./judgement";
import type { ComputeReport, Outcome, Rename, SharedBranch } from "./shape";

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

/** Each branch has its primary, so the update refuses primaries that move in a circle: they are not certain. */
const swapRemark = {
  text: "the update refuses primaries that swap branches: move one to a free branch first",
};

export function withSwaps(computes: readonly ComputeReport[]): readonly ComputeReport[] {
  const moves = computes.filter(({ outcome, type }) => outcome === "move" && type === "read_write");
  return computes.map((compute) =>
    moves.includes(compute) && isInCircle(compute, moves)
      ? {
          ...compute,
          certain: false,
          drops: compute.drops === "no" ? "no" : "may",
          clients: [swapRemark, ...compute.clients],
        }
      : compute,
  );
}

/** @param seen - the moves on the way from `start`, which end where they meet again. */
function isInCircle(
  start: ComputeReport,
  moves: readonly ComputeReport[],
  seen: readonly ComputeReport[] = [start],
): boolean {
  const target = targetOf(seen.at(-1) ?? start);
  const next = moves.find(({ projectId, branchId }) => projectId === start.projectId && branchId === target);
  if (next === undefined || next === start) return next === start;
  return !seen.includes(next) && isInCircle(start, moves, [...seen, next]);
}

function targetOf({ changes }: ComputeReport): unknown {
  return changes.find(({ argument }) => argument === "branchId")?.to;
}

/** What is deleted while an equal compute is new, as a rename without an alias looks. */
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
