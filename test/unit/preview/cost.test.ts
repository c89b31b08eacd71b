import { costOf, totalCost } from "../../../preview/judge/cost";
import type { ComputeReport, Outcome } from "../../../preview/judge/shape";
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

describe("the CU-hours of one compute", () => {
  it.each<{
    reason: string;
    outcome?: Outcome;
    stored?: Values;
    declared: Values;
    before: unknown;
    after: unknown;
  }>([
    {
      reason: "one that may suspend uses nothing at least",
      stored: { ...size(0.25), ...suspending },
      declared: size(1, 2),
      before: { floor: 0, ceiling: 182.5 },
      after: { floor: 0, ceiling: 1460 },
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
    },
    {
      reason: "a secret may differ",
      stored: { ...size(1, secret), ...suspending },
      declared: size(1, secret),
      before: null,
      after: null,
    },
    {
      reason: "nobody said when it suspends",
      stored: size(1),
      declared: size(2),
      before: null,
      after: null,
    },
    {
      reason: "what an adopted one runs is not in the preview",
      outcome: "adopt",
      declared: { ...size(1), ...suspending },
      before: null,
      after: { floor: 0, ceiling: 730 },
    },
  ])("is a band: $reason", ({ outcome = "none", stored, declared, before, after }) => {
    expect(costOf({ outcome, isKept: false, stored, declared })).toEqual({ before, after });
  });

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

  it.each([
    { unknown: 0, line: "CU-hours a month: 0–182.5 → 182.5–730" },
    { unknown: 2, line: "CU-hours a month: 0–182.5 → 182.5–730; not known for 2 computes" },
  ])("is a line of the headline: $line", ({ unknown, line }) => {
    const cost = { before: { floor: 0, ceiling: 182.5 }, after: { floor: 182.5, ceiling: 730 } };
    const unread = { cost: { before: null, after: null } };
    const computes = [{ cost }, ...Array.from({ length: unknown }, () => unread)] as ComputeReport[];
    expect(totalCostLine({ cost: totalCost(computes)!, computes })).toBe(line);
  });
});
