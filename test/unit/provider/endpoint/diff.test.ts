import { readConfig } from "../../../../provider/settings/config";
import { diffEndpoint, type DiffRequest, type DiffResult } from "../../../../provider/plan/diff";
import type { EndpointInputs } from "../../../../provider/model/inputs";
import type { EndpointState } from "../../../../provider/model/state";
import { unknownValue } from "../../../../provider/model/unknown";

const declared = {
  projectId: "p",
  branchId: "br-a",
  type: "read_write",
  autoscalingLimitMinCu: 1,
  autoscalingLimitMaxCu: 1,
  regionId: "local-1",
};
const state = { ...declared, endpointId: "ep-a", managed: [] } as unknown as EndpointState;
const replica = { ...state, type: "read_only" } as EndpointState;

/** A diff whose preview the service does not answer. */
function diffOf(was: EndpointState, more: object, how: Partial<DiffRequest> = {}): Promise<DiffResult> {
  const inputs = { ...declared, ...more } as unknown as EndpointInputs;
  return diffEndpoint(
    was,
    { inputs, secrets: [], madePublic: [], isPreview: true, isPlanned: true, ...how },
    {
      config: readConfig(() => undefined, {}),
      now: () => 0,
      liveReads: { readLive: () => Promise.resolve({ kind: "unanswered" }), serviceNow: () => 0 },
    },
  );
}

/** What the service and a policy make of a change is in test/scenarios/. */
describe("diffEndpoint", () => {
  it("says no, not perhaps, where nothing changes", async () => {
    expect(await diffOf(state, {})).toEqual({
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
    [{ projectId: "q", regionId: "local-2" }, ["projectId", "regionId"], "two at once"],
    [{ type: unknownValue }, ["type"], "it may be another"],
  ])("changes with %j, and replaces for %j: %s", async (...[more, replaces]) => {
    expect(await diffOf(state, more)).toMatchObject({ changes: true, replaces });
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
    expect((await diffOf(was, more)).deleteBeforeReplace).toBe(first);
  });

  it("lets no value wait in the state that is no secret any more", async () => {
    const bigger = { autoscalingLimitMinCu: 2, onInterruption: "defer" };
    const { notice } = await diffOf(state, bigger, { madePublic: ["autoscalingLimitMinCu"] });
    expect(notice?.text).toMatch(/; refused unless the update finds it idle$/);
  });
});
