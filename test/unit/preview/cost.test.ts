import { runCommand } from "../../../preview/command";
import { costOf, totalCost } from "../../../preview/judge/cost";
import type { ComputeReport, Outcome } from "../../../preview/judge/shape";
import { totalCostLine } from "../../../preview/render/words";
import { priceFrom, type Price } from "../../../provider/settings/price";
import { secret } from "../../../preview/read/values";
import { unknownValue } from "../../../provider/endpoint/planning/unknown";
import { fixtureFile, fixtureReport } from "./previews";
import { readFileSync } from "node:fs";

type Values = Readonly<Record<string, unknown>>;

const size = (minCu: unknown, maxCu = minCu): Values => ({
  autoscalingLimitMinCu: minCu,
  autoscalingLimitMaxCu: maxCu,
});
const suspending = { suspendTimeoutSeconds: 300 };
const awake = { suspendTimeoutSeconds: -1 };

describe("the CU-hours of one compute", () => {
  it.each<{
    reason: string;
    outcome?: Outcome;
    stored?: Values;
    declared: Values;
    before: unknown;
    after: unknown;
    unknown?: readonly string[];
    raisesMinimum?: boolean;
  }>([
    {
      reason: "one that may suspend uses nothing at least",
      stored: { ...size(0.25), ...suspending },
      declared: size(1, 2),
      before: { floor: 0, ceiling: 182.5 },
      after: { floor: 0, ceiling: 1460 },
      raisesMinimum: true,
    },
    {
      reason: "one that never suspends uses its minimum all the time",
      stored: { ...size(0.25, 2), ...suspending },
      declared: awake,
      before: { floor: 0, ceiling: 1460 },
      after: { floor: 182.5, ceiling: 1460 },
    },
    {
      reason: "0 is the service's default, which suspends",
      stored: { ...size(1), ...awake },
      declared: { suspendTimeoutSeconds: 0 },
      before: { floor: 730, ceiling: 730 },
      after: { floor: 0, ceiling: 730 },
    },
    {
      reason: "a disabled one runs nothing",
      stored: { ...size(1), ...awake },
      declared: { disabled: true },
      before: { floor: 730, ceiling: 730 },
      after: { floor: 0, ceiling: 0 },
    },
    {
      reason: "a new one suspends by default",
      outcome: "create",
      declared: size(2, 8),
      before: { floor: 0, ceiling: 0 },
      after: { floor: 0, ceiling: 5840 },
    },
    {
      reason: "a new one without a size gets the service's",
      outcome: "create",
      declared: {},
      before: { floor: 0, ceiling: 0 },
      after: null,
      unknown: ["autoscalingLimitMinCu", "autoscalingLimitMaxCu"],
    },
    {
      reason: "a deleted one uses nothing",
      outcome: "delete",
      stored: { ...size(1), ...awake },
      declared: {},
      before: { floor: 730, ceiling: 730 },
      after: { floor: 0, ceiling: 0 },
    },
    {
      reason: "a value is known only during the update",
      stored: { ...size(1), ...suspending },
      declared: { autoscalingLimitMaxCu: unknownValue },
      before: { floor: 0, ceiling: 730 },
      after: null,
      unknown: ["autoscalingLimitMaxCu"],
    },
    {
      reason: "a secret may differ",
      stored: { ...size(1, secret), ...suspending },
      declared: size(1, secret),
      before: null,
      after: null,
      unknown: ["autoscalingLimitMaxCu"],
    },
    {
      reason: "nobody said when it suspends",
      stored: size(1),
      declared: size(2),
      before: null,
      after: null,
      unknown: ["suspendTimeoutSeconds"],
      raisesMinimum: true,
    },
    {
      reason: "what an adopted one runs is not in the preview",
      outcome: "adopt",
      declared: { ...size(1), ...suspending },
      before: null,
      after: { floor: 0, ceiling: 730 },
    },
  ])(
    "is a band: $reason",
    ({ outcome = "none", stored, declared, before, after, unknown = [], raisesMinimum = false }) => {
      const cost = costOf({ outcome, isKept: false, stored, declared });
      const neverSuspends = declared["suspendTimeoutSeconds"] === -1;
      expect(cost).toEqual({ before, after, unknown, neverSuspends, raisesMinimum });
    },
  );

  it.each<{ outcome: Outcome; declared: Values; reason: string }>([
    { outcome: "restart", declared: { poolerEnabled: true }, reason: "nothing of it changes" },
    {
      outcome: "replace",
      declared: { ...size(1), ...awake },
      reason: "the new one may use as much as the old one",
    },
    { outcome: "release", declared: {}, reason: "it goes on running" },
    { outcome: "handover", declared: {}, reason: "it goes on running" },
    { outcome: "refused", declared: size(8), reason: "nothing is applied" },
  ])("is left out under $outcome: $reason", ({ outcome, declared }) => {
    expect(costOf({ outcome, isKept: false, stored: { ...size(1), ...awake }, declared })).toBeUndefined();
  });

  it("does not end with a replacement that leaves the old compute running", () => {
    const replaced = { stored: { ...size(1), ...awake }, declared: size(2), outcome: "replace" } as const;
    expect(costOf({ ...replaced, isKept: true })?.before).toEqual({ floor: 0, ceiling: 0 });
    expect(costOf({ ...replaced, isKept: false })?.before).toEqual({ floor: 730, ceiling: 730 });
  });
});

describe("the total", () => {
  it("adds what is known, and counts what is not", () => {
    const known = { before: { floor: 0, ceiling: 730 }, after: { floor: 730, ceiling: 1460 } };
    const computes = [{ cost: known }, { cost: known }, { cost: { ...known, before: null } }, {}];
    expect(totalCost(computes as unknown as ComputeReport[])).toEqual({
      before: { floor: 0, ceiling: 1460 },
      after: { floor: 1460, ceiling: 2920 },
      unknown: 1,
    });
    expect(totalCost([])).toBeUndefined();
  });

  const cost = { before: { floor: 0, ceiling: 182.5 }, after: { floor: 182.5, ceiling: 730 } };
  const computes = [
    { cost: { ...cost, neverSuspends: true, raisesMinimum: false } },
  ] as unknown as ComputeReport[];
  const lineWith = (...prices: readonly string[]): string | undefined => {
    const total = totalCost(
      computes,
      prices.map((text) => priceFrom(text) as Price),
    );
    return totalCostLine({ cost: total!, computes });
  };

  it.each([
    { prices: [], money: "", reason: "none is set" },
    { prices: ["0.16 USD"], money: " (0.00–29.20 USD → 29.20–116.80 USD)", reason: "one is set" },
    { prices: ["0.2"], money: " (0.00–36.50 → 36.50–146.00)", reason: "no currency is named" },
    {
      prices: ["0.16 USD", "0.16  USD"],
      money: " (0.00–29.20 USD → 29.20–116.80 USD)",
      reason: "all are equal",
    },
    { prices: ["0.16 USD", "0.2 USD"], money: "", reason: "computes have different ones" },
  ])("has a price where one is set, and no other: $reason", ({ prices, money }) => {
    expect(lineWith(...prices)).toBe(`CU-hours a month: 0–182.5 → 182.5–730${money}; 1 never suspends`);
  });

  it.each(["", "free", "-1", "0,16", "0.16 usd", "USD 0.16", "1e3", "0.16 USD a month"])(
    "has no price that is written as %p, and says how to write it",
    (text) => {
      expect(priceFrom(text)).toMatchObject({ what: `it is "${text}"`, example: "0.16 USD" });
    },
  );
});

describe("--fail-on cost>N", () => {
  const run = (file: string, ...args: readonly string[]) => {
    const complaints: string[] = [];
    const code = runCommand([file, ...args], {
      read: (name) => readFileSync(fixtureFile(name ?? "")),
      list: () => undefined,
      isTerminal: false,
      print: () => undefined,
      complain: (text) => complaints.push(text),
    });
    return { code, said: complaints.join("") };
  };

  it("refuses what the upper end of the band exceeds", () => {
    const ceiling = fixtureReport("changes.json").cost?.after.ceiling ?? 0;
    expect(ceiling).toBe(6570);
    expect(run("changes.json", "--fail-on", "cost>6570")).toEqual({ code: 0, said: "" });
    expect(run("changes.json", "--fail-on", "cost>6569.5")).toEqual({
      code: 28,
      said: "compute-preview: up to 6570 CU-hours a month are what --fail-on cost>6569.5 refuses\n",
    });
    expect(run("changes.json", "--fail-on", "cost>9000", "--fail-on", "cost > 1").code).toBe(28);
  });

  it("ends with the code of another kind first", () => {
    expect(run("changes.json", "--fail-on", "cost>1,restart").code).toBe(24);
  });

  it("refuses what is not known", () => {
    const { code, said } = run("edges.json", "--fail-on", "cost>100000");
    expect(code).toBe(28);
    expect(said).toMatch(/the CU-hours of \d computes, which --fail-on cost>100000 counts, are not known/);
  });

  it.each(["cost", "cost>", "cost>much", "cost<5"])("refuses %s, and says what it takes", (word) => {
    const { code, said } = run("changes.json", "--fail-on", word);
    expect(code).toBe(2);
    expect(said).toContain(
      `--fail-on takes cost>N, with N in CU-hours a month, such as cost>1460, not "${word}"`,
    );
  });
});
