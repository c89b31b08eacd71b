import { readConfig } from "../../../../provider/config";
import { unknownValue } from "../../../../provider/endpoint/inputs";
import { diffEndpoint } from "../../../../provider/endpoint/plan";
import type { EndpointState } from "../../../../provider/endpoint/state";

const declared = {
  __urn: "urn:a",
  projectId: "p",
  branchId: "br-a",
  type: "read_write",
  autoscalingLimitMinCu: 1,
  autoscalingLimitMaxCu: 1,
  regionId: "local-1",
};
const state = {
  ...declared,
  endpointId: "ep-a",
  suspendTimeoutSeconds: 300,
  __managed: ["projectId", "branchId", "type"],
} as unknown as EndpointState;
const replica = { ...state, type: "read_only" } as EndpointState;

const config = readConfig(() => undefined, {});

describe("diffEndpoint", () => {
  it("says no, not perhaps, where nothing changes", () => {
    expect(diffEndpoint(state, declared, config)).toEqual({
      changes: false,
      replaces: [],
      deleteBeforeReplace: false,
      warning: undefined,
    });
  });

  it.each([
    { more: { autoscalingLimitMaxCu: 2 }, replaces: [], reason: "in place" },
    { more: { branchId: "br-b" }, replaces: [], reason: "a move is in place" },
    { more: { suspendTimeoutSeconds: 600 }, replaces: [], reason: "in place" },
    { more: { projectId: "q" }, replaces: ["projectId"], reason: "another project" },
    { more: { type: "read_only" }, replaces: ["type"], reason: "another type" },
    { more: { regionId: "local-2" }, replaces: ["regionId"], reason: "another region" },
    {
      more: { projectId: "q", regionId: "local-2" },
      replaces: ["projectId", "regionId"],
      reason: "two at once",
    },
    { more: { type: unknownValue }, replaces: ["type"], reason: "it may be another" },
  ])("changes with $more, and replaces for $replaces: $reason", ({ more, replaces }) => {
    expect(diffEndpoint(state, { ...declared, ...more }, config)).toMatchObject({ changes: true, replaces });
  });

  it.each([
    { was: state, more: { regionId: "local-2" }, first: true, reason: "a branch holds one primary" },
    { was: state, more: { regionId: unknownValue }, first: true, reason: "it may be another region" },
    { was: state, more: { regionId: "local-2", branchId: "br-b" }, first: false, reason: "another branch" },
    {
      was: state,
      more: { regionId: "local-2", branchId: unknownValue },
      first: true,
      reason: "it may be the same",
    },
    { was: state, more: { type: "read_only" }, first: false, reason: "a replica fits beside the primary" },
    { was: state, more: { type: unknownValue }, first: true, reason: "it may be a primary" },
    {
      was: state,
      more: { projectId: "q" },
      first: false,
      reason: "another project's branch is another branch",
    },
    { was: state, more: { projectId: unknownValue }, first: true, reason: "it may be the same project" },
    {
      was: replica,
      more: { regionId: "local-2", type: "read_only" },
      first: false,
      reason: "many replicas fit",
    },
    {
      was: replica,
      more: { type: "read_write" },
      first: false,
      reason: "a replica holds no primary's place",
    },
    { was: state, more: { branchId: "br-b" }, first: false, reason: "nothing is replaced" },
  ])("deletes before it creates: $first, for $more: $reason", ({ was, more, first }) => {
    expect(diffEndpoint(was, { ...declared, ...more }, config).deleteBeforeReplace).toBe(first);
  });

  it("asks for an update without a change where an earlier run left operations", () => {
    const left = { ...state, __operations: ["op-1"] } as EndpointState;
    expect(diffEndpoint(left, declared, config)).toMatchObject({ changes: true, warning: undefined });
    const none = { ...state, __operations: [] } as unknown as EndpointState;
    expect(diffEndpoint(none, declared, config).changes).toBe(false);
  });

  it("does not take the members that are added for this process for arguments", () => {
    const added = { ...declared, __dryRun: true, __provider: "text", interruption: "restart: …" };
    expect(diffEndpoint(state, added, config).changes).toBe(false);
  });

  it("warns of a restart, and not of autosuspend", () => {
    const size = { ...declared, autoscalingLimitMinCu: 2, autoscalingLimitMaxCu: 2 };
    expect(diffEndpoint(state, size, config).warning).toMatch(
      /^restart: size 1 → 2 CU drops open connections/,
    );
    const sleep = { ...declared, suspendTimeoutSeconds: 600 };
    expect(diffEndpoint(state, sleep, config).warning).toBeUndefined();
  });

  it.each([
    { looked: "ep-a", warning: "the words of check", reason: "check asked the service of this very compute" },
    {
      looked: "ep-b",
      warning: /^restart: size 1 → 2 CU drops/,
      reason: "check saw a stranger on the branch",
    },
    { looked: undefined, warning: /^restart: size 1 → 2 CU drops/, reason: "check asked nobody" },
  ])("says what is sure: $reason", ({ looked, warning }) => {
    const noticed = { ...declared, autoscalingLimitMaxCu: 2, autoscalingLimitMinCu: 2 };
    const bag = { ...noticed, interruption: "the words of check", __looked: looked };
    expect(diffEndpoint(state, bag, config).warning).toEqual(
      warning instanceof RegExp ? expect.stringMatching(warning) : warning,
    );
  });
});
