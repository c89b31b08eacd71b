import { trackPrimaries } from "../../../../provider/endpoint/planning/primaries";
import { readConfig, type ProviderConfig } from "../../../../provider/settings/config";
import { checkEndpoint, type CheckResult } from "../../../../provider/endpoint/planning/check";
import type { ComputeDescription, LiveRead } from "../../../../provider/endpoint/planning/live";
import type { Resource } from "../../../../provider/endpoint/resource";
import { unknownValue } from "../../../../provider/pure/unknown";
import { ownershipWith } from "../../../support/ownership";

const least = { projectId: "p", branchId: "br-a", type: "read_write" };
const stored = { ...least, autoscalingLimitMinCu: 1, autoscalingLimitMaxCu: 1 };
const resized = { ...stored, autoscalingLimitMinCu: 2, autoscalingLimitMaxCu: 2 };

const connection = { COMPUTE_API_KEY: "k3y", COMPUTE_BASE_URL: "https://api.example.com" };

const nothing = (): Promise<undefined> => Promise.resolve(undefined);
const unsure: LiveRead = { kind: "unsure" };
const running = {
  kind: "found",
  endpoint: {
    id: "ep-a",
    project_id: "p",
    branch_id: "br-a",
    type: "read_write",
    autoscaling_limit_min_cu: 1,
    autoscaling_limit_max_cu: 1,
    current_state: "active",
  },
} as const satisfies LiveRead;
const idle: LiveRead = { ...running, endpoint: { ...running.endpoint, current_state: "idle" } };

interface Checked extends CheckResult {
  readonly reads: number;
  /** What the service was asked of. */
  readonly asked: readonly ComputeDescription[];
}

interface How {
  readonly environment?: NodeJS.ProcessEnv;
  readonly live?: LiveRead;
  readonly isPreview?: boolean;
  readonly replaces?: { readonly isForced: boolean };
  readonly secrets?: readonly string[];
}

/** @param olds - the declaration in the state; undefined for a new compute. */
async function check(
  olds: Readonly<Record<string, unknown>> | undefined,
  args: Readonly<Record<string, unknown>>,
  how: How = {},
): Promise<Checked> {
  const { environment = connection, live = unsure, secrets = [] } = how;
  const asked: ComputeDescription[] = [];
  const config: ProviderConfig = readConfig(() => undefined, environment);
  const readLive = (compute: ComputeDescription): Promise<LiveRead> => {
    asked.push(compute);
    return Promise.resolve(live);
  };
  const row = { say: () => Promise.resolve(), progress: () => undefined };
  const resource: Resource = { id: "urn:a", title: "a", secrets, row };
  const request = { stored: olds, args, resource, isPreview: false, ...how };
  const listed = Object.assign(new Map(), { unreadable: [] });
  const liveReads = { readLive, listLive: () => Promise.resolve(listed), serviceNow: () => 0 };
  const asksNobody = { pause: nothing, isBegun: () => Promise.resolve(false), unfinished: nothing };
  return {
    ...(await checkEndpoint(request, { config, liveReads, ...held(), ...asksNobody, now: () => 0 })),
    reads: asked.length,
    asked,
  };
}

const held = () => ({ ownership: ownershipWith(), primaries: trackPrimaries() });
const preview = { isPreview: true };

describe("checkEndpoint", () => {
  it("hands on the arguments and the defaults, and nothing else", async () => {
    const { projectId, branchId } = least;
    const { inputs } = await check(undefined, { projectId, branchId });
    expect(inputs).toEqual({ projectId, branchId, type: "read_write" });
  });

  it("says what a change interrupts", async () => {
    const { inputs, notice, verdict } = await check(stored, resized, preview);
    expect(notice?.text).toMatch(/^restart: size 1 → 2 CU drops open connections/);
    expect(verdict).toMatchObject({ effect: "restart", certain: true, ...least });
    expect(inputs).toEqual(resized);
  });

  it("asks nobody in an update", async () => {
    const { inputs, reads } = await check(stored, resized);
    expect(inputs).toEqual(resized);
    expect(reads).toBe(0);
  });

  it.each([
    { news: { ...stored, suspendTimeoutSeconds: 600 }, reason: "autosuspend leaves connections alone" },
    { news: { ...stored, timeouts: { update: 60 } }, reason: "the service never hears of it" },
    { news: stored, reason: "nothing changes" },
  ])("says nothing in a preview where $reason", async ({ news }) => {
    const { notice, reads } = await check(stored, news, preview);
    expect(notice).toBeUndefined();
    expect(reads).toBe(0);
  });

  it("says in a preview that a Postgres setting is left out now, as diff does", async () => {
    const olds = { ...stored, settings: { pgSettings: { jit: true, work_mem: "8MB" } } };
    const news = { ...stored, settings: { pgSettings: { jit: true } } };
    const { notice } = await check(olds, news, preview);
    expect(notice?.text).toMatch(/^may interrupt: settings\.pgSettings/);
  });

  it("says nothing of a new compute", async () => {
    const { notice, verdict } = await check(undefined, resized, preview);
    expect([notice, verdict]).toEqual([undefined, undefined]);
  });

  it("says nothing of a declaration that it refuses", async () => {
    const { failures, ...rest } = await check(stored, { ...resized, poolerMode: "x" }, preview);
    expect(failures).toHaveLength(1);
    expect(rest).not.toHaveProperty("notice");
    expect(rest).not.toHaveProperty("verdict");
  });

  it("says may where only the update will know", async () => {
    const { notice, verdict } = await check(
      stored,
      { ...stored, autoscalingLimitMaxCu: unknownValue },
      preview,
    );
    expect(notice?.text).toMatch(/^may restart: /);
    expect(verdict).toMatchObject({ effect: "restart", certain: false });
  });

  it("says what the service shows of the compute now", async () => {
    const { notice, reads, verdict } = await check(stored, resized, { ...preview, live: running });
    expect(reads).toBe(1);
    expect(notice?.text).toMatch(/^restart: size 1 → 2 CU drops open connections; max_connections/);
    expect(verdict).toMatchObject({ now: "active", endpointId: "ep-a" });
  });

  it.each(["warn", "forbid", "forbid-when-active"])(
    "finds words, and leaves it to the diff to refuse: %s",
    async (policy) => {
      const news = { ...resized, onInterruption: policy };
      const before = { ...stored, onInterruption: policy };
      const { failures, notice } = await check(before, news, { ...preview, live: running });
      expect(failures).toEqual([]);
      expect(notice?.text).toMatch(/^restart: size 1 → 2 CU/);
    },
  );

  it.each([
    [{ COMPUTE_BASE_URL: "https://api.example.com" }, "COMPUTE_API_KEY"],
    [{ COMPUTE_API_KEY: "k3y" }, "COMPUTE_BASE_URL"],
  ])("refuses at preview time what could never be sent: %j", async (environment, names) => {
    const { failures } = await check(undefined, least, { environment });
    expect(failures).toHaveLength(1);
    expect(failures[0]?.reason).toContain(names);
  });
});

describe("whether the service is asked", () => {
  it.each([
    { news: resized, isPreview: true, more: {}, reads: 1, reason: "a preview of a change that interrupts" },
    { news: stored, isPreview: true, more: {}, reads: 0, reason: "nothing is interrupted" },
    { news: resized, isPreview: false, more: {}, reads: 0, reason: "an update, and nothing is forbidden" },
    {
      news: { ...resized, onInterruption: "forbid" },
      isPreview: false,
      more: {},
      reads: 1,
      reason: "an update that may be forbidden",
    },
    {
      news: resized,
      isPreview: true,
      more: { COMPUTE_LIVE_FACTS: "false" },
      reads: 0,
      reason: "the stack does not want it",
    },
    {
      news: resized,
      isPreview: true,
      more: { COMPUTE_UPDATE_PLANS: "true" },
      reads: 0,
      reason: "a saved plan would not fit",
    },
  ])("asks $reads times: $reason", async ({ news, isPreview, more, reads }) => {
    const { asked } = await check(stored, news, { environment: { ...connection, ...more }, isPreview });
    expect(asked).toEqual(
      Array<unknown>(reads).fill({ projectId: "p", branchId: "br-a", type: "read_write" }),
    );
  });

  it("names the compute that was asked of, so that diff knows whom the words are about", async () => {
    const news = { ...resized, onInterruption: "forbid-when-active" };
    const { verdict } = await check(stored, news, { ...preview, live: idle });
    expect(verdict).toMatchObject({ now: "idle", endpointId: "ep-a" });
    const unasked = await check(stored, resized, { ...preview, live: unsure });
    expect(unasked.verdict).toMatchObject({ now: undefined, endpointId: undefined });
  });
});

describe("the verdict", () => {
  it("leaves out what is secret, or not known yet", async () => {
    const secrets = ["projectId"];
    const { verdict } = await check(stored, { ...resized, branchId: unknownValue }, { ...preview, secrets });
    expect(verdict).toMatchObject({ projectId: undefined, branchId: undefined, type: "read_write" });
  });

  it("is none where a change leaves connections alone, and missing where nothing changes", async () => {
    const sleep = await check(stored, { ...stored, suspendTimeoutSeconds: 600 }, preview);
    expect(sleep.verdict).toMatchObject({ effect: "none", certain: true });
    expect((await check(stored, stored, preview)).verdict).toBeUndefined();
  });

  it("has what the other parts of a change do", async () => {
    const { verdict } = await check(stored, { ...resized, branchId: unknownValue }, preview);
    const also = [{ effect: "move", certain: false }];
    expect(verdict).toMatchObject({ effect: "restart", certain: true, also });
    expect((await check(stored, resized, preview)).verdict?.also).toBeUndefined();
  });

  it.each([
    { live: unsure, effect: "restart", certain: false, reason: "nobody could be asked what it runs now" },
    { live: running, effect: "none", certain: true, reason: "it runs as declared" },
  ])("of an adoption is $effect, certain: $certain, where $reason", async ({ live, effect, certain }) => {
    const { verdict } = await check(undefined, { ...stored, adopt: "ep-a" }, { ...preview, live });
    expect(verdict).toMatchObject({ effect, certain });
  });
});

describe("a compute to be adopted", () => {
  const adopting = { ...resized, adopt: "ep-a" };
  const looking = { ...preview, live: running };

  it("is asked of by its id, and what bringing it along interrupts is said", async () => {
    const { asked, failures, notice, verdict } = await check(undefined, adopting, looking);
    expect(asked).toEqual([{ projectId: "p", endpointId: "ep-a" }]);
    expect({ failures, now: verdict?.now }).toEqual({ failures: [], now: "active" });
    expect(notice?.text).toMatch(/^restart: size 1 → 2 CU drops open connections; max_connections/);
  });

  it("is said nothing of where it is as declared", async () => {
    const same = { ...adopting, autoscalingLimitMinCu: 1, autoscalingLimitMaxCu: 1 };
    const { notice, failures } = await check(undefined, same, looking);
    expect([notice, failures]).toEqual([undefined, []]);
  });

  it.each<{ live: LiveRead; more: object; reason: RegExp }>([
    { live: { kind: "missing" }, more: {}, reason: /^adopting compute ep-a: project p has no such/ },
    { live: running, more: { branchId: "br-b" }, reason: /^adopting compute ep-a: its branchId is br-a/ },
  ])("is refused in the preview already: $reason", async ({ live, more, reason }) => {
    const { failures } = await check(undefined, { ...adopting, ...more }, { ...preview, live });
    expect(failures).toEqual([{ property: "adopt", reason: expect.stringMatching(reason) as string }]);
  });

  it.each([
    { more: { adopt: unknownValue }, isPreview: true, reason: "its id is not known yet" },
    { more: { projectId: unknownValue }, isPreview: true, reason: "its project is not known yet" },
    { more: {}, isPreview: false, reason: "the create itself will look" },
  ])("is not asked of: $reason", async ({ more, isPreview }) => {
    const { reads, failures } = await check(undefined, { ...adopting, ...more }, { ...looking, isPreview });
    expect([reads, failures]).toEqual([0, []]);
  });

  it("passes where the service is not sure", async () => {
    const { failures, notice } = await check(undefined, adopting, preview);
    expect(failures).toEqual([]);
    expect(notice?.text).toBe("may restart: size 2 CU, if it runs at another, drops open connections");
  });

  it("cannot be the new side of a replacement", async () => {
    const { failures } = await check(undefined, adopting, { ...looking, replaces: { isForced: false } });
    const reason = expect.stringMatching(/^a compute cannot replace itself/) as string;
    expect(failures).toMatchObject([{ property: "adopt", reason }]);
  });
});
