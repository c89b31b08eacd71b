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
    [{ autoscalingLimitMaxCu: 2 }, [], "in place"],
    [{ branchId: "br-b" }, [], "a move is in place"],
    [{ suspendTimeoutSeconds: 600 }, [], "in place"],
    [{ projectId: "q" }, ["projectId"], "another project"],
    [{ type: "read_only" }, ["type"], "another type"],
    [{ regionId: "local-2" }, ["regionId"], "another region"],
    [{ projectId: "q", regionId: "local-2" }, ["projectId", "regionId"], "two at once"],
    [{ type: unknownValue }, ["type"], "it may be another"],
  ])("changes with %j, and replaces for %j: %s", (...[more, replaces]) => {
    expect(diffOf(state, { ...declared, ...more })).toMatchObject({ changes: true, replaces });
  });

  it.each([
    [true, { regionId: "local-2" }, "a branch holds one primary", state],
    [true, { regionId: unknownValue }, "it may be another region", state],
    [false, { regionId: "local-2", branchId: "br-b" }, "another branch", state],
    [true, { regionId: "local-2", branchId: unknownValue }, "it may be the same", state],
    [false, { type: "read_only" }, "a replica fits beside the primary", state],
    [true, { type: unknownValue }, "it may be a primary", state],
    [false, { projectId: "q" }, "another project's branch is another branch", state],
    [true, { projectId: unknownValue }, "it may be the same project", state],
    [false, { regionId: "local-2", type: "read_only" }, "many replicas fit", replica],
    [false, { type: "read_write" }, "a replica holds no primary's place", replica],
    [false, { branchId: "br-b" }, "nothing is replaced", state],
  ])("deletes before it creates: %s, for %j: %s", (...[first, more, , was]) => {
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

  it.each<[reason: string, more: object, said: Partial<CheckedInputs> | undefined, of: ProviderConfig]>([
    ["the resource says so", { onInterruption: "forbid" }, undefined, config],
    ["nobody knows that it is idle", { onInterruption: "forbid-when-active" }, undefined, config],
    ["the stack says so", {}, undefined, forbidding],
    ["the resource's own is not known yet", { onInterruption: unknownValue }, undefined, forbidding],
    ["the service was asked of another compute", {}, askedOfAnother, forbidding],
    [
      "another compute is idle",
      { onInterruption: "forbid-when-active" },
      { ...noticed, ...askedOfAnother },
      config,
    ],
  ])("refuses an interruption that check could not see: %s", (...[, more, said = {}, of]) => {
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
