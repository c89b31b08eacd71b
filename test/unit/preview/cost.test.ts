import { costOf, totalCost } from "../../../preview/judge/cost";
import type { Outcome } from "../../../preview/judge/shape";
import { totalCostLine } from "../../../preview/render/words";
import { secret } from "../../../preview/read/values";
import { unknownValue } from "../../../provider/endpoint/planning/unknown";

type Values = Readonly<Record<string, unknown>>;

const size = (minCu: unknown, maxCu = minCu): Values => ({
  autoscalingLimitMinCu: minCu,
  autoscalingLimitMaxCu: maxCu,
});
const suspending = { suspendTimeoutSeconds: 300 };
const awake = { suspendTimeoutSeconds: -1 };

const band = (floor: number, ceiling: number): unknown => ({ floor, ceiling });
const nothing = band(0, 0);
const whole = band(730, 730);

type Row = [
  reason: string,
  stored: Values | undefined,
  declared: Values,
  before: unknown,
  after: unknown,
  outcome?: Outcome,
];

const rows: readonly Row[] = [
  [
    "one that may suspend uses nothing at least",
    { ...size(0.25), ...suspending },
    size(1, 2),
    band(0, 182.5),
    band(0, 1460),
  ],
  [
    "one that never suspends uses its minimum all the time",
    { ...size(0.25, 2), ...suspending },
    awake,
    band(0, 1460),
    band(182.5, 1460),
  ],
  [
    "0 is the service's default, which suspends",
    { ...size(1), ...awake },
    { suspendTimeoutSeconds: 0 },
    whole,
    band(0, 730),
  ],
  ["a disabled one runs nothing", { ...size(1), ...awake }, { disabled: true }, whole, nothing],
  ["a new one suspends by default", undefined, size(2, 8), nothing, band(0, 5840), "create"],
  ["a new one without a size gets the service's", undefined, {}, nothing, null, "create"],
  ["a deleted one uses nothing", { ...size(1), ...awake }, {}, whole, nothing, "delete"],
  [
    "a value is known only during the update",
    { ...size(1), ...suspending },
    { autoscalingLimitMaxCu: unknownValue },
    band(0, 730),
    null,
  ],
  ["a secret may differ", { ...size(1, secret), ...suspending }, size(1, secret), null, null],
  ["nobody said when it suspends", size(1), size(2), null, null],
  [
    "what an adopted one runs is not in the preview",
    undefined,
    { ...size(1), ...suspending },
    null,
    band(0, 730),
    "adopt",
  ],
];

describe("the CU-hours of one compute", () => {
  it.each(rows)("is a band: %s", (...[, stored, declared, before, after, outcome = "none"]) => {
    expect(costOf({ outcome, isKept: false, stored, declared })).toEqual({ before, after });
  });

  it.each<[outcome: Outcome, reason: string, declared: Values]>([
    ["restart", "nothing of it changes", { poolerEnabled: true }],
    ["replace", "the new one may use as much as the old one", { ...size(1), ...awake }],
    ["release", "it goes on running", {}],
    ["handover", "it goes on running", {}],
    ["refused", "nothing is applied", size(8)],
  ])("is left out under %s: %s", (outcome, _reason, declared) => {
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
    expect(totalCost([known, known, { ...known, before: null }, undefined])).toEqual({
      before: { floor: 0, ceiling: 1460 },
      after: { floor: 1460, ceiling: 2920 },
      unknown: 1,
    });
    expect(totalCost([])).toBeUndefined();
  });

  it.each([
    { unknown: 0, line: "CU-hours a month: 0–182.5 → 182.5–730" },
    { unknown: 2, line: "CU-hours a month: 0–182.5 → 182.5–730; not known for 2 computes" },
  ])("is a line of the headline: $line", ({ unknown, line }) => {
    const cost = { before: { floor: 0, ceiling: 182.5 }, after: { floor: 182.5, ceiling: 730 } };
    const unread = { before: null, after: null };
    const costs = [cost, ...Array.from({ length: unknown }, () => unread)];
    expect(totalCostLine({ cost: totalCost(costs)! })).toBe(line);
  });
});
