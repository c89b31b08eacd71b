import { checkEndpoint, type CheckResult } from "../../../../provider/endpoint/planning/check";
import type { CheckRequest, CheckServices } from "../../../../provider/endpoint/planning/compare";
import type { ComputeDescription } from "../../../../provider/endpoint/planning/live";
import { trackPrimaries } from "../../../../provider/endpoint/planning/primaries";
import { unknownValue } from "../../../../provider/pure/unknown";
import { readConfig } from "../../../../provider/settings/config";
import { ownershipWith } from "../../../support/ownership";

const least = { projectId: "p", branchId: "br-a", type: "read_only" };
const connection = { COMPUTE_API_KEY: "k3y", COMPUTE_BASE_URL: "https://api.example.com" };
const idle = { id: "ep-a", project_id: "p", branch_id: "br-a", type: "read_only", current_state: "idle" };
const nothing = (): Promise<undefined> => Promise.resolve(undefined);

interface Asked extends CheckResult {
  /** Computes that the service was asked of. */
  readonly reads: readonly ComputeDescription[];
  /** Places at which an earlier run may have left a compute. */
  readonly places: readonly object[];
}

/** The check of a resource without a declaration in the state. */
async function check(
  args: Readonly<Record<string, unknown>>,
  how: Partial<CheckRequest> & { readonly environment?: NodeJS.ProcessEnv } = {},
): Promise<Asked> {
  const { environment = {}, ...more } = how;
  const reads: ComputeDescription[] = [];
  const places: object[] = [];
  const services: CheckServices = {
    config: readConfig(() => undefined, { ...connection, ...environment }),
    liveReads: {
      readLive: (compute) => {
        reads.push(compute);
        return Promise.resolve({ kind: "found", endpoint: idle });
      },
      listLive: nothing,
      serviceNow: () => 0,
    },
    ownership: ownershipWith(),
    primaries: trackPrimaries(),
    pause: nothing,
    isBegun: () => Promise.resolve(false),
    unfinished: (place) => {
      places.push(place);
      return Promise.resolve({ kind: "answered", endpoint: idle });
    },
    now: () => 0,
  };
  const row = { say: () => Promise.resolve(), progress: () => undefined };
  const resource = { id: "urn:a", title: "a", secrets: [], row };
  const request = { stored: undefined, args, resource, isPreview: true, ...more };
  return { ...(await checkEndpoint(request, services)), reads, places };
}

const unasked = [
  { args: { ...least, projectId: unknownValue }, how: {}, reason: "its project is not known yet" },
  {
    args: least,
    how: { environment: { COMPUTE_LIVE_FACTS: "false" } },
    reason: "the stack does not want it",
  },
  { args: least, how: { isPreview: false }, reason: "this is no preview" },
];

describe("a replacement that the user forces", () => {
  const replacing = { replaces: { endpointId: "ep-a", isForced: true } };

  it("says what it does to the compute that is replaced, and what that runs now", async () => {
    const { reads, notice, verdict } = await check(least, replacing);
    expect(reads).toEqual([{ projectId: "p", endpointId: "ep-a" }]);
    expect(notice?.text).toMatch(/^replace: by force .* connections drop$/);
    expect(verdict?.now).toBe("idle");
  });

  it.each(unasked)("asks nobody where $reason, and says it all the same", async ({ args, how }) => {
    const { reads, notice } = await check(args, { ...replacing, ...how });
    expect(reads).toEqual([]);
    expect(notice?.text).toMatch(/^replace: by force .* connections drop$/);
  });
});

describe("what an earlier run may have left of a new compute", () => {
  it("is looked for at its place", async () => {
    const { places, verdict } = await check(least);
    expect(places).toEqual([least]);
    expect(verdict).toMatchObject({ endpointId: "ep-a" });
  });

  it("is looked for where it replaces one that is there, and changes nothing of what the diff has told", async () => {
    const { places, verdict, failures } = await check(least, { replaces: { isForced: false } });
    expect(places).toEqual([least]);
    expect(verdict?.endpointId).toBeUndefined();
    expect(failures).toEqual([]);
  });

  it.each([
    ...unasked,
    { args: { ...least, branchId: unknownValue }, how: {}, reason: "its branch is not known yet" },
    { args: { ...least, type: unknownValue }, how: {}, reason: "its type is not known yet" },
  ])("is not looked for where $reason", async ({ args, how }) => {
    const { places, verdict, failures } = await check(args, how);
    expect(places).toEqual([]);
    expect(verdict?.endpointId).toBeUndefined();
    expect(failures).toEqual([]);
  });
});
