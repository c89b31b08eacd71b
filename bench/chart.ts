/**
 * Wall time over the number of computes as an SVG: a panel for each step, a line for each contender.
 */
import type { Row } from "./growth";
import { contenders, stepNames, type Contender, type StepName } from "./stack";

const panel = { width: 300, height: 220, left: 44, right: 24, top: 34, bottom: 30 } as const;
const perLine = 3;
const colours = {
  ours: "#1f6feb",
  plugin: "#1a7f37",
  floor: "#6e7781",
  stock: "#cf222e",
} as const satisfies Record<Contender, string>;
const names = {
  ours: "this package",
  plugin: "its plugin",
  floor: "the engine alone",
  stock: "stock dynamic provider",
} as const satisfies Record<Contender, string>;

interface Point {
  readonly count: number;
  readonly seconds: number;
}

export function chartOf(rows: readonly Row[], title: string): string {
  const lines = Math.ceil(stepNames.length / perLine);
  const [width, height] = [panel.width * perLine, panel.height * lines + 60];
  const panels = stepNames.map((step, index) => {
    const x = (index % perLine) * panel.width;
    const y = 30 + Math.floor(index / perLine) * panel.height;
    return `<g transform="translate(${x} ${y})">${panelOf(step, rows)}</g>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="11">`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    text({ x: panel.left, y: 20, size: 14 }, title),
    ...panels,
    ...legend(height - 14),
    "</svg>",
    "",
  ].join("\n");
}

function panelOf(step: StepName, rows: readonly Row[]): string {
  const own = rows.filter((row) => row.step === step);
  const lines = [...contenders]
    .reverse()
    .map((contender) => ({
      contender,
      points: pointsOf(own.filter((row) => row.contender === contender)),
    }))
    .filter(({ points }) => points.length > 0);
  const all = lines.flatMap(({ points }) => points);
  if (all.length === 0) return "";
  const x = scale(
    all.map(({ count }) => count),
    [panel.left, panel.width - panel.right],
  );
  const y = scale(
    all.map(({ seconds }) => seconds),
    [panel.height - panel.bottom, panel.top],
  );
  const counts = [...new Set(all.map(({ count }) => count))];
  return [
    text({ x: panel.left, y: panel.top - 12, size: 12 }, `${step}, seconds`),
    ...counts.map((count) => text({ x: x(count) - 6, y: panel.height - 10, size: 11 }, String(count))),
    ...ticks(all.map(({ seconds }) => seconds)).map(
      (tick) =>
        `<path d="M${panel.left} ${y(tick).toFixed(1)}H${panel.width - panel.right}" stroke="#d0d7de"/>` +
        text({ x: 8, y: y(tick) + 4, size: 11 }, String(tick)),
    ),
    ...lines.map(({ contender, points }) =>
      lineOf(
        points.map((p) => [x(p.count), y(p.seconds)]),
        contender,
      ),
    ),
  ].join("");
}

function pointsOf(rows: readonly Row[]): readonly Point[] {
  return rows
    .map(({ count, wallMs }) => ({ count, seconds: wallMs / 1000 }))
    .sort((a, b) => a.count - b.count);
}

function lineOf(points: readonly (readonly [number, number])[], contender: Contender): string {
  const path = points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
  const colour = colours[contender];
  const dots = points.map(
    ([x, y]) => `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="3" fill="${colour}"/>`,
  );
  return `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>${dots.join("")}`;
}

/** Logarithmic on both axes: from one compute to a thousand. */
function scale(values: readonly number[], [from, to]: readonly [number, number]): (value: number) => number {
  const [low, high] = [Math.log(Math.min(...values)), Math.log(Math.max(...values))];
  const span = high - low || 1;
  return (value) => from + ((Math.log(value) - low) / span) * (to - from);
}

function ticks(values: readonly number[]): readonly number[] {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const inside = [0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].filter(
    (tick) => tick >= low && tick <= high,
  );
  return inside.length === 0 ? [Number(high.toFixed(1))] : inside;
}

function legend(y: number): readonly string[] {
  return contenders.map((contender, index) => {
    const x = panel.left + index * 210;
    return `<rect x="${x}" y="${y - 9}" width="10" height="10" fill="${colours[contender]}"/>${text({ x: x + 16, y, size: 12 }, names[contender])}`;
  });
}

function text({ x, y, size }: { x: number; y: number; size: number }, words: string): string {
  const safe = words.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" font-size="${size}" fill="#1f2328">${safe}</text>`;
}
