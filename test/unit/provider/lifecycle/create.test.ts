import type { EmulatorOptions, FaultRule } from "../../../../emulator";
import { answers, failureOf, lost, size, unlisted, type Bench } from "./bench";
import { bench, reopen } from "./eachTest";

type Route = Parameters<Bench["spoil"]>[0];

interface Spoilt {
  readonly reason: string;
  /** What the create is answered, unless `faults` has it. */
  readonly fault?: FaultRule;
  readonly faults?: readonly (readonly [Route, FaultRule])[];
}

function spoil(bench: Bench, { fault, faults = [] }: Spoilt): void {
  if (fault !== undefined) bench.spoil("createEndpoint", fault);
  for (const [route, each] of faults) bench.spoil(route, each);
}

const late = (times: number): FaultRule => ({ kind: "stale", after: 1, times });
const done = { when: "after" } as const;
// The clock of a bench, and an hour before.
const anHourAgo = new Date(Date.UTC(2026, 0, 5, 7)).toUTCString();

/** Everything that can spoil the answer of a create, once. */
const lostAnswers: readonly Spoilt[] = [
  { reason: "the connection is cut", fault: lost },
  { reason: "the answer is cut off half-way", fault: { kind: "truncate" } },
  { reason: "a proxy answers with a page", fault: { kind: "garbled" } },
  { reason: "the answer is JSON of another shape", fault: { kind: "wrongShape", body: { ok: true } } },
  { reason: "the answer names no good id", fault: { kind: "wrongShape", body: { endpoint: { id: "x" } } } },
  { reason: "the service answers 500", fault: answers(500, done) },
  { reason: "a proxy answers 502", fault: answers(502, done) },
  { reason: "the service answers 503 all the same", fault: answers(503, done) },
  { reason: "a proxy answers 504", fault: answers(504, done) },
  { reason: "a proxy answers 408", fault: answers(408, done) },
  { reason: "a proxy answers 425", fault: answers(425, done) },
  {
    reason: "a gateway whose clock is off answers 502",
    fault: answers(502, { ...done, headers: { Date: anHourAgo } }),
  },
  {
    reason: "a gateway whose clock is off answers with a page",
    fault: answers(502, { ...done, headers: { Date: anHourAgo }, body: "<html></html>" }),
  },
  {
    reason: "the list before it is a cache's, an hour old",
    fault: lost,
    faults: [
      ["listEndpoints", answers(200, { headers: { Date: anHourAgo, Age: "3600" }, body: { endpoints: [] } })],
    ],
  },
  {
    reason: "it says 503, and lists are behind the truth",
    fault: answers(503, done),
    faults: [["listEndpoints", late(2)]],
  },
  {
    reason: "lists are behind the truth, or fail",
    fault: lost,
    faults: [
      ["listEndpoints", answers(500, { after: 1, times: 3 })],
      ["listEndpoints", late(2)],
    ],
  },
];

/** Failures before anything was done whose outcome nobody can tell. */
const uncertain: readonly Spoilt[] = [
  { reason: "the connection is cut", fault: { kind: "cut", when: "before" } },
  { reason: "the service answers 500", fault: answers(500) },
  { reason: "a proxy answers 502", fault: answers(502) },
];

describe("create", () => {
  it("looks, posts once, waits and reads again", async () => {
    const { id, outs } = await bench.create({
      autoscalingLimitMinCu: 0.5,
      autoscalingLimitMaxCu: 2,
      suspendTimeoutSeconds: 600,
    });
    expect(bench.computes()).toEqual([id]);
    expect(bench.bodiesOf("createEndpoint")).toEqual([
      {
        endpoint: {
          branch_id: bench.branchId,
          type: "read_write",
          autoscaling_limit_min_cu: 0.5,
          autoscaling_limit_max_cu: 2,
          suspend_timeout_seconds: 600,
        },
      },
    ]);
    // The key, and JSON as interface 5 asks for it.
    for (const { headers, isAuthorized, method } of bench.emulator.requests()) {
      expect(isAuthorized).toBe(true);
      expect(headers["accept"]).toBe("application/json");
      expect(headers["content-type"]).toBe(method === "POST" ? "application/json" : undefined);
      expect(headers["user-agent"]).toMatch(/^pulumi-compute-endpoint\/\d+\.\d+\.\d+ node\//);
    }
    const waits = ["getOperation", "getOperation"];
    expect(bench.takeRoutes()).toEqual(["listEndpoints", "createEndpoint", ...waits, "listEndpoints"]);
    expect(bench.clock.sleeps).toEqual([5, 500, 500, 5]);
    expect(outs).toMatchObject({
      endpointId: id,
      host: bench.live(id).host,
      projectId: bench.projectId,
      branchId: bench.branchId,
      type: "read_write",
      autoscalingLimitMinCu: 0.5,
      autoscalingLimitMaxCu: 2,
      suspendTimeoutSeconds: 600,
      __provider: "text",
    });
    expect(outs).not.toHaveProperty("__operations");
    expect(outs).not.toHaveProperty("currentState");
    expect(bench.said).toEqual([]);
    expect(bench.progress).toEqual(["start_compute running", "start_compute finished"]);
  });

  it.each<{ reason: string; switches?: EmulatorOptions["switches"]; more: object }>([
    { reason: "the answer 200", switches: { createStatus: 200 }, more: {} },
    { reason: "the answer 201", switches: { createStatus: 201 }, more: {} },
    {
      reason: "declared values that the service does not answer",
      switches: { suspendTimeoutField: "hidden" },
      more: { suspendTimeoutSeconds: 900 },
    },
    { reason: "a time limit of a month", more: { timeouts: { create: 30 * 24 * 3_600 } } },
  ])("takes $reason for what it is", async ({ switches = {}, more }) => {
    await reopen({ switches });
    expect((await bench.create({ ...size(1), ...more })).outs).toMatchObject({ ...size(1), ...more });
    expect(bench.said).toEqual([]);
  });

  it.each(["interface", "neon", "unknown"])("sends read_only for a replica at %s", async (service) => {
    const environment = { COMPUTE_SERVICE: service };
    const { id, outs } = await bench.create({ type: "read_only" }, environment);
    expect(bench.live(id).type).toBe("read_only");
    expect(outs.type).toBe("read_only");
    expect((await bench.read(outs, environment)).props["type"]).toBe("read_only");
  });

  describe.each(["read_write", "read_only"])("of a %s compute", (type) => {
    it.each(lostAnswers)("finds the compute where $reason after it was made", async (spoilt) => {
      spoil(bench, spoilt);
      const { id } = await bench.create({ type });
      expect(bench.computes()).toEqual([id]);
      expect(bench.sent("createEndpoint")).toBe(1);
    });

    it.each([
      { reason: "too many requests", fault: answers(429) },
      { reason: "a service out of order that did nothing", fault: answers(503) },
      {
        reason: "a service that asks for a minute, all of it",
        fault: answers(503, { headers: { "Retry-After": "60" } }),
        leastMs: 60_000,
      },
    ])("sends again after $reason", async ({ leastMs = 0, ...spoilt }) => {
      spoil(bench, spoilt);
      const startMs = bench.clock.now();
      const { id } = await bench.create({ type });
      expect(bench.clock.now() - startMs).toBeGreaterThanOrEqual(leastMs);
      expect(bench.computes()).toEqual([id]);
      expect(bench.sent("createEndpoint")).toBe(2);
    });
  });

  it("finds its replica beside one that was there before", async () => {
    const before = bench.madeByOthers({ type: "read_only" });
    bench.spoil("createEndpoint", lost);
    const { id } = await bench.create({ type: "read_only" });
    expect(bench.computes()).toEqual([before, id]);
    expect(bench.said).toEqual([expect.stringContaining(`warning: The create got no answer. Compute ${id}`)]);
  });

  it.each(uncertain)("posts a primary again once looks show none: $reason", async (spoilt) => {
    spoil(bench, spoilt);
    const { id } = await bench.create();
    expect(bench.computes()).toEqual([id]);
    expect(bench.sent("createEndpoint")).toBe(2);
    // Five looks in fifteen seconds stand between the two.
    const looks = Array<string>(5).fill("listEndpoints");
    expect(bench.takeRoutes().slice(1, 8)).toEqual(["createEndpoint", ...looks, "createEndpoint"]);
  });

  it.each(uncertain)("never posts a replica again: $reason", async (spoilt) => {
    spoil(bench, spoilt);
    const { message } = await failureOf(bench.create({ type: "read_only" }));
    expect(message).toContain("the outcome is unknown");
    expect(message).toContain(
      "Run `pulumi preview`: it names replicas that were made in the last ten minutes",
    );
    expect(bench.computes()).toEqual([]);
    expect(bench.sent("createEndpoint")).toBe(1);
    // The next run finds nothing and creates it.
    const { id } = await bench.create({ type: "read_only" });
    expect(bench.computes()).toEqual([id]);
  });

  it("ends well with the answer of the POST where no list shows it yet, and names no command", async () => {
    bench.spoil("listEndpoints", unlisted);
    const { id, outs } = await bench.create();
    expect(bench.computes()).toEqual([id]);
    expect(outs).toMatchObject({ endpointId: id, host: expect.any(String) as string });
    expect(bench.said).toEqual([
      expect.stringMatching(
        /^warning: creating compute (ep-\S+): its operations ended well, but the compute \1 is not listed yet, \d+ s after its creation\. The state has it as the service last answered; nothing has to be done\.$/,
      ),
    ]);
  });

  it("makes one compute where the first post was done late and the second is refused", async () => {
    // Looks that are behind the truth show nothing until after the second post.
    spoil(bench, { reason: "", fault: lost, faults: [["listEndpoints", late(5)]] });
    const { id } = await bench.create();
    expect(bench.computes()).toEqual([id]);
    expect(bench.sent("createEndpoint")).toBe(2);
  });

  const refused = (status: number): FaultRule =>
    answers(status, { body: { code: "no", message: "not like this", request_id: "r-1" } });
  it.each<Spoilt & { readonly says: readonly string[]; readonly posts?: number }>([
    { reason: "400", fault: refused(400), says: ["answered 400", "not like this", "request r-1"] },
    { reason: "401", fault: refused(401), says: ["Check the API key"] },
    { reason: "403", fault: refused(403), says: ["Ask for a key that may do this"] },
    { reason: "404", fault: refused(404), says: ["Check the project, branch and endpoint ids"] },
    { reason: "422", fault: refused(422), says: ["answered 422"] },
    {
      reason: "a redirect, which it does not follow with the key in its hand",
      fault: { kind: "redirect", location: "https://elsewhere.example.com/" },
      says: ["Redirects are not followed"],
    },
    {
      reason: "three posts without an answer",
      fault: { kind: "cut", times: 10 },
      says: ["the outcome is unknown"],
      posts: 3,
    },
  ])("stops at $reason, and makes nothing", async ({ says, posts = 1, ...spoilt }) => {
    spoil(bench, spoilt);
    const { message } = await failureOf(bench.create());
    for (const words of says) expect(message).toContain(words);
    expect(bench.computes()).toEqual([]);
    expect(bench.sent("createEndpoint")).toBe(posts);
  });

  it("says which key to check where it is wrong, without showing it", async () => {
    const { message } = await failureOf(bench.create({}, { COMPUTE_API_KEY: "wr0ng-key" }));
    expect(message).toContain("COMPUTE_API_KEY");
    expect(message).not.toContain("wr0ng-key");
    expect(bench.takeRoutes()).toEqual(["listEndpoints"]);
  });
});
