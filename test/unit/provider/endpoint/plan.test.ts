import { readConfig, type Configured } from "../../../../provider/settings/config";
import { changeOf, mayInterrupt, type Running } from "../../../../provider/model/interruption";
import { decideOn, mayHoldBack } from "../../../../provider/model/policy";

import { unknownValue } from "../../../../provider/model/unknown";

const one = { autoscalingLimitMinCu: 1, autoscalingLimitMaxCu: 1 };
const two = { autoscalingLimitMinCu: 2, autoscalingLimitMaxCu: 2 };

/** Monday, 5 January 2026. */
const nowMs = Date.UTC(2026, 0, 5, 8);

it.each<[disabled: boolean, running: Running | undefined, interrupts: boolean, reason: string]>([
  [true, undefined, false, "a state says no more than that"],
  [true, "disabled", false, "it runs nothing"],
  [true, "active", true, "its suspend failed"],
  [false, "active", true, "it runs"],
])("a size interrupts one that is disabled (%s) and %s: %s, %s", (...[disabled, running, interrupts]) => {
  const change = changeOf({ ...one, disabled }, two, { now: running && { running } });
  expect(change.interruption !== undefined).toBe(interrupts);
  // Whether the service is asked does not depend on what it would say.
  expect(mayInterrupt(change)).toBe(true);
});

describe("a policy", () => {
  const resized = (onInterruption?: string, running?: Running) =>
    changeOf(
      { ...one, onInterruption },
      { ...two, ...(onInterruption !== undefined && { onInterruption }) },
      { now: running && { running } },
    );
  const says = (policy: string) => (key: string) => (key === "compute:onInterruption" ? policy : undefined);
  const places = {
    argument: "in the arguments of its Provider",
    stack: "in the stack's configuration, compute:onInterruption",
    environment: "in the environment, COMPUTE_ON_INTERRUPTION",
  };
  const others = 'set onInterruption: "warn" on this resource, which overrides that';

  const stack = (policy: string): Configured => ({ place: "stack", read: says(policy) });
  const argument = (policy: string): Configured => ({ place: "argument", read: says(policy) });

  it.each<{ given: Configured; variable?: string; own?: string; place: string; allows: string }>([
    {
      given: stack("warn"),
      variable: "warn",
      own: "forbid",
      place: "on this resource",
      allows: 'set it to "warn"',
    },
    { given: argument("forbid"), place: places.argument, allows: others },
    { given: stack("forbid"), variable: "forbid-when-active", place: places.stack, allows: others },
    {
      given: argument("warn"),
      variable: "forbid",
      own: unknownValue,
      place: places.environment,
      allows: others,
    },
  ])("names the one place that refuses: $place", ({ given, variable, own, place, allows }) => {
    const config = readConfig(given, { COMPUTE_ON_INTERRUPTION: variable });
    const { inputs, refusal } = { ...resized(own), ...decideOn(resized(own), { config, nowMs }) };
    expect(refusal?.what).toMatch(/^restart: size 1 → 2 CU/);
    expect(refusal?.fix).toBe(
      `This is forbidden here (onInterruption is "forbid" ${place}): to allow it, ${allows}`,
    );
    expect(mayHoldBack(inputs, config)).toBe(true);
    const allowed = resized("warn");
    expect(decideOn(allowed, { config, nowMs })).toEqual({});
    expect(mayHoldBack(allowed.inputs, config)).toBe(false);
  });

  it.each<[policy: string, decided: string, running: Running | undefined, isFinal: boolean, reason: string]>([
    ["forbid", "refusal", "idle", false, "it allows none"],
    ["forbid-when-active", "refusal", "active", false, "it is active"],
    ["forbid-when-active", "", "idle", false, "it runs nothing"],
    ["defer", "deferral", "active", false, "it is active"],
    ["defer", "deferral", "active", true, "a client has connected since the check"],
    ["defer", "proviso", "idle", false, "the update looks again"],
    ["defer", "proviso", undefined, false, "the update can still look"],
    ["defer", "", "idle", true, "it runs nothing"],
    ["defer", "deferral", undefined, true, "nobody could look"],
  ])(
    "%s answers %s for a compute that is %s (last look: %s): %s",
    (...[policy, decided, running, isFinal]) => {
      const config = readConfig(() => undefined, {});
      expect(Object.keys(decideOn(resized(policy, running), { config, nowMs, isFinal })).join()).toBe(
        decided,
      );
    },
  );
});
