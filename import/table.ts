/**
 * The table of `compute-import` for people.
 */
import { aligned } from "../preview/render/aligned";
import { visible } from "../preview/render/escape";
import type { EndpointFacts } from "../provider/facts";
import type { SortedComputes } from "./found";

const headings = ["name", "compute", "branch", "type", "size"] as const;

/** What is imported, which of its values stay unmanaged, and what is left out, each with the reason. */
export function tableOf(projectId: string, { computes, leftOut, unreadable }: SortedComputes): string {
  const without = leftOut.length + unreadable.length;
  const count = computes.length + without;
  const rows = [
    ...computes.map(({ name, facts }) => [visible(name), ...cellsOf(facts)]),
    ...leftOut.map(({ facts }) => ["(left out)", ...cellsOf(facts)]),
  ];
  const notes = [
    ...computes.flatMap(({ name, unmanaged }) =>
      unmanaged.map((reason) => `${name}: values not managed: ${reason}`),
    ),
    ...leftOut.map(({ facts, reason }) => `${facts.endpointId}: left out: ${reason}`),
    ...unreadable.map((reason) => `left out: ${reason}`),
  ];
  return [
    `Project ${projectId}: ${count === 1 ? "1 compute" : `${count} computes`}, ${computes.length} to import, ${without} left out.`,
    ...(rows.length === 0 ? [] : ["", ...aligned([[...headings], ...rows])]),
    ...(notes.length === 0 ? [] : ["", ...notes.map(visible)]),
    "",
  ].join("\n");
}

function cellsOf(facts: EndpointFacts): readonly string[] {
  return [facts.endpointId, facts.branchId, facts.type, sizeOf(facts)].map(visible);
}

function sizeOf({ autoscalingLimitMinCu: min, autoscalingLimitMaxCu: max }: EndpointFacts): string {
  if (min === undefined || max === undefined) return "unknown";
  return min === max ? `${min} CU` : `${min} to ${max} CU`;
}
