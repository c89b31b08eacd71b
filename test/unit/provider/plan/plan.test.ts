/**
 * What check and diff make of a declaration, and what they ask the service. Outages, policies, what an earlier run has left
 * and settings of the stack are in test/scenarios/.
 */
import type { EndpointInputs } from "../../../../provider/model/inputs";
import type { EndpointState } from "../../../../provider/model/state";
import { unknownValue } from "../../../../provider/model/unknown";
import { checkEndpoint } from "../../../../provider/plan/check";
import type { CheckRequest } from "../../../../provider/plan/compare";
import { diffEndpoint, type DiffRequest, type DiffResult } from "../../../../provider/plan/diff";
import type { ComputeDescription, LiveRead } from "../../../../provider/plan/live";
import { trackOwnership } from "../../../../provider/run/ownership";
import { readConfig } from "../../../../provider/settings/config";

const least = { projectId: "p", branchId: "br-a", type: "read_write" };
const stored = { ...least, autoscalingLimitMinCu: 1, autoscalingLimitMaxCu: 1 };
const resized = { ...stored, autoscalingLimitMinCu: 2, autoscalingLimitMaxCu: 2 };
const replica = { ...least, type: "read_only" };
const adopting = { ...resized, adopt: "ep-a" };

const endpoint = {
  ...{ id: "ep-a", project_id: "p", branch_id: "br-a", type: "read_write", region_id: "local-1" },
  ...{ autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 1, current_state: "active" },
};
const { region_id: _, ...regionless } = endpoint;

interface How extends Pick<Partial<CheckRequest>, "replaces" | "isPreview"> {
  /** The declaration in the state; undefined for a new compute. */
  readonly olds?: object;
  readonly environment?: NodeJS.ProcessEnv;
  /** What the service answers. */
  readonly live?: LiveRead;
  readonly secrets?: readonly string[];
}

/** A preview's check. */
async function check(args: object, how: How) {
  const { olds, environment, live = { kind: "found", endpoint }, secrets = [], ...request } = how;
  const [asked, places]: [ComputeDescription[], object[]] = [[], []];
  const row = { say: () => Promise.resolve(), progress: () => undefined };
  const { announcement, shown, failures } = await checkEndpoint(
    {
      ...{ stored: olds as Record<string, unknown>, inputs: args as Record<string, unknown> },
      ...{ resource: { id: "urn:a", title: "a", secrets, row }, isPreview: true, ...request },
    },
    {
      config: readConfig(() => undefined, {
        COMPUTE_API_KEY: "k",
        COMPUTE_BASE_URL: "http://127.0.0.1",
        ...environment,
      }),
      liveReads: {
        readLive: (compute) => (asked.push(compute), Promise.resolve(live)),
        serviceNow: () => 0,
      },
      ...{ ownership: trackOwnership(), now: () => 0 },
      ...{
        pause: () => Promise.resolve(),
        unfinished: (place) => (places.push(place), Promise.resolve({})),
      },
      backend: () => Promise.resolve({ begunFor: () => [], holderOf: () => undefined }),
    },
  );
  const says = failures.map(({ property, reason }) => `${property}: ${reason}`);
  const { notice, verdict } = announcement ?? {};
  return { verdict, says: notice?.text ?? shown, failures: says, asked, places };
}

const matching = (form: RegExp): unknown => expect.stringMatching(form);
const restart = matching(/^restart: size 1 → 2 CU [^;]*; max_connections/);
const byForce = matching(/^replace: by force .* connections drop$/);
const own = { projectId: "p", endpointId: "ep-a" };
const replacing = { replaces: { endpointId: "ep-a", isForced: true } };
const isReplaced = { replaces: { isForced: false } };
const inPlace = { olds: stored };
const withoutFacts = { environment: { COMPUTE_LIVE_FACTS: "false" } };
const nothing = { failures: [], says: undefined };
const nothingAsked = { places: [], failures: [], verdict: undefined };
const ofUnknown = (names: readonly string[], is: object, args: object): Row[] =>
  names.map((name): Row => [`its ${name} is not known yet`, is, { ...args, [name]: unknownValue }]);

type Row = [reason: string, is: object, args: object, how?: How];

it.each<Row>([
  [
    "a change that interrupts: for people, since the diff asks the service and judges",
    { says: restart, asked: [], verdict: undefined },
    resized,
    inPlace,
  ],
  ["an update", { asked: [] }, resized, { ...inPlace, isPreview: false }],
  ["no change", { ...nothing, verdict: undefined, asked: [] }, stored, inPlace],
  [
    "a declaration that it refuses",
    { failures: [matching(/^: poolerMode is /)], says: undefined, verdict: undefined },
    { ...resized, poolerMode: "x" },
    inPlace,
  ],
  ["no key", { failures: [matching(/COMPUTE_API_KEY/)] }, least, { environment: { COMPUTE_API_KEY: "" } }],
  [
    "an adoption that interrupts",
    { asked: [own], says: restart, failures: [], verdict: { now: "active" } },
    adopting,
  ],
  [
    "an adoption that runs as declared, in the declared region",
    { ...nothing, verdict: { effect: "none", certain: true } },
    { ...stored, adopt: "ep-a", regionId: "local-1" },
  ],
  [
    "an adoption in a region that the service does not say, on a branch that is not known yet",
    { failures: [] },
    { ...adopting, regionId: "local-2", branchId: unknownValue },
    { live: { kind: "found", endpoint: regionless } },
  ],
  [
    "an adoption of what nobody is sure of",
    { failures: [], says: matching(/^may suspend: /), verdict: { effect: "suspend", certain: false } },
    { ...least, adopt: "ep-a", disabled: true },
    { live: { kind: "unsure" } },
  ],
  [
    "an adoption that nobody asks of, which declares nothing that could restart it: it is not forbidden",
    { ...nothing, verdict: { effect: "none", certain: false } },
    { ...least, adopt: "ep-a", onInterruption: "forbid" },
    withoutFacts,
  ],
  [
    "an adoption that nobody asks of: it may run at another size",
    { says: matching(/^may restart: .*if it runs at another, /), failures: [] },
    adopting,
    withoutFacts,
  ],
  [
    "an adoption of what is not there",
    { failures: [matching(/^: adopting compute ep-a: project p has no such/)] },
    adopting,
    { live: { kind: "missing" } },
  ],
  [
    "an adoption in place of a compute that goes: it may be that one",
    { failures: [matching(/^: a compute cannot replace itself/)] },
    adopting,
    isReplaced,
  ],
  ...ofUnknown(["adopt", "projectId"], { asked: [], failures: [] }, adopting),
  ["a replacement by force", { asked: [own], says: byForce, verdict: { now: "active" } }, replica, replacing],
  [
    "a replacement by force in a project that is not known yet",
    { asked: [], says: byForce },
    { ...replica, projectId: unknownValue },
    replacing,
  ],
  ["one that nobody asks of", { asked: [], says: byForce }, replica, { ...replacing, ...withoutFacts }],
  [
    "a replacement that a diff has told",
    { ...nothing, places: [replica], verdict: undefined },
    replica,
    isReplaced,
  ],
  ["a new compute in an update", nothingAsked, replica, { isPreview: false }],
  ["a new compute in a stack without live facts", nothingAsked, replica, withoutFacts],
  ...ofUnknown(["projectId", "branchId", "type"], nothingAsked, replica),
])("a check says and asks what it should: %s", async (...[, is, args, how = {}]) => {
  expect(await check(args, how)).toMatchObject(is);
});

const declared = { ...stored, regionId: "local-1" };
const state = { ...declared, endpointId: "ep-a", managed: [] } as unknown as EndpointState;

/** A diff in a preview, which the service does not answer unless a row has it otherwise. */
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
    { inputs, secrets: [], madePublic: [], isPreview: true, isPlanned: true, ...how },
    {
      ...{ config: readConfig(() => undefined, {}), now: () => 0 },
      liveReads: { readLive: () => Promise.resolve(read), serviceNow: () => 0 },
    },
  );
}

it("a diff says no, not perhaps, where nothing changes", async () => {
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
  [["regionId"], true, far, "a branch holds one primary"],
  [["regionId"], true, { regionId: unknownValue }, "it may be another region"],
  [["regionId"], false, { ...far, branchId: "br-b" }, "another branch"],
  [["regionId"], true, { ...far, branchId: unknownValue }, "it may be the same branch"],
  [["type"], false, { type: "read_only" }, "a replica fits beside the primary"],
  [["type"], true, { type: unknownValue }, "it may be a primary"],
  [["projectId"], true, { projectId: unknownValue }, "it may be the same project"],
  [["regionId"], false, { ...far, type: "read_only" }, "many replicas fit", "read_only"],
  [["type"], false, {}, "a replica holds no primary's place", "read_only"],
])(
  "a diff replaces for %j, deletes before it creates: %s, for %j: %s",
  async (...[replaces, isFirst, more, , type]) => {
    const was = { ...state, ...(type !== undefined && { type }) } as EndpointState;
    expect(await diffOf(was, more)).toMatchObject({ changes: true, replaces, deleteBeforeReplace: isFirst });
  },
);

const bigger = { autoscalingLimitMinCu: 2, autoscalingLimitMaxCu: 2 };
const found = (more: object): LiveRead => ({ kind: "found", endpoint: { ...endpoint, ...more } });
const off = { ...state, disabled: true } as EndpointState;
const unknownBranch = { ...bigger, branchId: unknownValue };

it.each<[reason: string, is: object, more: object, was?: EndpointState, read?: LiveRead]>([
  [
    "a size restarts it",
    { verdict: { effect: "restart", certain: true, endpointId: "ep-a" } },
    bigger,
    state,
    found({}),
  ],
  [
    "nobody can be asked, which the notice and the verdict say",
    { notice: { unasked: true }, verdict: { effect: "restart", unasked: true } },
    bigger,
  ],
  [
    "the state says disabled, and it was enabled outside: it runs",
    { notice: { text: restart }, verdict: { effect: "restart", now: "active" } },
    { ...bigger, disabled: true },
    off,
    found({}),
  ],
  [
    "it was disabled outside",
    { notice: undefined, calm: "nothing is interrupted: it is disabled now" },
    bigger,
    state,
    found({ disabled: true, current_state: "idle" }),
  ],
  [
    "the size was set outside already",
    { notice: undefined, calm: "nothing is interrupted: the service has these values already" },
    bigger,
    state,
    found({ autoscaling_limit_min_cu: 2, autoscaling_limit_max_cu: 2 }),
  ],
  [
    "the state says disabled, and nobody can be asked",
    {
      notice: undefined,
      verdict: { unasked: true },
      calm: "nothing is interrupted: it is disabled in the state; the service could not be asked what it does now",
    },
    { ...bigger, disabled: true },
    off,
  ],
  ["nothing of it interrupts", { notice: undefined, calm: undefined }, { suspendTimeoutSeconds: 600 }],
  [
    "it may also move",
    { verdict: { effect: "restart", also: [{ effect: "move", certain: false }], branchId: undefined } },
    unknownBranch,
  ],
])("a diff judges where %s", async (...[, is, more, was = state, read]) => {
  expect(await diffOf(was, more, read && { read })).toMatchObject(is);
});

it("a diff lets no value wait in the state that is no secret any more", async () => {
  const waits = { autoscalingLimitMinCu: 2, onInterruption: "defer" };
  const { notice } = await diffOf(state, waits, { madePublic: ["autoscalingLimitMinCu"] });
  expect(notice?.text).toMatch(/; refused unless the update finds it idle$/);
});
