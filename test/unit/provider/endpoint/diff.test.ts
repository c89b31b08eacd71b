import { readConfig, type ProviderConfig } from "../../../../provider/settings/config";
import {
  diffEndpoint,
  type CheckedInputs,
  type DiffResult,
} from "../../../../provider/endpoint/planning/diff";
import type { EndpointInputs } from "../../../../provider/endpoint/planning/inputs";
import type { EndpointState } from "../../../../provider/endpoint/state";
import { unknownValue } from "../../../../provider/endpoint/planning/unknown";

const declared = {
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
  managed: ["projectId", "branchId", "type"],
} as unknown as EndpointState;
const replica = { ...state, type: "read_only" } as EndpointState;

const config = readConfig(() => undefined, {});

/** @param said - what check said of the declaration. */
function diffOf(
  was: EndpointState,
  inputs: Readonly<Record<string, unknown>>,
  { of = config, said = {} }: { readonly of?: ProviderConfig; readonly said?: Partial<CheckedInputs> } = {},
): DiffResult {
  return diffEndpoint(
    was,
    { inputs: inputs as unknown as EndpointInputs, secrets: [], ...said },
    { config: of, nowMs: 0 },
  );
}

const judged = { effect: "restart", certain: true } as const;

describe("diffEndpoint", () => {
  it("says no, not perhaps, where nothing changes", () => {
    expect(diffOf(state, declared)).toEqual({
      changes: false,
      changed: [],
      interrupts: false,
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
    expect(diffOf(state, { ...declared, ...more })).toMatchObject({ changes: true, replaces });
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
    expect(diffOf(was, { ...declared, ...more }).deleteBeforeReplace).toBe(first);
  });

  it("asks for an update without a change where an earlier run left operations", () => {
    const left = { ...state, operations: ["op-1"] };
    expect(diffOf(left, declared)).toMatchObject({ changes: true, notice: undefined });
    const none = { ...state, operations: [] };
    expect(diffOf(none, declared).changes).toBe(false);
  });

  it("warns of a restart, and not of autosuspend", () => {
    const size = { ...declared, autoscalingLimitMinCu: 2, autoscalingLimitMaxCu: 2 };
    expect(diffOf(state, size).notice?.text).toMatch(/^restart: size 1 → 2 CU drops open connections/);
    const sleep = { ...declared, suspendTimeoutSeconds: 600 };
    expect(diffOf(state, sleep).notice).toBeUndefined();
  });

  const bigger = { ...declared, autoscalingLimitMinCu: 2, autoscalingLimitMaxCu: 2 };
  const noticed = {
    notice: {
      property: "interruption",
      text: "what check said",
      certain: true,
      effect: "restart",
      now: undefined,
    },
  } as const;
  const asked = { verdict: { ...judged, endpointId: "ep-a" } };
  const askedOfAnother = { verdict: { ...judged, endpointId: "ep-b" } };
  const own = /^restart: size 1 → 2 CU drops open connections/;

  it.each<{ more?: object; said?: Partial<CheckedInputs>; warning: unknown; reason: string }>([
    {
      said: noticed,
      warning: expect.stringMatching(own),
      reason: "the state says what came of the last change",
    },
    {
      said: { ...noticed, ...asked },
      warning: "what check said",
      reason: "check has asked the service of this compute",
    },
    {
      said: asked,
      warning: undefined,
      reason: "the service says that nothing is interrupted",
    },
    {
      said: { ...noticed, ...askedOfAnother },
      warning: expect.stringMatching(own),
      reason: "the service was asked of another compute",
    },
    {
      more: { autoscalingLimitMinCu: 1, autoscalingLimitMaxCu: 1, branchId: unknownValue },
      said: noticed,
      warning: expect.stringMatching(/^may move: /),
      reason: "the state has what was applied last, and the service was not asked",
    },
    {
      more: { autoscalingLimitMinCu: 1, autoscalingLimitMaxCu: 1, branchId: unknownValue },
      said: { ...noticed, ...askedOfAnother },
      warning: expect.stringMatching(/^may move: /),
      reason: "the state is not sure, and the service was asked of another compute",
    },
    {
      more: { autoscalingLimitMinCu: 1, autoscalingLimitMaxCu: 1, branchId: unknownValue },
      warning: expect.stringMatching(/^may move: /),
      reason: "the state is not sure, and nobody has said more",
    },
    {
      more: { autoscalingLimitMinCu: 1, autoscalingLimitMaxCu: 1 },
      said: noticed,
      warning: undefined,
      reason: "nothing changes",
    },
  ])("warns of $warning: $reason", ({ more, said, warning }) => {
    expect(diffOf(state, { ...bigger, ...more }, { said: said ?? {} }).notice?.text).toEqual(warning);
  });

  it("shows nothing of what is secret", () => {
    const said = { secrets: ["autoscalingLimitMinCu", "autoscalingLimitMaxCu"] };
    expect(diffOf(state, bigger, { said }).notice?.text).toBe(
      "restart: size (secret) drops open connections",
    );
  });

  const forbidding = readConfig(() => undefined, { COMPUTE_ON_INTERRUPTION: "forbid" });

  it.each<{ more: object; said?: Partial<CheckedInputs>; of: ProviderConfig; reason: string }>([
    { more: { onInterruption: "forbid" }, of: config, reason: "the resource says so" },
    { more: { onInterruption: "forbid-when-active" }, of: config, reason: "nobody knows that it is idle" },
    { more: {}, of: forbidding, reason: "the stack says so" },
    { more: { onInterruption: unknownValue }, of: forbidding, reason: "the resource's own is not known yet" },
    {
      more: {},
      said: askedOfAnother,
      of: forbidding,
      reason: "the service was asked of another compute",
    },
    {
      more: { onInterruption: "forbid-when-active" },
      said: { ...noticed, ...askedOfAnother },
      of: config,
      reason: "another compute is idle",
    },
  ])("refuses an interruption that check could not see: $reason", ({ more, said = {}, of }) => {
    expect(diffOf(state, { ...bigger, ...more }, { of, said }).refusal?.message).toMatch(
      /^changing compute ep-a: restart: size 1 → 2 CU .*\. This is forbidden here \(onInterruption is "forbid.*" (?:on this resource\): to allow it, set it to "warn"|in the .*\): to allow it, set onInterruption: "warn" on this resource, which overrides that)\.$/,
    );
  });

  it.each<{ more: object; said?: Partial<CheckedInputs>; of: ProviderConfig; reason: string }>([
    { more: {}, said: asked, of: forbidding, reason: "the service was asked of this compute" },
    { more: { onInterruption: "warn" }, of: forbidding, reason: "the resource allows it" },
    {
      more: { autoscalingLimitMinCu: 1, autoscalingLimitMaxCu: 1, suspendTimeoutSeconds: 600 },
      of: forbidding,
      reason: "nothing is interrupted",
    },
  ])("lets a change pass: $reason", ({ more, said = {}, of }) => {
    expect(diffOf(state, { ...bigger, ...more }, { of, said })).toMatchObject({
      changes: true,
      refusal: undefined,
    });
  });
});
