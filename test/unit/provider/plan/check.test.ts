/**
 * What a check makes of a declaration, and what it asks the service. Outages, policies, what an earlier run has left and
 * settings of the stack are in test/scenarios/.
 */
import { unknownValue } from "../../../../provider/model/unknown";
import { checkEndpoint, type CheckRequest } from "../../../../provider/plan/check";
import type { LiveRead } from "../../../../provider/plan/live";
import { trackOwnership } from "../../../../provider/run/ownership";
import { nowOf } from "../../../../provider/service/running";
import type { ApiEndpoint } from "../../../../provider/service/schemas";
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

const found = (compute: ApiEndpoint): LiveRead => ({
  kind: "found",
  endpoint: compute,
  now: nowOf(compute, 0),
});

/** A preview's check. */
async function check(args: object, how: How) {
  const { olds, environment, live = found(endpoint), secrets = [], ...request } = how;
  const [asked, places]: [object[], object[]] = [[], []];
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
      },
      ...{ ownership: trackOwnership(), now: () => 0 },
      ...{
        pause: () => Promise.resolve(),
        previewCutOff: (place) => (places.push(place), Promise.resolve({})),
      },
      backend: () => Promise.resolve({ cutOffFor: () => [], holderOf: () => undefined }),
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
    { live: found(regionless) },
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
    { says: matching(/^may restart: .*if the current size differs, /), failures: [] },
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
