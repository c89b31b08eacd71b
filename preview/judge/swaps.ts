/**
 * Finds primaries that move in a circle, such as two that swap their branches. Each branch has its primary, so the update
 * refuses the moves: they are not certain.
 */
import type { ComputeReport } from "./shape";

const remark = { text: "the update refuses primaries that swap branches: move one to a free branch first" };

export function withSwaps(computes: readonly ComputeReport[]): readonly ComputeReport[] {
  const moves = computes.filter(({ outcome, type }) => outcome === "move" && type === "read_write");
  return computes.map((compute) =>
    moves.includes(compute) && isInCircle(compute, moves)
      ? {
          ...compute,
          certain: false,
          drops: compute.drops === "no" ? "no" : "may",
          clients: [remark, ...compute.clients],
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
