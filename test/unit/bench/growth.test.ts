import { chartOf } from "../../../bench/chart";
import { tableOf, type Row } from "../../../bench/growth";
import { median } from "../../../bench/median";
import { readOptions } from "../../../bench/options";
import { contenders, stepNames } from "../../../bench/stack";

const requests = { total: 120, byRoute: { createEndpoint: 100 }, limited: 2, locked: 0 };

const rows: readonly Row[] = [10, 100].flatMap((count) =>
  stepNames.flatMap((step) =>
    contenders.map((contender) => ({
      contender,
      count,
      step,
      wallMs: 50 * count,
      requests,
      stateBytes: 2_300 * count,
      peakBytes: contender === "floor" ? undefined : 300 * 1024 * 1024,
    })),
  ),
);

it.each([
  { values: [3, 1, 2], is: 2, reason: "the middle one" },
  { values: [4, 1, 2, 3], is: 2.5, reason: "between the middle two" },
  { values: [7], is: 7, reason: "the only one" },
])("takes as the median of $values $reason", ({ values, is }) => {
  expect(median(values)).toBe(is);
});

it("writes a line for each step and number of computes, with every contender in it", () => {
  const [head = "", , ...lines] = tableOf(rows).split("\n");
  expect(head.match(/: s/g)).toHaveLength(contenders.length);
  expect(lines).toHaveLength(2 * stepNames.length);
  const each = (cell: string): string => contenders.map(() => cell).join(" / ");
  expect(lines[1]?.split("|").map((cell) => cell.trim())).toEqual([
    "",
    "100",
    "create",
    "5.0",
    "5.0",
    "5.0",
    "5.0",
    each("1.20 2 × 429"),
    each("2.3"),
    "300 / 300 / ? / 300",
    "",
  ]);
});

it("draws a line for each contender and step", () => {
  expect(chartOf(rows, "a < b").match(/<polyline/g)).toHaveLength(contenders.length * stepNames.length);
  expect(chartOf(rows, "a < b")).toContain("a &lt; b");
});

it.each([
  { words: ["--n", "0"], says: '--n takes whole numbers above 0, not "0".' },
  { words: ["--only", "theirs"], says: '--only takes ours, plugin, floor, stock, not "theirs".' },
  { words: ["--lock", "--rate", "700/min"], says: "--lock and --rate exclude another." },
])("refuses $words", ({ words, says }) => {
  expect(() => readOptions(words)).toThrow(says);
});

it("reads a rate with its unit", () => {
  expect(readOptions(["--rate", "700/min"])).toMatchObject({ mode: "rate", perMinute: 700 });
  expect(readOptions(["--requests-per-minute", "0"])).toMatchObject({ requestsPerMinute: "0" });
});
