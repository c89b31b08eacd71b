import { readConfig, type ProviderConfig } from "../../../../provider/settings/config";
import { diffEndpoint, type DiffRequest, type DiffResult } from "../../../../provider/endpoint/planning/diff";
import type { ApiEndpoint } from "../../../../provider/api/schemas";
import type { EndpointInputs } from "../../../../provider/endpoint/planning/inputs";
import type { EndpointState } from "../../../../provider/endpoint/state";
import { unknownValue } from "../../../../provider/pure/unknown";

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

interface Given {
  readonly of?: ProviderConfig;
  /** What the service answers; nothing without it. */
  readonly live?: ApiEndpoint | undefined;
  readonly more?: Partial<DiffRequest>;
}

function diffOf(
  was: EndpointState,
  inputs: Readonly<Record<string, unknown>>,
  { of = config, live, more = {} }: Given = {},
): Promise<DiffResult> {
  const planned = inputs as unknown as EndpointInputs;
  const read =
    live === undefined ? ({ kind: "unanswered" } as const) : ({ kind: "found", endpoint: live } as const);
  return diffEndpoint(
    was,
    { inputs: planned, secrets: [], madePublic: [], isPreview: true, isPlanned: true, ...more },
    { config: of, now: () => 0, liveReads: { readLive: () => Promise.resolve(read), serviceNow: () => 0 } },
  );
}

function running(cu: number): ApiEndpoint {
  return {
    id: "ep-a",
    project_id: "p",
    branch_id: "br-a",
    type: "read_write",
    region_id: "local-1",
    autoscaling_limit_min_cu: cu,
    autoscaling_limit_max_cu: cu,
    current_state: "active",
  };
}

describe("diffEndpoint", () => {
  it("says no, not perhaps, where nothing changes", async () => {
    expect(await diffOf(state, declared)).toEqual({
      changes: false,
      changed: [],
      interrupts: false,
      isUnlisted: false,
      replaces: [],
      deleteBeforeReplace: false,
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
  ])("changes with %j, and replaces for %j: %s", async (...[more, replaces]) => {
    expect(await diffOf(state, { ...declared, ...more })).toMatchObject({ changes: true, replaces });
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
  ])("deletes before it creates: %s, for %j: %s", async (...[first, more, , was]) => {
    expect((await diffOf(was, { ...declared, ...more })).deleteBeforeReplace).toBe(first);
  });

  it("asks for an update without a change where an earlier run left operations", async () => {
    const left = { ...state, operations: ["op-1"] };
    expect(await diffOf(left, declared)).toMatchObject({ changes: true });
    const none = { ...state, operations: [] };
    expect((await diffOf(none, declared)).changes).toBe(false);
  });

  it("warns of a restart, and not of autosuspend", async () => {
    const size = { ...declared, autoscalingLimitMinCu: 2, autoscalingLimitMaxCu: 2 };
    expect((await diffOf(state, size)).notice?.text).toMatch(
      /^restart: size 1 → 2 CU drops open connections/,
    );
    const sleep = { ...declared, suspendTimeoutSeconds: 600 };
    expect((await diffOf(state, sleep)).notice).toBeUndefined();
  });

  const bigger = { ...declared, autoscalingLimitMinCu: 2, autoscalingLimitMaxCu: 2 };
  it.each<{ more?: object; live?: ApiEndpoint; warning: unknown; reason: string }>([
    {
      warning: expect.stringMatching(/^restart: size 1 → 2 CU drops open connections/),
      reason: "the state has what was applied last, and the service did not answer",
    },
    {
      live: running(4),
      warning: expect.stringMatching(/^restart: size 4 → 2 CU drops open connections/),
      reason: "the service says what runs",
    },
    { live: running(2), warning: undefined, reason: "it runs as declared already" },
    {
      more: { autoscalingLimitMinCu: 1, autoscalingLimitMaxCu: 1, branchId: unknownValue },
      warning: expect.stringMatching(/^may move: /),
      reason: "only the update will know",
    },
    {
      more: { autoscalingLimitMinCu: 1, autoscalingLimitMaxCu: 1 },
      live: running(4),
      warning: undefined,
      reason: "nothing changes",
    },
  ])("warns of $warning: $reason", async ({ more, live, warning }) => {
    const { notice } = await diffOf(state, { ...bigger, ...more }, { live });
    expect(notice?.text).toEqual(warning);
  });

  it("shows nothing of what is secret", async () => {
    const secrets = ["autoscalingLimitMinCu", "autoscalingLimitMaxCu"];
    expect((await diffOf(state, bigger, { more: { secrets } })).notice?.text).toBe(
      "restart: size (secret) drops open connections",
    );
  });

  const forbidding = readConfig(() => undefined, { COMPUTE_ON_INTERRUPTION: "forbid" });

  it.each<[reason: string, more: object, of: ProviderConfig]>([
    ["the resource says so", { onInterruption: "forbid" }, config],
    ["nobody knows that it is idle", { onInterruption: "forbid-when-active" }, config],
    ["the stack says so", {}, forbidding],
    ["the resource's own is not known yet", { onInterruption: unknownValue }, forbidding],
  ])("refuses an interruption: %s", async (...[, more, of]) => {
    expect((await diffOf(state, { ...bigger, ...more }, { of })).refusal?.message).toMatch(
      /^changing compute ep-a: restart: size 1 → 2 CU .*\. This is forbidden here \(onInterruption is "forbid.*" (?:on this resource\): to allow it, set it to "warn"|in the .*\): to allow it, set onInterruption: "warn" on this resource, which overrides that)\.$/,
    );
  });

  it.each<{ more: object; live?: ApiEndpoint; of: ProviderConfig; reason: string }>([
    { more: {}, live: running(2), of: forbidding, reason: "it runs as declared already" },
    {
      more: { onInterruption: "forbid-when-active" },
      live: { ...running(1), current_state: "idle" },
      of: config,
      reason: "it is idle",
    },
    { more: { onInterruption: "warn" }, of: forbidding, reason: "the resource allows it" },
    {
      more: { autoscalingLimitMinCu: 1, autoscalingLimitMaxCu: 1, suspendTimeoutSeconds: 600 },
      of: forbidding,
      reason: "nothing is interrupted",
    },
  ])("lets a change pass: $reason", async ({ more, live, of }) => {
    const result = await diffOf(state, { ...bigger, ...more }, { of, live });
    expect(result).toMatchObject({ changes: true });
    expect(result.refusal).toBeUndefined();
  });

  it("plans nothing for a refresh, and refuses nothing", async () => {
    const result = await diffOf(state, bigger, { of: forbidding, more: { isPlanned: false } });
    expect(result).toMatchObject({ changes: true, interrupts: false });
    expect(result).not.toHaveProperty("notice");
    expect(result.refusal).toBeUndefined();
  });
});
