import type { EndpointState } from "../../../../provider/endpoint/state";
import type { Notice, Verdict } from "../../../../provider/endpoint/planning/interruption";
import {
  hiddenIn,
  noticeValues,
  readInputs,
  readState,
  resourceOf,
  toInputValues,
  toStateValues,
  verdictIn,
  verdictInReasons,
} from "../../../../provider/host/stored";
import { remoteProvider } from "../../../../sdk/remote";

const urn = "urn:pulumi:dev::app::pulumi-nodejs:dynamic/compute:Endpoint::db";

/** A state as published versions write it, and every later one has to read it. */
const published = {
  endpointId: "ep-a",
  host: "ep-a.local",
  projectId: "p",
  branchId: "br-a",
  type: "read_write",
  autoscalingLimitMinCu: 1,
  settings: { pgSettings: { jit: "off" } },
  __managed: ["projectId", "type", "branchId", "settings", "settings.pgSettings.jit"],
  __operations: ["op-1"],
  __provider: remoteProvider,
  __triggers: { release: "a1b2" },
  __urn: urn,
};

const state: EndpointState = {
  endpointId: "ep-a",
  host: "ep-a.local",
  projectId: "p",
  branchId: "br-a",
  type: "read_write",
  autoscalingLimitMinCu: 1,
  settings: { pgSettings: { jit: "off" } },
  managed: ["projectId", "type", "branchId", "settings", "settings.pgSettings.jit"],
  operations: ["op-1"],
  triggers: { release: "a1b2" },
};

/** As the engine's state file has it. */
const stored = (values: object): Record<string, unknown> =>
  JSON.parse(JSON.stringify(values)) as Record<string, unknown>;

describe("a state", () => {
  it("of the published layout is read", () => {
    const { state: read, hidden } = readState(published);
    expect(read).toEqual(state);
    expect(hidden).toEqual({ provider: remoteProvider, urn, secrets: [] });
  });

  it("is written in the published layout, and nothing else", () => {
    const values = toStateValues(state, { provider: remoteProvider, urn, secrets: [] });
    expect(stored(values)).toStrictEqual(published);
  });

  it.each([
    { what: "whole", kept: state, hidden: { provider: remoteProvider, urn, secrets: ["branchId"] } },
    {
      what: "least",
      kept: { endpointId: "ep-a", projectId: "p", branchId: "br-a", type: "read_only", managed: [] } as const,
      hidden: { provider: undefined, urn: undefined, secrets: [] },
    },
  ])("comes back as it was: $what", ({ kept, hidden }) => {
    const back = readState(stored(toStateValues(kept, hidden)));
    expect(back).toEqual({ state: kept, hidden });
  });

  it("without the names of what was declared declares its project alone", () => {
    expect(readState({ projectId: "p" }).state).toEqual({ projectId: "p", managed: ["projectId"] });
    expect(readState({ ...published, __managed: "all" }).state.managed).toEqual(["projectId"]);
    expect(readState({ ...published, __managed: [] }).state.managed).toEqual([]);
  });

  it("has no hidden member, and no old notice, among what is known of the compute", () => {
    const { state: read } = readState({ ...published, interruption: "old", __dryRun: true, __later: 1 });
    expect(read).toEqual(state);
  });
});

describe("a declaration", () => {
  const args = { projectId: "p", branchId: "br-a", type: "read_write", restartTriggers: { a: 1 } };
  const verdict: Verdict = { effect: "restart", certain: true, now: "active", endpointId: "ep-a" };

  it("of an update has its arguments, and no word of a preview", () => {
    const values = { ...args, __urn: urn, __secrets: ["branchId"], __provider: remoteProvider };
    expect(readInputs(values)).toEqual({
      args,
      hidden: { provider: remoteProvider, urn, secrets: ["branchId"], isPreview: false },
    });
  });

  it("of a preview has what its check said", () => {
    const values = { ...args, __urn: urn, __dryRun: true, __verdict: verdict, interruption: "restart: …" };
    expect(readInputs(values)).toEqual({
      args,
      hidden: { urn, secrets: [], isPreview: true, verdict, interruption: "restart: …" },
    });
  });

  it.each([
    { values: { __dryRun: "yes" }, reason: "a mark that is none" },
    { values: { __verdict: "restart" }, reason: "a verdict that is none" },
    { values: { __verdict: {} }, reason: "a verdict without an effect" },
    { values: { __verdict: null }, reason: "no verdict" },
    { values: { interruption: 7 }, reason: "a notice that is no text" },
    { values: { __secrets: "branchId" }, reason: "names that are no list" },
    { values: { __secrets: [1] }, reason: "names that are none" },
    { values: { __urn: 7, __provider: null }, reason: "texts that are none" },
    { values: { __looked: "ep-a" }, reason: "what another version's preview had" },
  ])("takes nothing for what it is not: $reason", ({ values }) => {
    expect(readInputs({ ...args, ...values })).toEqual({ args, hidden: { secrets: [], isPreview: false } });
  });

  it("is written with its URN and the names of its secrets, where there are any", () => {
    expect(stored(toInputValues(args, { urn, secrets: [] }))).toStrictEqual({ ...args, __urn: urn });
    expect(stored(toInputValues(args, { urn: undefined, secrets: ["branchId"] }))).toStrictEqual({
      ...args,
      __secrets: ["branchId"],
    });
  });

  it("comes back as it was", () => {
    const values = stored(toInputValues(args, { urn, secrets: ["branchId"] }));
    expect(readInputs(values)).toEqual({ args, hidden: { urn, secrets: ["branchId"], isPreview: false } });
    expect(hiddenIn(values)).toEqual({ urn, secrets: ["branchId"] });
  });
});

describe("the notice among the inputs", () => {
  const verdict: Verdict = { effect: "restart", certain: true };
  const interruption = "restart: …";
  const notice: Notice = {
    property: "interruption",
    ...verdict,
    effect: "restart",
    text: interruption,
    now: undefined,
  };
  const inPreview = { kept: undefined, isPreview: true, updatePlans: false };
  const planned = { kept: "an earlier run's", updatePlans: true };

  it.each([
    {
      found: { notice, verdict, ...inPreview },
      values: { interruption, __verdict: verdict },
      reason: "a preview says it to people and to the report",
    },
    {
      found: { verdict, ...inPreview },
      values: { __verdict: verdict },
      reason: "a change without an interruption has a verdict all the same",
    },
    { found: inPreview, values: {}, reason: "nothing changes" },
    {
      found: { notice: { property: "deferred", text: "until …", now: undefined } as const, ...inPreview },
      values: { deferred: "until …" },
      reason: "what waits has a name of its own",
    },
    {
      found: { notice, verdict, ...inPreview, isPreview: false },
      values: {},
      reason: "nothing of it is stored",
    },
    {
      found: { notice, verdict, ...planned, isPreview: true },
      values: { interruption },
      reason: "a plan holds the update to hidden members too",
    },
    {
      found: { notice, verdict, ...planned, isPreview: false },
      values: { interruption },
      reason: "the update is as its plan",
    },
    {
      found: { verdict, ...planned, isPreview: true },
      values: { interruption: "an earlier run's" },
      reason: "with saved plans, an earlier notice stays",
    },
  ])("is $values: $reason", ({ found, values }) => {
    expect(stored(noticeValues(found))).toStrictEqual(values);
  });

  it("is read back as it was written", () => {
    const values = noticeValues({ notice, verdict, ...inPreview });
    expect(verdictIn(stored(values))).toEqual(verdict);
    expect(readInputs(values).hidden.interruption).toBe(interruption);
  });
});

describe("the resource of a call", () => {
  const said: unknown[] = [];
  const log = {
    say: (...words: readonly unknown[]): Promise<void> => {
      said.push(words);
      return Promise.resolve();
    },
    progress: (...words: readonly unknown[]): void => {
      said.push(words);
    },
  };

  it("has its URN for an id, its name for people, and its own row", async () => {
    const resource = resourceOf({ urn, secrets: ["branchId"] }, { log });
    expect(resource).toMatchObject({ id: urn, title: "db", secrets: ["branchId"] });
    await resource.row.say("warning", "a message");
    resource.row.progress("1 s");
    expect(said).toEqual([
      [urn, "warning", "a message"],
      [urn, "1 s"],
    ]);
  });

  it.each([
    { formerId: urn, known: undefined, reason: "it is called as before" },
    { formerId: `${urn}-old`, known: `${urn}-old`, reason: "it was renamed" },
    { formerId: undefined, known: undefined, reason: "nobody knows" },
  ])("knows what it was called: $reason", ({ formerId, known }) => {
    expect(resourceOf({ urn, secrets: [] }, { log, former: { urn: formerId, secrets: [] } }).formerId).toBe(
      known,
    );
  });

  it("keeps a name that has colons whole, and has none without a URN", () => {
    const named = (id: string | undefined): string => resourceOf({ urn: id, secrets: [] }, { log }).title;
    expect(named(`${urn}::blue`)).toBe("db::blue");
    expect(named(undefined)).toBe("");
  });
});

describe("a verdict of another shape", () => {
  const verdict = { effect: "restart", certain: true, now: "idle", endpointId: "ep-a" };

  it("is read if each member is as this version knows it, whatever its effect is", () => {
    expect(verdictIn({ __verdict: verdict })).toEqual(verdict);
    expect(verdictIn({ __verdict: { ...verdict, effect: "thaw" } })).toMatchObject({ effect: "thaw" });
    const deferred = { effect: "restart", text: "until Sat", until: "2026-11-28T02:00:00Z" };
    expect(verdictIn({ __verdict: { ...verdict, deferred } })).toMatchObject({ deferred });
    const also = [{ effect: "thaw", certain: false }];
    expect(verdictIn({ __verdict: { ...verdict, also } })).toMatchObject({ also });
  });

  it.each([
    { effect: 1, certain: true },
    { effect: "none" },
    { effect: "none", certain: "yes" },
    { ...verdict, deferred: true },
    { ...verdict, deferred: {} },
    { ...verdict, deferred: { effect: "restart" } },
    { ...verdict, now: "asleep" },
    { ...verdict, also: "restart" },
    { ...verdict, also: [null] },
    { ...verdict, also: [{ effect: "restart" }] },
    { ...verdict, endpointId: 5 },
  ])("is not believed: %j", (other) => {
    expect(verdictIn({ __verdict: other })).toBeUndefined();
    expect(verdictInReasons([`__verdict:${JSON.stringify(other)}`])).toBeUndefined();
  });
});
