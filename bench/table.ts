/**
 * The figures as text: aligned for a terminal, and Markdown as it is.
 */
import type { Verdict } from "./goals";
import type { Row } from "./summary";

const headings = [
  "N",
  "parallel",
  "step",
  "who",
  "wall s",
  "spread",
  "× floor",
  "requests",
  "423",
  "429",
  "RSS MiB",
  "state KB/N",
] as const;

export function tableOf(rows: readonly Row[]): string {
  return aligned([headings, ...rows.map(cellsOf)]);
}

function cellsOf(row: Row): readonly string[] {
  const { requests } = row;
  return [
    String(row.count),
    String(row.parallel ?? "default"),
    row.step,
    row.contender,
    seconds(row.wallMs),
    row.runs === 1 ? "one run" : `${seconds(row.leastMs)} to ${seconds(row.mostMs)}`,
    row.floorMs === undefined ? "" : (row.wallMs / row.floorMs).toFixed(2),
    requests.total === 0 ? "0" : `${requests.total} (${routesOf(requests.byRoute)})`,
    String(requests.locked),
    String(requests.limited),
    row.providerBytes === undefined ? "" : (row.providerBytes / 1024 / 1024).toFixed(0),
    row.step === "create" ? (row.stateBytes / row.count / 1000).toFixed(2) : "",
  ];
}

export function verdictTableOf(verdicts: readonly Verdict[]): string {
  const rows = verdicts.map(({ goal, where, value, limit, isMet }) => [
    goal,
    where,
    value.toFixed(2),
    String(limit),
    isMet ? "met" : "missed",
  ]);
  return aligned([["goal", "where", "worst", "limit", ""], ...rows]);
}

function routesOf(byRoute: Readonly<Record<string, number>>): string {
  return Object.entries(byRoute)
    .sort(([, a], [, b]) => b - a)
    .map(([route, count]) => `${count} ${route}`)
    .join(", ");
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1);
}

/** A Markdown table whose columns line up. */
function aligned(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(3, ...rows.map((cells) => (cells[column] ?? "").length)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${widths.map((width, column) => (cells[column] ?? "").padEnd(width)).join(" | ")} |`;
  const [head = [], ...body] = rows;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...body.map(line)].join("\n");
}
