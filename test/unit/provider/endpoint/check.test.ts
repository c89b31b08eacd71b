import { trackOwnership } from "../../../../provider/run/ownership";
import { trackPrimaries } from "../../../../provider/plan/primaries";
import { readConfig } from "../../../../provider/settings/config";
import { checkEndpoint } from "../../../../provider/plan/check";
import type { CheckRequest } from "../../../../provider/plan/compare";
import type { ComputeDescription, LiveRead } from "../../../../provider/plan/live";
import { unknownValue } from "../../../../provider/model/unknown";

const least = { projectId: "p", branchId: "br-a", type: "read_write" };
const stored = { ...least, autoscalingLimitMinCu: 1, autoscalingLimitMaxCu: 1 };
const resized = { ...stored, autoscalingLimitMinCu: 2, autoscalingLimitMaxCu: 2 };
const replica = { ...least, type: "read_only" };
const adopting = { ...resized, adopt: "ep-a" };

const endpoint = {
  id: "ep-a",
  project_id: "p",
  branch_id: "br-a",
  type: "read_write",
  region_id: "local-1",
  autoscaling_limit_min_cu: 1,
  autoscaling_limit_max_cu: 1,
  current_state: "active",
};
const running: LiveRead = { kind: "found", endpoint };
const { region_id: _, ...regionless } = endpoint;

const connection = { COMPUTE_API_KEY: "k3y", COMPUTE_BASE_URL: "https://api.example.com" };
const nothing = (): Promise<undefined> => Promise.resolve(undefined);

interface How extends Pick<Partial<CheckRequest>, "replaces" | "isPreview"> {
  /** The declaration in the state; undefined for a new compute. */
  readonly olds?: object;
  /** Besides the connection. */
  readonly environment?: NodeJS.ProcessEnv;
  /** What the service answers. */
  readonly live?: LiveRead;
  readonly secrets?: readonly string[];
}

/** A preview's check. */
async function check(args: object, how: How = {}) {
  const { olds, environment, live = running, secrets = [], ...request } = how;
  const asked: ComputeDescription[] = [];
  const places: object[] = [];
  const row = { say: () => Promise.resolve(), progress: () => undefined };
  const { notice, failures, ...rest } = await checkEndpoint(
    {
      stored: olds as Record<string, unknown>,
      inputs: args as Record<string, unknown>,
      resource: { id: "urn:a", title: "a", secrets, row },
      isPreview: true,
      ...request,
    },
    {
      config: readConfig(() => undefined, { ...connection, ...environment }),
      liveReads: {
        readLive: (compute) => {
          asked.push(compute);
          return Promise.resolve(live);
        },
        serviceNow: () => 0,
      },
      ownership: trackOwnership(),
      primaries: trackPrimaries(),
      pause: nothing,
      backend: () => Promise.resolve({ begunFor: () => [], holderOf: () => undefined }),
      unfinished: (place) => {
        places.push(place);
        return Promise.resolve(undefined);
      },
      now: () => 0,
    },
  );
  return {
    ...rest,
    verdict: rest.verdict,
    says: notice?.text,
    failures: failures.map(({ property, reason }) => `${property}: ${reason}`),
    asked,
    places,
  };
}

const matching = (form: RegExp): unknown => expect.stringMatching(form);
const restart = matching(/^restart: size 1 → 2 CU drops open connections; max_connections/);
const byForce = matching(/^replace: by force .* connections drop$/);
const own = { projectId: "p", endpointId: "ep-a" };
const replacing = { replaces: { endpointId: "ep-a", isForced: true } };

type Row = [reason: string, is: object, args: object, how?: How];
const withoutFacts = { environment: { COMPUTE_LIVE_FACTS: "false" } };
const nothingAsked = { places: [], failures: [], verdict: undefined };

/** What test/scenarios/ has of it is left out: outages, policies, what an earlier run has left, settings of the stack. */
const rows: Row[] = [
  [
    "a change that interrupts, with the compute that was asked of",
    { inputs: resized, says: restart, asked: [least], verdict: { now: "active", endpointId: "ep-a" } },
    resized,
    { olds: stored },
  ],
  [
    "a new size where the state says disabled, and the compute was enabled outside: it runs",
    { says: restart },
    { ...resized, disabled: true },
    { olds: { ...stored, disabled: true } },
  ],
  ["an update", { asked: [] }, resized, { olds: stored, isPreview: false }],
  ["no change", { says: undefined, verdict: undefined, asked: [] }, stored, { olds: stored }],
  [
    "a secret and an unknown place",
    { verdict: { also: [{ effect: "move", certain: false }], projectId: undefined, branchId: undefined } },
    { ...resized, branchId: unknownValue },
    { olds: stored, secrets: ["projectId"] },
  ],
  [
    "a declaration that it refuses",
    { failures: [matching(/^: poolerMode is /)], says: undefined, verdict: undefined },
    { ...resized, poolerMode: "x" },
    { olds: stored },
  ],
  ["no key", { failures: [matching(/COMPUTE_API_KEY/)] }, least, { environment: { COMPUTE_API_KEY: "" } }],
  [
    "an adoption, and what bringing it along interrupts",
    { asked: [own], says: restart, failures: [], verdict: { now: "active" } },
    adopting,
  ],
  [
    "an adoption that runs as declared, in the region that the program names",
    { says: undefined, failures: [], verdict: { effect: "none", certain: true } },
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
    { failures: [], says: undefined, verdict: { effect: "none", certain: false } },
    { ...least, adopt: "ep-a", onInterruption: "forbid" },
    withoutFacts,
  ],
  [
    "an adoption that nobody asks of: it may run at another size",
    { says: matching(/^may restart: .*if it runs at another, drops open/), failures: [] },
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
    { replaces: { isForced: false } },
  ],
  ...["adopt", "projectId"].map((name): Row => [
    `an adoption whose ${name} is not known yet`,
    { asked: [], failures: [] },
    { ...adopting, [name]: unknownValue },
  ]),
  ["a replacement by force", { asked: [own], says: byForce, verdict: { now: "active" } }, replica, replacing],
  [
    "a replacement by force in a project that is not known yet",
    { asked: [], says: byForce },
    { ...replica, projectId: unknownValue },
    replacing,
  ],
  [
    "a replacement by force in a stack without live facts",
    { asked: [], says: byForce },
    replica,
    { ...replacing, ...withoutFacts },
  ],
  [
    "a replacement, of which the diff has told all",
    { places: [replica], failures: [], verdict: undefined },
    replica,
    { replaces: { isForced: false } },
  ],
  ["a new compute in an update", nothingAsked, replica, { isPreview: false }],
  ["a new compute in a stack without live facts", nothingAsked, replica, withoutFacts],
  ...["projectId", "branchId", "type"].map((name): Row => [
    `a new compute whose ${name} is not known yet`,
    nothingAsked,
    { ...replica, [name]: unknownValue },
  ]),
];

it.each(rows)("a check says and asks what it should of %s", async (...[, is, args, how]) => {
  expect(await check(args, how)).toMatchObject(is);
});
