import { chartOf } from "../../../bench/chart";
import { judge } from "../../../bench/goals";
import { stepNames, type Life, type StepFigures } from "../../../bench/life";
import { readOptions } from "../../../bench/options";
import type { Contender } from "../../../bench/stack";
import { median, serviceMs, summarise } from "../../../bench/summary";
import { tableOf, verdictTableOf } from "../../../bench/table";

const options = readOptions(["--n", "10", "--parallel", "4", "--runs", "3"])!;

function life(contender: Contender, wallMs: number, more: Partial<StepFigures> = {}): Life {
  const requests = { total: 20, byRoute: { createEndpoint: 20 }, limited: 0, locked: 0 };
  const figures = { wallMs, requests, providerBytes: 50 * 1024 * 1024, ...more };
  const steps = Object.fromEntries(stepNames.map((step) => [step, figures])) as Life["steps"];
  return { contender, count: 10, parallel: 4, load: 0, stateBytes: 10_240, steps };
}

it.each([
  { values: [3, 1, 2], is: 2, reason: "the middle one" },
  { values: [4, 1, 2, 3], is: 2.5, reason: "between the middle two" },
  { values: [7], is: 7, reason: "the only one" },
])("takes as the median of $values $reason", ({ values, is }) => {
  expect(median(values)).toBe(is);
});

describe("the time that the service needs", () => {
  const plain = { mode: "plain", perMinute: 700 } as const;
  it.each([
    {
      step: "create",
      count: 10,
      parallel: 4,
      service: plain,
      ms: 3_000,
      reason: "three waves of operations",
    },
    { step: "resize", count: 10, parallel: 4, service: plain, ms: 6_000, reason: "two operations in a wave" },
    { step: "preview", count: 10, parallel: 4, service: plain, ms: 0, reason: "nothing is sent" },
    { step: "destroy", count: 10, parallel: 4, service: plain, ms: 0, reason: "a delete has no operation" },
    {
      step: "create",
      count: 10,
      parallel: 64,
      service: { ...plain, mode: "lock" },
      ms: 10_000,
      reason: "one operation at a time",
    },
    {
      step: "create",
      count: 50,
      parallel: 64,
      service: { ...plain, mode: "rate" },
      ms: 2_000,
      reason: "a burst, a second, an operation",
    },
    {
      step: "destroy",
      count: 1000,
      parallel: 64,
      service: { ...plain, mode: "rate" },
      ms: 67_000,
      reason: "the second minute's burst is 300 requests",
    },
  ] as const)("is $ms ms for $step of $count in mode $service.mode: $reason", (row) => {
    expect(serviceMs(row.step, row, row.service)).toBe(row.ms);
  });
});

it("compares with the floor's median and the operations' own time", () => {
  const lives = [
    ...[6_000, 9_000, 7_000].map((ms) => life("ours", ms)),
    ...[5_000, 4_000, 3_000].map((ms) => life("floor", ms)),
  ];
  const create = summarise(lives, options).find(
    ({ contender, step }) => contender === "ours" && step === "create",
  );
  expect(create).toMatchObject({ wallMs: 7_000, leastMs: 6_000, mostMs: 9_000, floorMs: 7_000, runs: 3 });
});

it("judges only its own rows, each goal at its worst", () => {
  const rows = summarise([life("ours", 7_000), life("floor", 4_000), life("stock", 90_000)], options);
  const [create, preview] = judge(rows, options).filter(({ goal }) => goal.startsWith("wall time"));
  expect(create).toMatchObject({ where: "create, N = 10, --parallel 4", value: 1, isMet: true });
  expect(preview).toMatchObject({ where: "preview, N = 10, --parallel 4", value: 1.75, isMet: false });
});

it("writes a row for each step, and a line for each contender", () => {
  const measured = [life("ours", 7_000), life("floor", 4_000), life("stock", 90_000)];
  const rows = summarise(measured, options);
  expect(tableOf(rows).split("\n")).toHaveLength(2 + 3 * stepNames.length);
  expect(verdictTableOf(judge(rows, options))).toContain("| missed |");
  expect(chartOf(rows, "a < b").match(/<polyline/g)).toHaveLength(3 * stepNames.length);
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
