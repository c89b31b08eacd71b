import { createHash } from "node:crypto";
import {
  changedArguments,
  hashOfTrigger,
  isTriggerHash,
  managedNames,
  changedTriggers,
  triggerHashes,
  triggerNames,
  type Stored,
} from "../../../../provider/endpoint/planning/changes";
import { unknownValue } from "../../../../provider/endpoint/planning/unknown";

const inputs = { projectId: "p", branchId: "br-a", type: "read_write" };

const state: Stored = {
  ...inputs,
  endpointId: "ep-a",
  host: "ep-a.example.com",
  poolerEnabled: false,
  settings: { pgSettings: { work_mem: "4MB", jit: "off" } },
  managed: ["projectId", "branchId", "type", "settings", "settings.pgSettings.jit"],
};

describe("changedArguments", () => {
  it.each<[changed: readonly string[], reason: string, was: Stored, now: object]>([
    [["onInterruption"], "a policy is taken back", { onInterruption: "forbid" }, {}],
    [[], "the service keeps what it has", { poolerEnabled: true }, {}],
    [["settings"], "the whole map is not known yet", {}, { settings: unknownValue }],
  ])("names %j: %s", (...[changed, , was, now]) => {
    expect(changedArguments({ ...state, ...was }, { ...inputs, ...now })).toEqual(changed);
  });
});

describe("managedNames", () => {
  it("names what is declared, each Postgres setting too, and nothing that is left out", () => {
    const settings = { pgSettings: { work_mem: "4MB", jit: false } };
    expect(managedNames({ ...inputs, poolerEnabled: undefined, disabled: false, settings })).toEqual([
      "projectId",
      "type",
      "branchId",
      "disabled",
      "settings",
      "settings.pgSettings.work_mem",
      "settings.pgSettings.jit",
    ]);
  });

  it("names no Postgres setting while the map is not known", () => {
    expect(managedNames({ ...inputs, settings: unknownValue })).toEqual([
      "projectId",
      "type",
      "branchId",
      "settings",
    ]);
  });
});

describe("pulledTriggers", () => {
  it.each([
    { before: undefined, after: undefined, changed: [], reason: "none" },
    { before: undefined, after: { a: 1 }, changed: ["a"], reason: "a first one" },
    { before: { a: 1 }, after: { a: 1 }, changed: [], reason: "the same" },
    { before: { a: 1 }, after: { a: 2, b: 1 }, changed: ["a", "b"], reason: "changed and new" },
    { before: { a: 1, b: 1 }, after: { b: 1 }, changed: [], reason: "removed" },
    { before: { a: { x: [1] } }, after: { a: { x: [1] } }, changed: [], reason: "equal, if not the same" },
  ])("finds $changed changed: $reason", ({ before, after, changed }) => {
    expect(changedTriggers({ restartTriggers: before }, { restartTriggers: after })).toEqual(changed);
  });

  it.each([
    ["the last restart had it", { a: hashOfTrigger("1") }, { a: "1" }, []],
    ["it had another", { a: hashOfTrigger("0") }, { a: "1" }, ["a"]],
    ["it had none", {}, { a: "1" }, ["a"]],
  ])("goes by the hashes of the last restart while one is pending: %s", (...[, triggers, after, changed]) => {
    expect(changedTriggers({ triggers }, { restartTriggers: after })).toEqual(changed);
  });

  it("goes by the declared ones where a restart for them was begun and may have ended well", () => {
    const begun: Stored = { restartTriggers: { a: "2" }, triggers: { a: hashOfTrigger("1") } };
    expect(changedTriggers(begun, { restartTriggers: { a: "2" } })).toEqual([]);
    expect(changedTriggers(begun, { restartTriggers: { a: "1" } })).toEqual(["a"]);
    const { a: hash = "" } = triggerHashes(begun);
    expect(isTriggerHash(hash, "2")).toBe(true);
  });

  it("keeps the hashes of the last restart while one is pending, and has none where there were no triggers", () => {
    const triggers = { a: hashOfTrigger("1") };
    expect(triggerHashes({ triggers })).toEqual(triggers);
    expect(triggerHashes({})).toEqual({});
    expect(triggerNames({ triggers })).toEqual(["a"]);
    expect(triggerNames({ restartTriggers: { b: 1 }, triggers })).toEqual(["b"]);
    expect(triggerNames({})).toEqual([]);
  });

  it("does not mind in which order a map has its members", () => {
    expect(isTriggerHash(hashOfTrigger({ a: 1, b: { c: 2, d: 3 } }), { b: { d: 3, c: 2 }, a: 1 })).toBe(true);
    expect(isTriggerHash(hashOfTrigger([1, 2]), [2, 1])).toBe(false);
  });

  it("have a salt, and those of earlier versions, without one, still count", () => {
    expect(hashOfTrigger("1234")).not.toBe(hashOfTrigger("1234"));
    const unsalted = createHash("sha256")
      .update(JSON.stringify(["1234"]))
      .digest("hex");
    expect(isTriggerHash(unsalted, "1234")).toBe(true);
    expect(isTriggerHash(unsalted, "1235")).toBe(false);
  });
});
