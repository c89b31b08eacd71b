/**
 * How the time of `compute-preview` grows: with the computes of a preview, with their names of triggers, and with the resources
 * around them. The time for each item should stay the same.
 */
import { readPreview } from "../preview/input";
import { reportOf } from "../preview/judge/report";
import { commentLength, toMarkdown } from "../preview/render/markdown";

const counts = [1_000, 10_000] as const;

interface Step {
  readonly op: string;
  readonly urn: string;
  readonly oldState?: object;
  readonly newState?: object;
}

const endpoint = (name: string, inputs: { readonly before: object; readonly after: object }): Step => {
  const place = { projectId: "p", branchId: `br-${name}`, type: "read_write" };
  const before = { ...place, ...inputs.before };
  return {
    op: "update",
    urn: `urn:pulumi:dev::shop::compute:index:Endpoint::${name}`,
    oldState: { id: `ep-${name}`, inputs: before, outputs: { ...before, endpointId: `ep-${name}` } },
    newState: { inputs: { ...place, ...inputs.after } },
  };
};
const size = (cu: number): object => ({ autoscalingLimitMinCu: cu, autoscalingLimitMaxCu: cu });
const triggers = (count: number, value: string): object => ({
  restartTriggers: Object.fromEntries(Array.from({ length: count }, (_, index) => [`t${index}`, value])),
});
const role = (branch: string): Step => ({
  op: "create",
  urn: `urn:pulumi:dev::shop::neon:index/role:Role::${branch}`,
  newState: { inputs: { projectId: "p", branchId: `br-${branch}` } },
});
const names = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => String(index));

const previews: Readonly<Record<string, (count: number) => readonly Step[]>> = {
  computes: (count) => names(count).map((name) => endpoint(name, { before: size(1), after: size(2) })),
  triggers: (count) => [endpoint("a", { before: triggers(count, "1"), after: triggers(count, "2") })],
  "computes with a role": (count) =>
    names(count).flatMap((name) => [endpoint(name, { before: size(1), after: size(1) }), role(name)]),
};

/** A Markdown table: the time for each item, with few and with many of them, and the ratio. */
export function tableOfPreviews(): string {
  const rows = Object.entries(previews).map(([what, stepsOf]) => {
    // The first call is slow: it compiles.
    msFor(stepsOf(counts[0]));
    const [few, many] = counts.map((count) => msFor(stepsOf(count)) / count) as [number, number];
    return `| ${what} | ${(few * 1000).toFixed(0)} µs | ${(many * 1000).toFixed(0)} µs | ${(many / few).toFixed(1)} |`;
  });
  const [few, many] = counts.map((count) => count.toLocaleString("en"));
  return [`| each of | ${few} | ${many} | ratio |`, "| --- | --- | --- | --- |", ...rows].join("\n");
}

function msFor(steps: readonly Step[]): number {
  const bytes = Buffer.from(JSON.stringify({ steps, diagnostics: [], changeSummary: {} }));
  const start = performance.now();
  toMarkdown(reportOf(readPreview(bytes)), { maxLength: commentLength });
  return performance.now() - start;
}
