/** What a policy decides about a change, and which place sets it. */
import type { Arguments } from "../../../../provider/model/changes";
import { changeOf, type Running } from "../../../../provider/model/interruption";
import { decideOn, mayHoldBack } from "../../../../provider/model/policy";
import { fixedSize } from "../../../../provider/model/sizes";
import { unknownValue } from "../../../../provider/model/unknown";
import { readConfig, type Configured } from "../../../../provider/settings/config";

const one: Arguments = { projectId: "p", branchId: "br-a", type: "read_write", ...fixedSize(1) };
const two = fixedSize(2);

describe("a policy", () => {
  /** Monday, 5 January 2026. */
  const nowMs = Date.UTC(2026, 0, 5, 8);
  const resized = (onInterruption?: string, running?: Running) =>
    changeOf(
      { ...one, onInterruption },
      { ...two, ...(onInterruption !== undefined && { onInterruption }) },
      { now: running && { running } },
    );
  const set = (place: "stack" | "argument", policy: string): Configured => ({
    place,
    read: (key) => (key === "compute:onInterruption" ? policy : undefined),
  });
  const others =
    'set onInterruption (in Python: on_interruption) to "warn" on this resource, which overrides that setting';

  it.each<[place: string, given: Configured, variable?: string, own?: string]>([
    ["on this resource, set by the program or by a policy pack", set("stack", "warn"), "warn", "forbid"],
    ["in the arguments of its Provider", set("argument", "forbid")],
    ["in the stack's configuration (compute:onInterruption)", set("stack", "forbid"), "forbid-when-active"],
    ["in the environment (COMPUTE_ON_INTERRUPTION)", set("argument", "warn"), "forbid", unknownValue],
  ])("names the one place that refuses: %s", (...[place, given, variable, own]) => {
    const config = readConfig(given, { COMPUTE_ON_INTERRUPTION: variable });
    const { inputs, refusal } = { ...resized(own), ...decideOn(resized(own), { config, nowMs }) };
    expect(refusal?.what).toMatch(/^restart: size 1 → 2 CU/);
    const allows = own === "forbid" ? 'set onInterruption (in Python: on_interruption) to "warn"' : others;
    expect(refusal?.fix).toBe(
      `This is forbidden here: onInterruption is "forbid" ${place}. To allow the change, ${allows}`,
    );
    expect(mayHoldBack(inputs, config)).toBe(true);
    const allowed = resized("warn");
    expect(decideOn(allowed, { config, nowMs })).toEqual({});
    expect(mayHoldBack(allowed.inputs, config)).toBe(false);
  });

  it.each<[policy: string, decided: string, running: Running | undefined, isFinal: boolean, reason: string]>([
    ["forbid", "refusal", "idle", false, "it allows no interruption"],
    ["forbid-when-active", "refusal", "active", false, "it is active"],
    ["forbid-when-active", "", "idle", false, "it runs nothing"],
    ["defer", "deferral", "active", false, "it is active"],
    ["defer", "deferral", "active", true, "a client has connected since the check"],
    ["defer", "proviso", "idle", false, "the update looks again"],
    ["defer", "proviso", undefined, false, "the update can still look"],
    ["defer", "", "idle", true, "it runs nothing"],
    ["defer", "deferral", undefined, true, "the service could not be asked"],
  ])(
    "%s answers %j if a compute is %s (right before sending: %s): %s",
    (...[policy, decided, running, isFinal]) => {
      const config = readConfig(() => undefined, {});
      const decision = decideOn(resized(policy, running), { config, nowMs, isFinal });
      expect(Object.keys(decision).join()).toBe(decided);
    },
  );
});
