/** What a change interrupts, and the sentence and the data that say so. */
import fc from "fast-check";
import type { Arguments } from "../../../../provider/model/changes";
import { argumentNames } from "../../../../provider/model/fields";
import {
  changeOf,
  forcedReplacement,
  interruptionOf,
  mayInterrupt,
} from "../../../../provider/model/interruption";
import type { Running } from "../../../../provider/model/interruption";
import { changeIn, dropsOf, isNotice, rowText, verdictOnRow } from "../../../../provider/model/notice";
import { autoscaling as size, fixedSize } from "../../../../provider/model/sizes";
import { unknownValue } from "../../../../provider/model/unknown";

const one: Arguments = { projectId: "p", branchId: "br-a", type: "read_write", ...fixedSize(1) };
const two = fixedSize(2);
const unknown = unknownValue as unknown as number;
const onlyIn = "(value known only during the update)";

const restart = (text: string, figures = "", drops = "drops"): string =>
  `restart: size ${text} ${drops} open connections${figures}`;
const figures = "; max_connections 450 to 901, RAM 4 to 8 GB, file cache 3.2 to 6.4 GB";
const larger = restart("1 → 2 CU", figures);
const together = larger.replace(" drops", " drop");
const interrupt = (text: string): string =>
  `may interrupt: ${text}; the service does not document whether open connections survive`;
const goes = "creates a new compute and deletes this one; the old host goes away and open connections drop";
const go = goes.replace("creates", "create").replace("deletes", "delete");
const pg = (pgSettings: unknown): object => ({ settings: { pgSettings } });
const jit = (value: string): object => pg({ work_mem: "4MB", jit: value });
const withJit = {
  ...one,
  ...jit("off"),
  managed: ["settings.pgSettings.work_mem", "settings.pgSettings.jit"],
};
const off = { ...one, disabled: true };
const after = (restartTriggers: unknown): Arguments => ({ restartTriggers });
const triggers = (names: string, may = ""): string =>
  `${may}restart: restartTriggers${names} ${may === "" ? "drops" : "may drop"} open connections`;

/** The rows have whole sentences, because a missing word matters as much as a wrong word. */
it.each<[says: string | undefined, reason: string, after: Arguments, before?: Arguments]>([
  [larger, "connections and memory follow the minimum", two],
  [restart("1 → 1–4 CU"), "the maximum changes nothing for clients", size(1, 4)],
  [restart("1 → 1–4 CU"), "a limit that is not declared stays", { autoscalingLimitMaxCu: 4 }],
  [restart("1 → ?–4 CU"), "one limit is not known yet", size(unknown, 4)],
  [`may ${restart(onlyIn, "", "may drop")}`, "neither limit is known yet", size(unknown, unknown)],
  [
    `may ${restart("1–2 CU (if the current size differs)", "", "may drop")}`,
    "no maximum was declared before",
    size(1, 2),
    { autoscalingLimitMinCu: 1 },
  ],
  [larger, "one limit is known to change", two, { autoscalingLimitMinCu: 1 }],
  [restart("1 → 2 CU"), "the minimum was the service's choice", two, { autoscalingLimitMaxCu: 1 }],
  [restart("1 → 56 CU"), "the new size is not in the table", fixedSize(56)],
  [
    `may ${restart("1 → 2 CU", figures, "may drop")}`,
    "the state calls the compute disabled, which somebody may have enabled",
    two,
    off,
  ],
  [`replace: projectId p → q ${goes}`, "a disabled compute is replaced", { projectId: "q" }, off],
  [
    `replace: projectId p → q ${goes}`,
    "a new compute has its size from the start",
    { ...two, projectId: "q" },
  ],
  [`replace: type read_write → read_only ${goes}`, "another type", { type: "read_only" }],
  [`replace: projectId p → q and regionId r ${go}`, "two causes", { projectId: "q", regionId: "r" }],
  [
    larger.replace(" drops", " and poolerEnabled true drop"),
    "one cause is certain",
    { ...two, poolerEnabled: true },
  ],
  [
    together.replace("size", `branchId ${onlyIn} and size`).replace(";", "; also: may move;"),
    "the certain cause comes first, even if it is the lighter one",
    { ...two, branchId: unknownValue },
  ],
  [
    together.replace("restart: ", "move: branchId br-a → br-b and ").replace(";", "; also: restart;"),
    "two causes, the heavier one first",
    { ...two, branchId: "br-b" },
  ],
  [larger, "changes that drop nothing are not named", { ...two, suspendTimeoutSeconds: 60, disabled: false }],
  [
    larger.replace("connections;", "connections, pooled ones too;"),
    "the pooler is on",
    two,
    { ...one, poolerEnabled: true },
  ],
  ["suspend: disabling the compute drops open connections", "disabling", { disabled: true }],
  [`may suspend: disabled ${onlyIn} may drop open connections`, "not known yet", { disabled: unknownValue }],
  [undefined, "enabling drops nothing", { disabled: false }, off],
  [interrupt("settings.pgSettings (jit)"), "a setting's name, without its value", jit("on"), withJit],
  [interrupt("settings.pgSettings (work_mem; removed: jit)"), "one goes", pg({ work_mem: "8MB" }), withJit],
  [interrupt("settings.pgSettings (removed: work_mem, jit)"), "no setting is left", {}, withJit],
  [interrupt("settings.pgSettings"), "the settings are not known yet", { settings: unknownValue }],
  [interrupt("settings.pgSettings"), "the map is not known yet", pg(unknownValue), withJit],
  [interrupt("poolerEnabled true"), "the pooler is turned on", { poolerEnabled: true }],
  [undefined, "nothing changes", {}],
  [triggers(" (a, b)"), "all of the first triggers are new", after({ a: 1, b: 2 })],
  [triggers(` ${onlyIn}`, "may "), "all triggers may stay", after(unknownValue), after({ a: 1 })],
  [triggers(` ${onlyIn}`, "may "), "there may be no trigger", after(unknownValue)],
  [triggers(" (a)", "may "), "a trigger may stay", after({ a: [1, unknownValue] }), after({ a: 1 })],
  [
    triggers(" (a, b)"),
    "b is new, whatever its value will be",
    after({ a: unknownValue, b: unknownValue }),
    after({ a: 1 }),
  ],
  [triggers(" (a)"), "a list counts by its values", after({ a: [1, { b: 3 }] }), after({ a: [1, { b: 2 }] })],
  [undefined, "a list has the same values", after({ a: [1, { b: 2 }] }), after({ a: [1, { b: 2 }] })],
  [undefined, "a trigger is removed", after({ a: 1 }), after({ a: 1, b: 1 })],
])("a notice says %s: %s", (...[says, , after, before = one]) => {
  expect(changeOf(before, after, { service: "interface" }).interruption?.text).toBe(says);
});

const [minCu, maxCu] = ["autoscalingLimitMinCu", "autoscalingLimitMaxCu"];
it.each<[says: string, reason: string, after: Arguments, secret: string]>([
  [restart("(secret)"), "the figures would reveal the minimum", size(2, 8), minCu],
  [
    restart("(secret)", "; RAM 4 to 8 GB, file cache 3 to 6 GB"),
    "Neon's connections would reveal the maximum",
    size(2, 8),
    maxCu,
  ],
  [restart("(secret)"), "one of two limits is secret", size(1, 2), maxCu],
  ["move: branchId (secret) drops open connections", "a move", { branchId: "br-s3cret" }, "branchId"],
  [`replace: regionId (secret) ${goes}`, "a region", { regionId: "s3cret" }, "regionId"],
])("a notice of a secret says only %s: %s", (...[says, , after, secret]) => {
  const before = { ...one, autoscalingLimitMaxCu: after.autoscalingLimitMaxCu === 8 ? 8 : 1, regionId: "x" };
  expect(changeOf(before, after, { secrets: [secret], service: "neon" }).interruption?.text).toBe(says);
});

const longBranch = "br-gentle-harbor-1a2b3c4d";
const usual = [two, size(0.25, 10), { branchId: longBranch }, { disabled: true }, { type: "read_only" }];
it.each(usual)("a usual notice has at most 150 characters, so that no preview cuts it: %j", (after) => {
  const { interruption } = changeOf({ ...one, branchId: longBranch.replace("1", "2") }, after);
  expect(interruption!.text.length).toBeLessThanOrEqual(150);
});

it("every combination of changes, certain or not, has a sentence that compute-preview can parse", () => {
  const known = [1, "text", true, false, { a: 1 }, undefined];
  const valuesOf = (values: readonly unknown[]): fc.Arbitrary<Record<string, unknown>> =>
    fc.dictionary(fc.constantFrom(...argumentNames), fc.constantFrom(...values));
  const property = fc.property(valuesOf(known), valuesOf([...known, unknownValue]), (before, inputs) => {
    const changed = argumentNames.filter((name) => inputs[name] !== undefined);
    const told = interruptionOf({ before, inputs, changed }, {});
    if (told === undefined) return;
    const { text, effect, certain } = told;
    expect(text.startsWith("may ")).toBe(!certain);
    expect(verdictOnRow(rowText(told.text, { ...told, now: { running: "idle" } }))).toEqual({
      ...{ effect, certain, now: "idle", also: told.also },
    });
    const until = "until an update finds the compute idle";
    const deferred = text.replace(": ", `, deferred ${until}: `);
    expect(verdictOnRow(deferred)).toMatchObject({ deferred: { effect, text: until } });
    expect(text).toContain(`: ${changeIn(deferred)!}`);
    expect([text, "no notice"].map(isNotice)).toEqual([true, false]);
    expect(text).not.toContain(unknownValue);
    expect(text).not.toMatch(/undefined|\[object|\n/);
  });
  fc.assert(property, { numRuns: 1_000 });
});

const twoOrMore = size(2, unknown);
it.each<[parts: string, reason: string, after: Arguments, isGuess?: boolean]>([
  ["move, suspend, restart", "each part counts", { ...twoOrMore, branchId: "br-b", disabled: true }],
  ["restart, may replace", "the region is not known yet", { ...two, regionId: unknownValue }],
  ["replace", "a new compute is disabled from the start", { type: "read_only", disabled: unknownValue }],
  ["restart", "an undocumented effect adds nothing", { ...two, poolerEnabled: true }],
  ["may suspend, may restart", "no part of a guess is certain", { ...two, disabled: true }, true],
])("several changes each add their part: %s, since %s", (...[parts, , after, isGuess = false]) => {
  const { also = [], ...first } = changeOf(one, after, { isGuess }).interruption!;
  const told = [first, ...also].map(({ effect, certain }) => (certain ? effect : `may ${effect}`));
  expect(told.join(", ")).toBe(parts);
});

it.each([
  { effect: "restart", certain: true, now: "active", drops: "yes", reason: "it serves connections" },
  { effect: "restart", certain: true, now: undefined, drops: "yes", reason: "the service did not answer" },
  { effect: "restart", certain: false, now: "active", drops: "may", reason: "only the update will know" },
  { effect: "replace", certain: true, now: "idle", drops: "no", reason: "no connection is open" },
  { effect: "move", certain: false, now: "disabled", drops: "no", reason: "no connection can be open" },
  { effect: "none", certain: true, now: "active", drops: "no", reason: "connections are unaffected" },
] as const)(
  "whether connections drop: $drops for $effect, certain: $certain, now: $now: $reason",
  ({ drops, ...row }) => {
    expect(dropsOf(row)).toBe(drops);
  },
);

it.each([
  ["a size", () => changeOf(one, two, { service: "interface" }), / open connections NOW; max_/],
  [
    "a size with the pooler on",
    () => changeOf({ ...one, poolerEnabled: true }, two),
    / connections, pooled ones too NOW$/,
  ],
  ["an unstated effect", () => changeOf({}, { settings: {} }), / whether open connections survive NOW$/],
  ["a replacement", () => ({ interruption: forcedReplacement }), / and open connections drop NOW$/],
])("the row of %s also says what the compute does now", (_reason, make, says) => {
  const told = { property: "interruption", ...make().interruption! } as const;
  const now = { running: "active", lastAccess: "5 min ago" } as const;
  expect(
    rowText(told.text, { ...told, now }).replace("(compute active now, last access 5 min ago)", "NOW"),
  ).toMatch(says);
  expect(rowText(told.text, { ...told, now: { running: undefined } })).toBe(told.text);
  expect(rowText(told.text, { ...told, certain: false, now: undefined })).toBe(
    `may ${told.text.replace("may ", "")}`,
  );
});

it.each<[disabled: boolean, running: Running | undefined, interrupts: boolean, reason: string]>([
  [true, undefined, true, "only the state is known, and somebody may have enabled it"],
  [true, "disabled", false, "it runs nothing"],
  [true, "active", true, "its suspend failed"],
  [false, "active", true, "it runs"],
])("whether a size interrupts, disabled: %s, now: %s: %s, since %s", (...[disabled, running, interrupts]) => {
  const change = changeOf({ ...one, disabled }, two, { now: running && { running } });
  expect(change.interruption !== undefined).toBe(interrupts);
  // Whether to ask the service cannot depend on its answer.
  expect(mayInterrupt(change)).toBe(true);
});
