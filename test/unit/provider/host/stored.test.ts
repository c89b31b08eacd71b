/** The wire format of states and declarations: every later version reads what published versions wrote. */
import type { Verdict } from "../../../../provider/model/notice";
import type { EndpointState } from "../../../../provider/model/state";
import {
  readInputs,
  readState,
  toInputValues,
  toReason,
  toStateValues,
  verdictIn,
  verdictInReasons,
} from "../../../../provider/model/stored";
import { remoteProvider } from "../../../../sdk/remote";

const urn = "urn:pulumi:dev::app::pulumi-nodejs:dynamic/compute:Endpoint::db";
const known = {
  ...{ endpointId: "ep-a", host: "ep-a.local", projectId: "p", branchId: "br-a" },
  type: "read_write",
  autoscalingLimitMinCu: 1,
  settings: { pgSettings: { jit: "off" } },
} as const;
const managed = ["projectId", "type", "branchId", "settings", "settings.pgSettings.jit"];
const state: EndpointState = { ...known, managed, operations: ["op-1"] };
const hidden = { provider: remoteProvider, urn, secrets: ["branchId"] };
const published = {
  ...known,
  ...{ __managed: managed, __operations: ["op-1"], __provider: remoteProvider, __urn: urn },
  __secrets: ["branchId"],
};

/** The values as the engine's state file has them. */
const stored = (values: object): Record<string, unknown> =>
  JSON.parse(JSON.stringify(values)) as Record<string, unknown>;

describe("a state", () => {
  it("is read and written in exactly the published layout", () => {
    expect(readState(published)).toEqual({ state, hidden });
    expect(stored(toStateValues(state, hidden))).toStrictEqual(published);
  });

  it("is read as it was written, even with only the required members", () => {
    const { endpointId, projectId, branchId, type } = known;
    const held = { endpointId, projectId, branchId, type, managed: [], operations: "unnamed" } as const;
    const least = { state: held, hidden: { secrets: [] } };
    expect(readState(stored(toStateValues(least.state, least.hidden)))).toEqual(least);
  });

  it.each<[reason: string, managed: unknown, read: readonly string[]]>([
    ["anything but a list of names counts as projectId alone", "all", ["projectId"]],
    ["nothing is managed", [], []],
  ])("says which arguments were declared: %s", (_reason, names, read) => {
    expect(readState({ ...published, __managed: names }).state.managed).toEqual(read);
  });

  it("has no hidden member and no old notice among the compute's values", () => {
    const more = { interruption: "old", __dryRun: true, __later: 1 };
    expect(readState({ ...published, ...more }).state).toEqual(state);
  });
});

describe("a declaration", () => {
  const args = { projectId: "p", branchId: "br-a", type: "read_write", timeouts: { create: 1 } };
  const verdict: Verdict = { effect: "restart", certain: true, now: "active", endpointId: "ep-a" };

  it.each<[reason: string, values: object, hidden: object]>([
    ["those of an update", { __urn: urn, __secrets: ["branchId"], __provider: remoteProvider }, hidden],
    [
      "those of a preview",
      { __urn: urn, __dryRun: true, __verdict: verdict, interruption: "restart: …" },
      { urn, secrets: [], isPreview: true, verdict },
    ],
    ["an invalid mark", { __dryRun: "yes" }, {}],
    ["an invalid verdict", { __verdict: "restart" }, {}],
    ["invalid names", { __secrets: [1] }, {}],
    ["invalid texts", { __urn: 7, __provider: null }, {}],
  ])("is read with its hidden members, and invalid ones are ignored: %s", (...row) => {
    const [, values, more] = row;
    const read = readInputs({ ...args, ...values });
    expect(read).toEqual({ args, hidden: { secrets: [], isPreview: false, ...more } });
  });

  it.each([
    [{ urn, secrets: [] }, { __urn: urn }],
    [{ urn: undefined, secrets: ["branchId"] }, { __secrets: ["branchId"] }],
  ])("with the hidden members %j is written with %j only", (of, written) => {
    const values = stored(toInputValues(args, of));
    expect(values).toStrictEqual({ ...args, ...written });
    expect(readInputs(values)).toEqual({ args, hidden: { ...of, isPreview: false } });
  });
});

describe("a verdict", () => {
  const verdict = { effect: "restart", certain: true, now: "idle", endpointId: "ep-a" };

  it.each([
    verdict,
    { ...verdict, effect: "thaw" },
    { ...verdict, deferred: { effect: "restart", text: "until Sat", until: "2026-11-28T02:00:00Z" } },
    { ...verdict, also: [{ effect: "thaw", certain: false }] },
  ])("is read if each member has a form that this version knows, whatever the effect: %j", (given) => {
    expect(verdictIn({ __verdict: given })).toEqual(given);
    expect(verdictInReasons([7, "another reason", toReason(given as Verdict)])).toEqual(given);
  });

  it.each([
    { effect: 1, certain: true },
    { effect: "none", certain: "yes" },
    { ...verdict, deferred: true },
    { ...verdict, deferred: { effect: "restart" } },
    { ...verdict, now: "asleep" },
    { ...verdict, also: [{ effect: "restart" }] },
    { ...verdict, endpointId: 5 },
  ])("of another shape is ignored: %j", (other) => {
    expect(verdictIn({ __verdict: other })).toBeUndefined();
    expect(verdictInReasons([`__verdict:${JSON.stringify(other)}`])).toBeUndefined();
  });
});
