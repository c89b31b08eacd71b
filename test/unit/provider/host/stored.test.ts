import type { EndpointState } from "../../../../provider/model/state";
import type { Verdict } from "../../../../provider/model/notice";
import {
  hiddenIn,
  readInputs,
  readState,
  toInputValues,
  toStateValues,
  verdictIn,
  verdictInReasons,
} from "../../../../provider/model/stored";
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
  __urn: urn,
  __secrets: ["branchId"],
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
};

/** As the engine's state file has it. */
const stored = (values: object): Record<string, unknown> =>
  JSON.parse(JSON.stringify(values)) as Record<string, unknown>;

describe("a state", () => {
  it("of the published layout is read", () => {
    const { state: read, hidden } = readState(published);
    expect(read).toEqual(state);
    expect(hidden).toEqual({ provider: remoteProvider, urn, secrets: ["branchId"] });
  });

  it("is written in the published layout, and nothing else", () => {
    const values = toStateValues(state, { provider: remoteProvider, urn, secrets: ["branchId"] });
    expect(stored(values)).toStrictEqual(published);
  });

  it("comes back as it was where it has the least", () => {
    const kept = {
      endpointId: "ep-a",
      projectId: "p",
      branchId: "br-a",
      type: "read_only",
      managed: [],
    } as const;
    const hidden = { provider: undefined, urn: undefined, secrets: [] };
    expect(readState(stored(toStateValues(kept, hidden)))).toEqual({ state: kept, hidden });
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
  const args = { projectId: "p", branchId: "br-a", type: "read_write", timeouts: { create: 1 } };
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
