import { readConfig, type ProviderConfig } from "../../../../provider/config";
import { trackHolders } from "../../../../provider/endpoint/holders";
import { unknownValue } from "../../../../provider/endpoint/inputs";
import type { ComputeDescription, LiveLook } from "../../../../provider/endpoint/live";
import { checkEndpoint, type CheckResult } from "../../../../provider/endpoint/plan";

const least = { projectId: "p", branchId: "br-a", type: "read_write" };
const stored = { ...least, __urn: "urn:a", autoscalingLimitMinCu: 1, autoscalingLimitMaxCu: 1 };
const resized = { ...stored, autoscalingLimitMinCu: 2, autoscalingLimitMaxCu: 2 };

const connection = { COMPUTE_API_KEY: "k3y", COMPUTE_BASE_URL: "https://api.example.com" };

const unsure: LiveLook = { kind: "unsure" };
const running: LiveLook = {
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
};

interface Checked extends CheckResult {
  readonly looks: number;
  /** What the service was asked of. */
  readonly asked: readonly ComputeDescription[];
}

async function check(
  olds: Readonly<Record<string, unknown>>,
  news: Readonly<Record<string, unknown>>,
  how: { environment?: NodeJS.ProcessEnv; looked?: LiveLook; isReplacement?: boolean } = {},
): Promise<Checked> {
  const { environment = connection, looked = unsure, isReplacement = false } = how;
  const asked: ComputeDescription[] = [];
  const config: ProviderConfig = readConfig(() => undefined, environment);
  const look = (compute: ComputeDescription): Promise<LiveLook> => {
    asked.push(compute);
    return Promise.resolve(looked);
  };
  const services = { config, look, holders: trackHolders(), now: () => 0, isReplacement };
  return { ...(await checkEndpoint(olds, news, services)), looks: asked.length, asked };
}

describe("checkEndpoint", () => {
  it("hands on the arguments, the defaults and the URN, and nothing else", async () => {
    const { projectId, branchId } = least;
    const { inputs } = await check({}, { projectId, branchId, __urn: "urn:a", __provider: "text" });
    expect(inputs).toEqual({ projectId, branchId, type: "read_write", __urn: "urn:a" });
  });

  it("strips the mark of a preview", async () => {
    const { inputs } = await check(stored, { ...stored, __dryRun: true });
    expect(inputs).toEqual(stored);
  });

  it("says in a preview what a change interrupts", async () => {
    const { inputs } = await check(stored, { ...resized, __dryRun: true });
    expect(inputs["interruption"]).toMatch(/^restart: size 1 → 2 CU drops open connections/);
    expect(inputs).not.toHaveProperty("__dryRun");
  });

  it("says nothing of it in an update, so that nothing of it is stored", async () => {
    const { inputs, looks } = await check(stored, resized);
    expect(inputs).toEqual(resized);
    expect(looks).toBe(0);
  });

  it.each([
    { news: { ...stored, suspendTimeoutSeconds: 600 }, reason: "autosuspend leaves connections alone" },
    { news: { ...stored, timeouts: { update: 60 } }, reason: "the service never hears of it" },
    { news: stored, reason: "nothing changes" },
  ])("says nothing in a preview where $reason", async ({ news }) => {
    const { inputs, looks } = await check(stored, { ...news, __dryRun: true });
    expect(inputs).not.toHaveProperty("interruption");
    expect(looks).toBe(0);
  });

  it("says in a preview that a Postgres setting is left out now, as diff does", async () => {
    const olds = { ...stored, settings: { pgSettings: { jit: true, work_mem: "8MB" } } };
    const news = { ...stored, settings: { pgSettings: { jit: true } }, __dryRun: true };
    const { inputs } = await check(olds, news);
    expect(inputs["interruption"]).toMatch(/^may interrupt: settings\.pgSettings/);
  });

  it("says nothing of a new compute", async () => {
    const { inputs } = await check({}, { ...resized, __dryRun: true });
    expect(inputs).not.toHaveProperty("interruption");
  });

  it("says nothing of a declaration that it refuses", async () => {
    const { inputs, failures } = await check(stored, { ...resized, poolerMode: "x", __dryRun: true });
    expect(failures).toHaveLength(1);
    expect(inputs).not.toHaveProperty("interruption");
  });

  it("says may where only the update will know", async () => {
    const { inputs } = await check(stored, {
      ...stored,
      autoscalingLimitMaxCu: unknownValue,
      __dryRun: true,
    });
    expect(inputs["interruption"]).toMatch(/^may restart: /);
  });

  it("says what the service shows of the compute now", async () => {
    const { inputs, looks } = await check(stored, { ...resized, __dryRun: true }, { looked: running });
    expect(looks).toBe(1);
    expect(inputs["interruption"]).toMatch(/^restart: size 1 → 2 CU drops open connections \(active now\)/);
  });

  it.each([
    { policy: "warn", looked: running, refused: false },
    { policy: "forbid", looked: running, refused: true },
    { policy: "forbid", looked: unsure, refused: true },
    { policy: "forbid-when-active", looked: running, refused: true },
    {
      policy: "forbid-when-active",
      looked: { ...running, endpoint: { ...running.endpoint, current_state: "idle" } },
      refused: false,
    },
    { policy: "forbid-when-active", looked: unsure, refused: true },
  ])(
    "refuses an interruption under $policy, with $looked.kind: $refused",
    async ({ policy, looked, refused }) => {
      for (const preview of [{ __dryRun: true }, {}]) {
        const news = { ...resized, onInterruption: policy, ...preview };
        const { failures } = await check({ ...stored, onInterruption: policy }, news, { looked });
        expect(failures).toHaveLength(refused ? 1 : 0);
        for (const { property, reason } of failures) {
          expect(property).toBe("onInterruption");
          expect(reason).toContain("restart: size 1 → 2 CU");
          expect(reason).toContain(`onInterruption is "${policy}"`);
        }
      }
    },
  );

  it.each([
    [{ COMPUTE_BASE_URL: "https://api.example.com" }, "COMPUTE_API_KEY"],
    [{ COMPUTE_API_KEY: "k3y" }, "COMPUTE_BASE_URL"],
  ])("refuses at preview time what could never be sent: %j", async (environment, names) => {
    const { failures } = await check({}, least, { environment });
    expect(failures).toHaveLength(1);
    expect(failures[0]?.reason).toContain(names);
  });
});

describe("whether the service is asked", () => {
  const interrupting = { ...resized, __dryRun: true };

  it.each([
    { news: interrupting, more: {}, looks: 1, reason: "a preview of a change that interrupts" },
    { news: { ...stored, __dryRun: true }, more: {}, looks: 0, reason: "nothing is interrupted" },
    { news: resized, more: {}, looks: 0, reason: "an update, and nothing is forbidden" },
    {
      news: { ...resized, onInterruption: "forbid" },
      more: {},
      looks: 1,
      reason: "an update that may be forbidden",
    },
    {
      news: interrupting,
      more: { COMPUTE_LIVE_FACTS: "false" },
      looks: 0,
      reason: "the stack does not want it",
    },
    {
      news: interrupting,
      more: { COMPUTE_UPDATE_PLANS: "true" },
      looks: 0,
      reason: "a saved plan would not fit",
    },
  ])("asks $looks times: $reason", async ({ news, more, looks }) => {
    const { asked } = await check(stored, news, { environment: { ...connection, ...more } });
    expect(asked).toEqual(
      Array<unknown>(looks).fill({ projectId: "p", branchId: "br-a", type: "read_write" }),
    );
  });

  it("names the compute that was asked of to diff, in previews alone", async () => {
    const news = { ...resized, onInterruption: "forbid-when-active" };
    const idle = { ...running, endpoint: { ...running.endpoint, current_state: "idle" } };
    const preview = await check(stored, { ...news, __dryRun: true }, { looked: idle });
    expect(preview.inputs).toMatchObject({ __looked: "ep-a" });
    const update = await check(stored, news, { looked: idle });
    expect(update.inputs).not.toHaveProperty("__looked");
  });

  it("keeps the notice through the update where saved plans need it", async () => {
    const environment = { ...connection, COMPUTE_UPDATE_PLANS: "true" };
    const { inputs } = await check(stored, resized, { environment });
    expect(inputs["interruption"]).toMatch(/^restart: size 1 → 2 CU/);
    const later = await check({ ...inputs }, { ...resized, __urn: "urn:a" }, { environment });
    expect(later.inputs["interruption"]).toBe(inputs["interruption"]);
  });

  it("forgets an old notice where saved plans are not in use", async () => {
    const { inputs } = await check({ ...stored, interruption: "old" }, { ...stored, __dryRun: true });
    expect(inputs).not.toHaveProperty("interruption");
  });
});

describe("a compute to be adopted", () => {
  const adopting = { ...resized, adopt: "ep-a", __dryRun: true };

  it("is asked of by its id, and what bringing it along interrupts is said on its row", async () => {
    const { asked, failures, inputs, warning } = await check({}, adopting, { looked: running });
    expect(asked).toEqual([{ projectId: "p", endpointId: "ep-a" }]);
    expect(failures).toEqual([]);
    expect(warning).toMatch(/^restart: size 1 → 2 CU drops open connections \(active now\)/);
    expect(inputs["interruption"]).toBe(warning);
  });

  it("is said nothing of where it is as declared", async () => {
    const same = { ...adopting, autoscalingLimitMinCu: 1, autoscalingLimitMaxCu: 1 };
    const { warning, failures } = await check({}, same, { looked: running });
    expect([warning, failures]).toEqual([undefined, []]);
  });

  it.each<{ looked: LiveLook; more: object; reason: RegExp }>([
    {
      looked: { kind: "missing" },
      more: {},
      reason: /^adopting compute ep-a: project p has no such compute/,
    },
    { looked: running, more: { branchId: "br-b" }, reason: /^adopting compute ep-a: its branchId is br-a/ },
  ])("is refused in the preview already: $reason", async ({ looked, more, reason }) => {
    const { failures } = await check({}, { ...adopting, ...more }, { looked });
    expect(failures).toEqual([{ property: "adopt", reason: expect.stringMatching(reason) as string }]);
  });

  it.each([
    { more: { adopt: unknownValue }, reason: "its id is not known yet" },
    { more: { projectId: unknownValue }, reason: "its project is not known yet" },
    { more: { __dryRun: false }, reason: "the create itself will look" },
  ])("is not asked of: $reason", async ({ more }) => {
    const { looks, failures } = await check({}, { ...adopting, ...more }, { looked: running });
    expect([looks, failures]).toEqual([0, []]);
  });

  it("passes where the service is not sure", async () => {
    const { failures, warning } = await check({}, adopting);
    expect([failures, warning]).toEqual([[], undefined]);
  });

  it("cannot be the new side of a replacement", async () => {
    const { failures } = await check({}, adopting, { looked: running, isReplacement: true });
    expect(failures).toMatchObject([
      {
        property: "adopt",
        reason: expect.stringMatching(/^a compute cannot replace itself/) as string,
      },
    ]);
  });
});
