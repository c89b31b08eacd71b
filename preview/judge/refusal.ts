/**
 * The words for what `--fail-on` refuses: `deletes 1 compute and drops the open connections of 2 computes`.
 */
import type { ComputeReport, FailureKind } from "../shape";
import { counted, computeIdentity } from "./summary";

const verbs = {
  delete: "deletes #",
  replace: "replaces #",
  move: "moves # to another branch",
  suspend: "suspends #",
  restart: "restarts #",
  may: "may interrupt # (only the update can tell)",
  drop: "drops the open connections of #",
  drift: "# changed outside",
} as const satisfies Record<FailureKind, string>;

/** @param refused - in the order of the exit codes. `drop` names only computes that no earlier kind has named. */
export function refusalWords(
  refused: readonly (readonly [kind: FailureKind, computes: readonly ComputeReport[]])[],
): string {
  const said = new Set<string>();
  const parts = refused.flatMap(([kind, computes]) => {
    const named = computes.filter((compute) => kind !== "drop" || !said.has(computeIdentity(compute)));
    for (const compute of named) said.add(computeIdentity(compute));
    const count = new Set(named.map(computeIdentity)).size;
    const noun = named.some(({ holder }) => holder !== undefined) ? "resource" : "compute";
    return count === 0 ? [] : [verbs[kind].replace("#", counted(count, noun))];
  });
  const last = parts.pop() ?? "";
  return parts.length === 0 ? last : `${parts.join(", ")} and ${last}`;
}
