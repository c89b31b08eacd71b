import fc from "fast-check";
import type { DeclaredArguments, Stored } from "../../../../provider/pure/changes";
import { dropsOf, interruptionOf } from "../../../../provider/pure/verdict";
import { unknownValue } from "../../../../provider/pure/unknown";
import { argumentNames, type ArgumentName } from "../../../../provider/pure/fields";

const one: Stored = {
  autoscalingLimitMinCu: 1,
  autoscalingLimitMaxCu: 1,
  branchId: "br-a",
  type: "read_write",
};

const textOf = (
  before: Stored,
  after: DeclaredArguments,
  changed: readonly ArgumentName[],
): string | undefined => interruptionOf(before, after, { changed })?.text;

const bothLimits = ["autoscalingLimitMinCu", "autoscalingLimitMaxCu"] as const;
const limits = (min: unknown, max: unknown): DeclaredArguments => ({
  autoscalingLimitMinCu: min,
  autoscalingLimitMaxCu: max,
});

describe("interruptionOf", () => {
  it.each<{ after: DeclaredArguments; changed: readonly ArgumentName[]; says: RegExp; reason: string }>([
    {
      after: limits(unknownValue, unknownValue),
      changed: bothLimits,
      says: /^may restart: size, known only during the update, drops/,
      reason: "an unknown size",
    },
    {
      after: { branchId: "br-b" },
      changed: ["branchId"],
      says: /^move: branchId br-a → br-b drops/,
      reason: "a move",
    },
    {
      after: { branchId: unknownValue },
      changed: ["branchId"],
      says: /^may move: branchId, known only during the update, drops/,
      reason: "a move to a branch still to be made",
    },
    {
      after: { disabled: true },
      changed: ["disabled"],
      says: /^suspend: disabling it drops/,
      reason: "disabling",
    },
    {
      after: { type: "read_only" },
      changed: ["type"],
      says: /^replace: type read_write → read_only makes a new compute and deletes this one; its host goes away/,
      reason: "another type",
    },
    {
      after: { settings: { pgSettings: { work_mem: "8MB" } } },
      changed: ["settings"],
      says: /^may interrupt: settings\.pgSettings \(work_mem\) changes, and the interface does not say/,
      reason: "Postgres settings",
    },
    {
      after: { poolerEnabled: true },
      changed: ["poolerEnabled"],
      says: /^may interrupt: poolerEnabled true changes, and the interface does not say/,
      reason: "the pooler",
    },
    {
      after: { ...limits(2, 2), branchId: "br-b" },
      changed: ["branchId", ...bothLimits],
      says: /^move: branchId br-a → br-b and size 1 → 2 CU drops/,
      reason: "two causes, the heavier one first",
    },
  ])("says $says: $reason", ({ after, changed, says }) => {
    expect(textOf(one, after, changed)).toMatch(says);
  });

  it.each<[reason: string, before: Stored, after: DeclaredArguments, changed: readonly ArgumentName[]]>([
    ["nothing changes", one, {}, []],
    ["autosuspend", one, { suspendTimeoutSeconds: 600 }, ["suspendTimeoutSeconds"]],
    ["enabling drops nothing", one, { disabled: false }, ["disabled"]],
    ["ours alone", one, { timeouts: {}, onInterruption: "forbid" }, ["timeouts", "onInterruption"]],
  ])("says nothing where %s", (...[, before, after, changed]) => {
    expect(textOf(before, after, changed)).toBeUndefined();
  });

  it.each<{ after: DeclaredArguments; changed: readonly ArgumentName[] }>([
    { after: limits(2, 2), changed: bothLimits },
    { after: limits(0.25, 10), changed: bothLimits },
    { after: { branchId: "br-gentle-harbor-1a2b3c4d" }, changed: ["branchId"] },
    { after: { disabled: true }, changed: ["disabled"] },
    { after: { poolerEnabled: true }, changed: ["poolerEnabled"] },
    { after: { type: "read_only" }, changed: ["type"] },
  ])("keeps a usual notice within 150 characters: $changed", ({ after, changed }) => {
    const before = { ...one, branchId: "br-gentle-harbor-1a2b3c4d" };
    expect(textOf(before, after, changed)?.length).toBeLessThanOrEqual(150);
  });

  it("shows no value of a Postgres setting", () => {
    const before: Stored = {
      settings: { pgSettings: { key: "0ld-s3cret" } },
    };
    const after: DeclaredArguments = {
      settings: { pgSettings: { key: "n3w-s3cret" } },
    };
    expect(textOf(before, after, ["settings"])).not.toMatch(/s3cret/);
  });

  it("shows nothing of arguments that are secret", () => {
    const before: Stored = { branchId: "br-s3cret-a", regionId: "s3cret", ...limits(9, 9) };
    const after: DeclaredArguments = { branchId: "br-s3cret-b", regionId: "s3cret2", ...limits(8, 8) };
    for (const name of ["branchId", "regionId", "autoscalingLimitMinCu"] as const) {
      const secrets = ["branchId", "regionId", ...bothLimits];
      expect(interruptionOf(before, after, { changed: [name], secrets })?.text).not.toMatch(/s3cret|[89]/);
    }
  });

  it("has a sentence for every combination of changes, certain or not, and never throws", () => {
    const known = [1, "text", true, false, { a: 1 }, undefined];
    const valuesOf = (values: readonly unknown[]): fc.Arbitrary<Record<string, unknown>> =>
      fc.dictionary(fc.constantFrom(...argumentNames), fc.constantFrom(...values));
    fc.assert(
      fc.property(valuesOf(known), valuesOf([...known, unknownValue]), (before, after) => {
        const changed = argumentNames.filter((name) => after[name] !== undefined);
        const told = interruptionOf(before, after, { changed });
        if (told === undefined) return;
        expect(told.text.startsWith("may ")).toBe(!told.certain);
        expect(told.text).not.toContain(unknownValue);
        expect(told.text).not.toMatch(/undefined|\[object|\n/);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("dropsOf", () => {
  it.each([
    { effect: "restart", certain: true, now: "active", drops: "yes", reason: "it serves connections" },
    { effect: "restart", certain: true, now: undefined, drops: "yes", reason: "nobody could be asked" },
    { effect: "restart", certain: false, now: "active", drops: "may", reason: "only the update will know" },
    {
      effect: "unstated",
      certain: false,
      now: undefined,
      drops: "may",
      reason: "the interface does not say",
    },
    { effect: "replace", certain: true, now: "idle", drops: "no", reason: "none is open" },
    { effect: "move", certain: false, now: "disabled", drops: "no", reason: "none can be open" },
    { effect: "none", certain: true, now: "active", drops: "no", reason: "connections are unaffected" },
    { effect: "none", certain: false, now: undefined, drops: "no", reason: "whatever the update will know" },
  ] as const)("is $drops for $effect, certain: $certain, now: $now: $reason", ({ drops, ...verdict }) => {
    expect(dropsOf(verdict)).toBe(drops);
  });
});
