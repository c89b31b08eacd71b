/**
 * The words for what `--fail-on` refuses: `deletes 1 compute and drops the open connections of 2 computes`.
 */
import { failures } from "../outcomes";
import type { ComputeReport, FailureKind } from "../shape";
import { counted, countedPlaces, computeIdentity } from "./summary";

/** @param refused - in the order of the exit codes. `drop` names only computes that no earlier kind has named. */
export function refusalWords(
  refused: readonly (readonly [kind: FailureKind, computes: readonly ComputeReport[]])[],
): string {
  const said = new Set<string>();
  const parts = refused.flatMap(([kind, computes]) => {
    const named = computes.filter((compute) => kind !== "drop" || !said.has(computeIdentity(compute)));
    for (const compute of named) said.add(computeIdentity(compute));
    const count = new Set(named.map(computeIdentity)).size;
    return count === 0 ? [] : [failures[kind].does.replace("#", namedAs(named, count))];
  });
  const last = parts.pop() ?? "";
  return parts.length === 0 ? last : `${parts.join(", ")} and ${last}`;
}

function namedAs(computes: readonly ComputeReport[], count: number): string {
  const [first] = computes;
  if (first?.place !== undefined && computes.every(({ place }) => place === first.place))
    return countedPlaces(count, first.place);
  const isWhole = computes.some(({ holder, place }) => holder !== undefined || place !== undefined);
  return counted(count, isWhole ? "resource" : "compute");
}
