import { costOf, totalCost } from "../../../preview/judge/cost";
import type { Outcome } from "../../../preview/judge/shape";
import { totalCostLine } from "../../../preview/render/words";
import { secret } from "../../../preview/read/values";
import { unknownValue } from "../../../provider/endpoint/planning/unknown";
import { size, type Properties } from "./previews";

const suspending = { suspendTimeoutSeconds: 300 };
const awake = { suspendTimeoutSeconds: -1 };
const pausing = (...cu: Parameters<typeof size>): Properties => ({ ...size(...cu), ...suspending });
const steady = { ...size(1), ...awake };

const band = (floor: number, ceiling: number): { floor: number; ceiling: number } => ({ floor, ceiling });
const nothing = band(0, 0);
const whole = band(730, 730);

type Row = [
  reason: string,
  stored: Properties | undefined,
  declared: Properties,
  before: unknown,
  after: unknown,
  outcome?: Outcome,
];

const rows: readonly Row[] = [
  ["it may suspend, and uses nothing then", pausing(0.25), size(1, 2), band(0, 182.5), band(0, 1460)],
  ["it never suspends, and uses its minimum then", pausing(0.25, 2), awake, band(0, 1460), band(182.5, 1460)],
  ["0 is the service's default, which suspends", steady, { suspendTimeoutSeconds: 0 }, whole, band(0, 730)],
  ["a disabled one runs nothing", steady, { disabled: true }, whole, nothing],
  ["a new one suspends by default", undefined, size(2, 8), nothing, band(0, 5840), "create"],
  ["a new one without a size gets the service's", undefined, {}, nothing, null, "create"],
  ["a deleted one uses nothing", steady, {}, whole, nothing, "delete"],
  [
    "an update's value is not known yet",
    pausing(1),
    { autoscalingLimitMaxCu: unknownValue },
    band(0, 730),
    null,
  ],
  ["a secret may differ", { ...size(1, secret), ...suspending }, size(1, secret), null, null],
  ["nobody said when it suspends", size(1), size(2), null, null],
  ["what an adopted one runs is not in the preview", undefined, pausing(1), null, band(0, 730), "adopt"],
];

describe("the CU-hours of one compute", () => {
  it.each(rows)("is a band: %s", (...[, stored, declared, before, after, outcome = "none"]) => {
    expect(costOf({ outcome, isKept: false, stored, declared })).toEqual({ before, after });
  });

  it.each<[outcome: Outcome, reason: string, declared: Properties]>([
    ["restart", "nothing of it changes", { poolerEnabled: true }],
    ["replace", "the new one may use as much as the old one", steady],
    ["release", "it goes on running", {}],
    ["handover", "it goes on running", {}],
    ["refused", "nothing is applied", size(8)],
  ])("is left out under %s: %s", (outcome, _reason, declared) => {
    expect(costOf({ outcome, isKept: false, stored: steady, declared })).toBeUndefined();
  });

  it("does not end with a replacement that leaves the old compute running", () => {
    const replaced = { stored: steady, declared: size(2), outcome: "replace" } as const;
    expect(costOf({ ...replaced, isKept: true })?.before).toEqual(nothing);
    expect(costOf({ ...replaced, isKept: false })?.before).toEqual(whole);
  });
});

describe("the total", () => {
  it("adds what is known, and counts what is not", () => {
    const known = { before: band(0, 730), after: band(730, 1460) };
    const total = { before: band(0, 1460), after: band(1460, 2920), unknown: 1 };
    expect(totalCost([known, known, { ...known, before: null }, undefined])).toEqual(total);
    expect(totalCost([])).toBeUndefined();
  });

  it.each([
    { unknown: 0, line: "CU-hours a month: 0–182.5 → 182.5–730" },
    { unknown: 2, line: "CU-hours a month: 0–182.5 → 182.5–730; not known for 2 computes" },
  ])("is a line of the headline: $line", ({ unknown, line }) => {
    const cost = { before: band(0, 182.5), after: band(182.5, 730), unknown };
    expect(totalCostLine({ cost })).toBe(line);
  });
});
