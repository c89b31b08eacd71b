import { readConfig, type Configured } from "../../../../provider/settings/config";
import { changeOf, decideOn, mayInterrupt, type PlannedChange } from "../../../../provider/pure/plan";
import { mayHoldBack } from "../../../../provider/pure/policy";
import type { Running } from "../../../../provider/pure/interruption";
import { unknownValue } from "../../../../provider/pure/unknown";

const one = { autoscalingLimitMinCu: 1, autoscalingLimitMaxCu: 1 };
const two = { autoscalingLimitMinCu: 2, autoscalingLimitMaxCu: 2 };

/** Monday, 5 January 2026. */
const nowMs = Date.UTC(2026, 0, 5, 8);

/** @param running - undefined where nobody was asked. */
function resize(onInterruption: string, running?: Running): PlannedChange {
  const now = running && { running };
  return changeOf({ ...one, onInterruption }, { ...two, onInterruption }, { now });
}

describe("changeOf", () => {
  it("says what differs, and what that interrupts", () => {
    const change = changeOf({ ...one, suspendTimeoutSeconds: 300 }, { ...two, suspendTimeoutSeconds: 600 });
    expect(change.changed).toEqual([
      "autoscalingLimitMinCu",
      "autoscalingLimitMaxCu",
      "suspendTimeoutSeconds",
    ]);
    expect(change.interruption).toMatchObject({ effect: "restart", certain: true });
  });

  it.each<[disabled: boolean, running: Running | undefined, interrupts: boolean, reason: string]>([
    [true, undefined, false, "a state says no more than that"],
    [true, "disabled", false, "it runs nothing"],
    [true, "active", true, "its suspend failed"],
    [false, "active", true, "it runs"],
  ])("interrupts one that is disabled (%s) and %s: %s, %s", (...[disabled, running, interrupts]) => {
    const change = changeOf({ ...one, disabled }, two, { now: running && { running } });
    expect(change.interruption !== undefined).toBe(interrupts);
    // Whether the service is asked does not depend on what it would say.
    expect(mayInterrupt(change)).toBe(true);
  });
});

describe("decideOn", () => {
  const config = readConfig(() => undefined, {});
  const forbidding = readConfig(() => undefined, { COMPUTE_ON_INTERRUPTION: "forbid" });
  const windowed = readConfig(() => undefined, {
    COMPUTE_ON_INTERRUPTION: "defer",
    COMPUTE_INTERRUPTION_WINDOW: "Mon 10:00-12:00 UTC",
  });

  it.each([
    { onInterruption: "warn", refused: false, reason: "the resource's own setting counts" },
    { onInterruption: undefined, refused: true, reason: "the stack's, where it has none" },
    { onInterruption: unknownValue, refused: true, reason: "or none that is known yet" },
  ])("refuses: $refused, $reason", ({ onInterruption, refused }) => {
    const change = changeOf(one, { ...two, ...(onInterruption === undefined ? {} : { onInterruption }) });
    expect(decideOn(change, { config: forbidding, nowMs }).refusal !== undefined).toBe(refused);
    expect(mayHoldBack(change.inputs, forbidding)).toBe(refused);
  });

  const says = (policy: string) => (key: string) => (key === "compute:onInterruption" ? policy : undefined);

  it.each<{ given: Configured; variable?: string; own?: string; says: string }>([
    {
      given: { place: "stack", read: says("warn") },
      variable: "warn",
      own: "forbid",
      says: '(onInterruption is "forbid" on this resource): to allow it, set it to "warn"',
    },
    {
      given: { place: "argument", read: says("forbid") },
      says: '(onInterruption is "forbid" in the arguments of its Provider): to allow it, set onInterruption: "warn" on this resource, which overrides that',
    },
    {
      given: { place: "stack", read: says("forbid") },
      variable: "forbid-when-active",
      says: '(onInterruption is "forbid" in the stack\'s configuration, compute:onInterruption): to allow it, set onInterruption: "warn" on this resource, which overrides that',
    },
    {
      given: { place: "argument", read: says("warn") },
      variable: "forbid",
      says: '(onInterruption is "forbid" in the environment, COMPUTE_ON_INTERRUPTION): to allow it, set onInterruption: "warn" on this resource, which overrides that',
    },
  ])(
    "names the one place that refuses, and one way to allow it: $says",
    ({ given, variable, own, says: fix }) => {
      const refusing = readConfig(given, { COMPUTE_ON_INTERRUPTION: variable });
      const refusedFor = (policy?: string): ReturnType<typeof decideOn>["refusal"] =>
        decideOn(changeOf(one, { ...two, ...(policy === undefined ? {} : { onInterruption: policy }) }), {
          config: refusing,
          nowMs,
        }).refusal;
      expect(refusedFor(own)?.what).toMatch(/^restart: size 1 → 2 CU/);
      expect(refusedFor(own)?.fix).toBe(`This is forbidden here ${fix}`);
      expect(refusedFor("warn")).toBeUndefined();
    },
  );

  it("leaves for the window what interrupts, and applies the rest", () => {
    const change = changeOf(
      { ...one, suspendTimeoutSeconds: 300 },
      { ...two, suspendTimeoutSeconds: 600 },
      { now: { running: "active" } },
    );
    const { deferral, refusal } = decideOn(change, { config: windowed, nowMs });
    expect(refusal).toBeUndefined();
    expect(deferral).toMatchObject({
      names: ["autoscalingLimitMinCu", "autoscalingLimitMaxCu"],
      verdict: {
        effect: "restart",
        text: "until it is idle, or until Mon 5 Jan 10:00 (UTC)",
        until: "2026-01-05T10:00:00.000Z",
      },
    });
    expect(deferral?.text).toMatch(
      /^until it is idle, or until Mon 5 Jan 10:00 \(UTC\): restart: size 1 → 2 CU.*; the first update that finds it idle applies it$/,
    );
    expect(decideOn(change, { config: windowed, nowMs: nowMs + 3 * 3_600_000 })).toEqual({});
  });

  it.each<[decided: string, running: Running | undefined, isFinal: boolean, reason: string]>([
    ["deferral", "active", false, "it is active"],
    ["deferral", "active", true, "a client has connected since the check"],
    ["proviso", "idle", false, "the update looks again"],
    ["proviso", undefined, false, "the update can still look"],
    ["", "idle", true, "it runs nothing"],
    ["deferral", undefined, true, "nobody could look"],
  ])(
    "under defer answers %s for a compute that is %s (last look: %s): %s",
    (...[decided, running, isFinal]) => {
      const decision = decideOn(resize("defer", running), { config, nowMs, isFinal });
      expect(Object.keys(decision).join()).toBe(decided);
    },
  );

  it.each<{ change: PlannedChange; cannotWait?: readonly string[]; reason: string }>([
    { change: changeOf({ branchId: "br-a" }, { branchId: "br-b" }), reason: "a move" },
    { change: changeOf({ type: "read_write" }, { type: "read_only" }), reason: "a replacement" },
    { change: changeOf(one, two), cannotWait: ["autoscalingLimitMinCu"], reason: "a value that cannot stay" },
  ])(
    "refuses $reason outside the window, and says until when it is closed",
    ({ change, cannotWait = [] }) => {
      const { deferral, refusal } = decideOn(change, { config: windowed, nowMs, cannotWait, isFinal: true });
      expect(deferral).toBeUndefined();
      expect(refusal?.fix).toMatch(
        /cannot be left for later.* it is refused until it is idle, or until Mon 5 Jan 10:00 \(UTC\)/,
      );
    },
  );
});
