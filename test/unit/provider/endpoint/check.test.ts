import { trackPrimaries } from "../../../../provider/endpoint/planning/primaries";
import { readConfig } from "../../../../provider/settings/config";
import { checkEndpoint } from "../../../../provider/endpoint/planning/check";
import type { CheckRequest } from "../../../../provider/endpoint/planning/compare";
import type { ComputeDescription, LiveRead } from "../../../../provider/endpoint/planning/live";
import { unknownValue } from "../../../../provider/pure/unknown";
import { ownershipWith } from "../../../support/ownership";

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
  /** Besides the connection. */
  readonly environment?: NodeJS.ProcessEnv;
  /** What the service answers. */
  readonly live?: LiveRead;
  readonly secrets?: readonly string[];
}

/** A preview's check. @param olds - the declaration in the state; undefined for a new compute. */
async function check(olds: object | undefined, args: object, how: How = {}) {
  const { environment, live = running, secrets = [], ...request } = how;
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
        listLive: () => Promise.resolve(Object.assign(new Map(), { unreadable: [] })),
        serviceNow: () => 0,
      },
      ownership: ownershipWith(),
      primaries: trackPrimaries(),
      pause: nothing,
      isBegun: () => Promise.resolve(false),
      unfinished: (place) => {
        places.push(place);
        return Promise.resolve({ kind: "answered", endpoint });
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

interface Row {
  readonly reason: string;
  readonly olds?: object;
  readonly args: object;
  readonly how?: How;
  readonly is: object;
}

/** What lifecycle/ has of it is left out: outages, policies, what an earlier run has left, settings of the stack. */
const rows: readonly Row[] = [
  {
    reason: "a change that interrupts, with the compute that was asked of",
    olds: stored,
    args: resized,
    is: { inputs: resized, says: restart, asked: [least], verdict: { now: "active", endpointId: "ep-a" } },
  },
  { reason: "an update", olds: stored, args: resized, how: { isPreview: false }, is: { asked: [] } },
  { reason: "no change", olds: stored, args: stored, is: { says: undefined, verdict: undefined, asked: [] } },
  {
    reason: "a secret and an unknown place",
    olds: stored,
    args: { ...resized, branchId: unknownValue },
    how: { secrets: ["projectId"] },
    is: {
      verdict: { also: [{ effect: "move", certain: false }], projectId: undefined, branchId: undefined },
    },
  },
  {
    reason: "a declaration that it refuses",
    olds: stored,
    args: { ...resized, poolerMode: "x" },
    is: { failures: [matching(/^poolerMode: /)], says: undefined, verdict: undefined },
  },
  {
    reason: "no key",
    args: least,
    how: { environment: { COMPUTE_API_KEY: "" } },
    is: { failures: [matching(/COMPUTE_API_KEY/)] },
  },
  {
    reason: "an adoption, and what bringing it along interrupts",
    args: adopting,
    is: { asked: [own], says: restart, failures: [], verdict: { now: "active" } },
  },
  {
    reason: "an adoption that runs as declared, in the region that the program names",
    args: { ...stored, adopt: "ep-a", regionId: "local-1" },
    is: { says: undefined, failures: [], verdict: { effect: "none", certain: true } },
  },
  {
    reason: "an adoption in a region that the service does not say, on a branch that is not known yet",
    args: { ...adopting, regionId: "local-2", branchId: unknownValue },
    how: { live: { kind: "found", endpoint: regionless } },
    is: { failures: [] },
  },
  {
    reason: "an adoption of what nobody is sure of",
    args: { ...least, adopt: "ep-a", disabled: true },
    how: { live: { kind: "unsure" } },
    is: { failures: [], says: matching(/^may suspend: /), verdict: { effect: "suspend", certain: false } },
  },
  {
    reason: "an adoption of what is not there",
    args: adopting,
    how: { live: { kind: "missing" } },
    is: { failures: [matching(/^adopt: adopting compute ep-a: project p has no such/)] },
  },
  {
    reason: "an adoption in place of a compute that goes: it may be that one",
    args: adopting,
    how: { replaces: { isForced: false } },
    is: { failures: [matching(/^adopt: a compute cannot replace itself/)] },
  },
  ...["adopt", "projectId"].map((name) => ({
    reason: `an adoption whose ${name} is not known yet`,
    args: { ...adopting, [name]: unknownValue },
    is: { asked: [], failures: [] },
  })),
  {
    reason: "a replacement by force",
    args: replica,
    how: replacing,
    is: { asked: [own], says: byForce, verdict: { now: "active" } },
  },
  {
    reason: "a replacement by force in a project that is not known yet",
    args: { ...replica, projectId: unknownValue },
    how: replacing,
    is: { asked: [], says: byForce },
  },
  {
    reason: "a replacement by force in a stack without live facts",
    args: replica,
    how: { ...replacing, environment: { COMPUTE_LIVE_FACTS: "false" } },
    is: { asked: [], says: byForce },
  },
  {
    reason: "a replacement, of which the diff has told all",
    args: replica,
    how: { replaces: { isForced: false } },
    is: { places: [replica], failures: [], verdict: undefined },
  },
  ...[{ isPreview: false }, { environment: { COMPUTE_LIVE_FACTS: "false" } }].map((how) => ({
    reason: `a new compute, with ${JSON.stringify(how)}`,
    args: replica,
    how,
    is: { places: [], failures: [], verdict: undefined },
  })),
  ...["projectId", "branchId", "type"].map((name) => ({
    reason: `a new compute whose ${name} is not known yet`,
    args: { ...replica, [name]: unknownValue },
    is: { places: [], failures: [], verdict: undefined },
  })),
];

it.each(rows)("a check says and asks what it should of $reason", async ({ olds, args, how, is }) => {
  expect(await check(olds, args, how)).toMatchObject(is);
});
