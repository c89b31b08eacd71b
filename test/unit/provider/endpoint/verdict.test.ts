import fc from "fast-check";
import type { Arguments } from "../../../../provider/model/changes";
import { argumentNames } from "../../../../provider/model/fields";
import { changeOf, forcedReplacement, interruptionOf } from "../../../../provider/model/interruption";
import { autoscaling, fixedSize } from "../../../../provider/model/sizes";
import { changeIn, dropsOf, isNotice, noticeParts, rowText } from "../../../../provider/model/notice";
import { unknownValue } from "../../../../provider/model/unknown";

const longBranch = "br-gentle-harbor-1a2b3c4d";
const twoOrMore = { autoscalingLimitMinCu: 2, autoscalingLimitMaxCu: unknownValue };
const one: Arguments = { ...fixedSize(1), branchId: "br-a", type: "read_write" };

describe("an interruption", () => {
  it.each<Arguments>([
    fixedSize(2),
    autoscaling(0.25, 10),
    { branchId: longBranch },
    { disabled: true },
    { poolerEnabled: true },
    { type: "read_only" },
  ])("has a usual notice within 150 characters: %j", (after) => {
    const { interruption } = changeOf({ ...one, branchId: longBranch.replace("1", "2") }, after);
    expect(interruption?.text.length).toBeLessThanOrEqual(150);
  });

  it("has a sentence for every combination of changes, certain or not, and never throws", () => {
    const known = [1, "text", true, false, { a: 1 }, undefined];
    const valuesOf = (values: readonly unknown[]): fc.Arbitrary<Record<string, unknown>> =>
      fc.dictionary(fc.constantFrom(...argumentNames), fc.constantFrom(...values));
    fc.assert(
      fc.property(valuesOf(known), valuesOf([...known, unknownValue]), (before, after) => {
        const changed = argumentNames.filter((name) => after[name] !== undefined);
        const told = interruptionOf({ before, inputs: after, changed }, {});
        if (told === undefined) return;
        expect(told.text.startsWith("may ")).toBe(!told.certain);
        const { effect, certain } = told;
        const deferred = `deferred until it is idle: ${told.text}`;
        expect(noticeParts(deferred)).toEqual({ effect, certain, until: "until it is idle" });
        expect(told.text).toContain(`: ${changeIn(deferred)!}`);
        expect([told.text, "no notice"].map(isNotice)).toEqual([true, false]);
        expect(told.text).not.toContain(unknownValue);
        expect(told.text).not.toMatch(/undefined|\[object|\n/);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each<[reason: string, parts: string, after: Arguments, isGuess?: boolean]>([
    ["each part counts", "move, suspend, restart", { ...twoOrMore, branchId: "br-b", disabled: true }],
    ["the region is not known yet", "restart, may replace", { ...fixedSize(2), regionId: unknownValue }],
    ["a new compute is so from the start", "replace", { type: "read_only", disabled: unknownValue }],
    ["what the interface does not say adds nothing", "restart", { ...fixedSize(2), poolerEnabled: true }],
    ["no part of a guess is certain", "may suspend, may restart", { ...fixedSize(2), disabled: true }, true],
  ])("of several changes says what each part does: %s, %s", (...[, parts, after, isGuess = false]) => {
    const { also = [], ...first } = changeOf(one, after, { isGuess }).interruption!;
    const told = [first, ...also].map(({ effect, certain }) => (certain ? effect : `may ${effect}`));
    expect(told.join(", ")).toBe(parts);
  });
});

describe("dropsOf", () => {
  it.each([
    { effect: "restart", certain: true, now: "active", drops: "yes", reason: "it serves connections" },
    { effect: "restart", certain: true, now: undefined, drops: "yes", reason: "nobody could be asked" },
    { effect: "restart", certain: false, now: "active", drops: "may", reason: "only the update will know" },
    { effect: "replace", certain: true, now: "idle", drops: "no", reason: "none is open" },
    { effect: "move", certain: false, now: "disabled", drops: "no", reason: "none can be open" },
    { effect: "none", certain: true, now: "active", drops: "no", reason: "connections are unaffected" },
    { effect: "none", certain: false, now: undefined, drops: "no", reason: "whatever the update will know" },
  ] as const)("is $drops for $effect, certain: $certain, now: $now: $reason", ({ drops, ...verdict }) => {
    expect(dropsOf(verdict)).toBe(drops);
  });
});

it.each([
  ["a size", () => changeOf(one, fixedSize(2), { service: "interface" }), / open connections NOW; max_/],
  [
    "a size, with the pooler on",
    () => changeOf({ ...one, poolerEnabled: true }, fixedSize(2), { service: "interface" }),
    / drops open connections, pooled ones too NOW; max_connections /,
  ],
  ["an unstated effect", () => changeOf({}, { settings: {} }), / whether open connections survive NOW$/],
  ["a replacement", () => ({ interruption: forcedReplacement }), / and open connections drop NOW$/],
])("the row of %s says beside the connections what is so now", (_reason, make, says) => {
  const told = { property: "interruption", ...make().interruption! } as const;
  const now = { running: "active", lastAccess: "5 min ago" } as const;
  expect(rowText({ ...told, now }).replace("(active now, last access 5 min ago)", "NOW")).toMatch(says);
  expect(rowText({ ...told, now: { running: undefined } })).toBe(told.text);
  expect(rowText({ ...told, certain: false, now: undefined })).toBe(`may ${told.text.replace("may ", "")}`);
});
