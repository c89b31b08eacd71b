/** What a diff decides from a change and from what the compute does now. test/scenarios/ tests outages, policies and settings. */
import type { EndpointInputs } from "../../../../provider/model/inputs";
import type { EndpointState } from "../../../../provider/model/state";
import { unknownValue } from "../../../../provider/model/unknown";
import { diffEndpoint, type DiffRequest, type DiffResult } from "../../../../provider/plan/diff";
import type { LiveRead } from "../../../../provider/plan/live";
import { nowOf } from "../../../../provider/service/running";
import { readConfig } from "../../../../provider/settings/config";

const stored = {
  ...{ projectId: "p", branchId: "br-a", type: "read_write" },
  ...{ autoscalingLimitMinCu: 1, autoscalingLimitMaxCu: 1 },
};
const endpoint = {
  ...{ id: "ep-a", project_id: "p", branch_id: "br-a", type: "read_write", region_id: "local-1" },
  ...{ autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 1, current_state: "active" },
};

const restart: unknown = expect.stringMatching(/^restart: size 1 → 2 CU [^;]*; max_connections/);

const declared = { ...stored, regionId: "local-1" };
const state = { ...declared, endpointId: "ep-a", managed: [] } as unknown as EndpointState;

/** A diff in a preview. The service does not answer, unless a row passes `read`. */
function diffOf(
  was: EndpointState,
  more: object,
  {
    read = { kind: "unanswered" },
    ...how
  }: Partial<DiffRequest> & { readonly read?: LiveRead | undefined } = {},
): Promise<DiffResult> {
  const inputs = { ...declared, ...more } as unknown as EndpointInputs;
  return diffEndpoint(
    was,
    { inputs, secrets: [], ignores: [], madePublic: [], isPreview: true, isPlanned: true, ...how },
    {
      ...{ config: readConfig(() => undefined, {}), now: () => 0 },
      liveReads: { readLive: () => Promise.resolve(read) },
    },
  );
}

it("a diff without a change says that nothing changes", async () => {
  const none = { changes: false, changed: [], replaces: [], deleteBeforeReplace: false };
  expect(await diffOf(state, {})).toEqual({ ...none, isUnlisted: false });
});

const far = { regionId: "local-2" };
it.each<[replaces: string[], isFirst: boolean, more: object, reason: string, type?: string]>([
  [[], false, { autoscalingLimitMaxCu: 2 }, "a size changes in place"],
  [[], false, { branchId: "br-b" }, "a move is in place"],
  [
    ["projectId", "regionId"],
    false,
    { projectId: "q", ...far },
    "another project's branch is another branch",
  ],
  [["regionId"], true, far, "a branch has only one primary"],
  [["regionId"], true, { regionId: unknownValue }, "it may be another region"],
  [["regionId"], false, { ...far, branchId: "br-b" }, "the new compute is on another branch"],
  [["regionId"], true, { ...far, branchId: unknownValue }, "it may be the same branch"],
  [["type"], false, { type: "read_only" }, "a replica fits beside the primary"],
  [["type"], true, { type: unknownValue }, "it may be a primary"],
  [["projectId"], true, { projectId: unknownValue }, "it may be the same project"],
  [["regionId"], false, { ...far, type: "read_only" }, "many replicas fit", "read_only"],
  [["type"], false, {}, "a replica does not take a primary's place", "read_only"],
])(
  "a diff replaces because of %j, deletes first: %s, for %j: %s",
  async (...[replaces, isFirst, more, , type]) => {
    const was = { ...state, ...(type !== undefined && { type }) } as EndpointState;
    expect(await diffOf(was, more)).toMatchObject({ changes: true, replaces, deleteBeforeReplace: isFirst });
  },
);

const bigger = { autoscalingLimitMinCu: 2, autoscalingLimitMaxCu: 2 };
const found = (more: object): LiveRead => {
  const compute = { ...endpoint, ...more };
  return { kind: "found", endpoint: compute, now: nowOf(compute, 0) };
};
const off = { ...state, disabled: true } as EndpointState;

it.each<[reason: string, is: object, more: object, was?: EndpointState, read?: LiveRead]>([
  [
    "the state says disabled, but the compute was enabled elsewhere and runs",
    {
      judgement: { change: { interruption: { text: restart } } },
      verdict: { effect: "restart", now: "active" },
    },
    { ...bigger, disabled: true },
    off,
    found({}),
  ],
  [
    "the compute was disabled elsewhere",
    {
      judgement: { change: { interruption: undefined } },
      calm: "nothing is interrupted: the compute is disabled now",
    },
    bigger,
    state,
    found({ disabled: true, current_state: "idle" }),
  ],
  [
    "the state says disabled, and the service cannot be asked",
    {
      judgement: {
        change: {
          interruption: {
            text: expect.stringMatching(/^may restart: size 1 → 2 CU may drop/) as string,
          },
        },
      },
      verdict: { effect: "restart", certain: false, unasked: true },
      calm: undefined,
    },
    { ...bigger, disabled: true },
    off,
  ],
])("a diff judges a change where %s", async (...[, is, more, was = state, read]) => {
  expect(await diffOf(was, more, read && { read })).toMatchObject(is);
});
