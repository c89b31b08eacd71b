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

  const bigger = { ...declared, autoscalingLimitMinCu: 2, autoscalingLimitMaxCu: 2 };
  const own = /^restart: size 1 → 2 CU drops open connections/;

  it.each<{ more: Readonly<Record<string, unknown>>; warning: unknown; reason: string }>([
    {
      more: { interruption: "what check said" },
      warning: expect.stringMatching(own),
      reason: "the state says what came of the last change, and is sure",
    },
    {
      more: { interruption: "what check said", __looked: "ep-a" },
      warning: "what check said",
      reason: "check has asked the service of this compute",
    },
    {
      more: { __looked: "ep-a" },
      warning: undefined,
      reason: "the service says that nothing is interrupted",
    },
    {
      more: { interruption: "what check said", __looked: "ep-b" },
      warning: expect.stringMatching(own),
      reason: "the service was asked of another compute",
    },
    {
      more: {
        autoscalingLimitMinCu: 1,
        autoscalingLimitMaxCu: 1,
        branchId: unknownValue,
        interruption: "what check said",
      },
      warning: "what check said",
      reason: "the state is not sure",
    },
    {
      more: { autoscalingLimitMinCu: 1, autoscalingLimitMaxCu: 1, branchId: unknownValue },
      warning: expect.stringMatching(/^may move: /),
      reason: "the state is not sure, and nobody has said more",
    },
    {
      more: { autoscalingLimitMinCu: 1, autoscalingLimitMaxCu: 1, interruption: "what check said" },
      warning: undefined,
      reason: "nothing changes",
    },
  ])("warns of $warning: $reason", ({ more, warning }) => {
    expect(diffEndpoint(state, { ...bigger, ...more }, config).warning).toEqual(warning);
  });

  const forbidding = readConfig(() => undefined, { COMPUTE_ON_INTERRUPTION: "forbid" });

  it.each([
    { more: { onInterruption: "forbid" }, of: config, reason: "the resource says so" },
    { more: { onInterruption: "forbid-when-active" }, of: config, reason: "nobody knows that it is idle" },
    { more: {}, of: forbidding, reason: "the stack says so" },
    { more: { onInterruption: unknownValue }, of: forbidding, reason: "the resource's own is not known yet" },
    { more: { __looked: "ep-b" }, of: forbidding, reason: "the service was asked of another compute" },
  ])("refuses an interruption that check could not see: $reason", ({ more, of }) => {
    expect(diffEndpoint(state, { ...bigger, ...more }, of).refusal?.message).toMatch(
      /^changing compute ep-a: forbidden: restart: size 1 → 2 CU .*\. To allow it, set onInterruption: "warn"/,
    );
  });

  it.each([
    { more: { interruption: "seen" }, of: forbidding, reason: "check has seen it and let it pass" },
    { more: { __looked: "ep-a" }, of: forbidding, reason: "the service was asked of this compute" },
    { more: { onInterruption: "warn" }, of: forbidding, reason: "the resource allows it" },
    {
      more: { autoscalingLimitMinCu: 1, autoscalingLimitMaxCu: 1, suspendTimeoutSeconds: 600 },
      of: forbidding,
      reason: "nothing is interrupted",
    },
  ])("lets a change pass: $reason", ({ more, of }) => {
    expect(diffEndpoint(state, { ...bigger, ...more }, of)).toMatchObject({
      changes: true,
      refusal: undefined,
    });
  });
});
