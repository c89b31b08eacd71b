import type { FaultRule } from "../../../../emulator";
import { answers, closeBenches, failureOf, openBench } from "./bench";

afterEach(closeBenches);

/** Everything that can spoil the answer of a create, once. */
const lostAnswers: readonly { readonly reason: string; readonly fault: FaultRule }[] = [
  { reason: "the connection is cut", fault: { kind: "cut", when: "after" } },
  { reason: "the answer is cut off half-way", fault: { kind: "truncate" } },
  { reason: "a proxy answers with a page", fault: { kind: "garbled" } },
  { reason: "the answer is JSON of another shape", fault: { kind: "wrongShape", body: { ok: true } } },
  { reason: "the answer names no good id", fault: { kind: "wrongShape", body: { endpoint: { id: "x" } } } },
  { reason: "the service answers 500", fault: { kind: "status", status: 500, when: "after" } },
  { reason: "a proxy answers 502", fault: { kind: "status", status: 502, when: "after" } },
  { reason: "the service answers 503 all the same", fault: { kind: "status", status: 503, when: "after" } },
  { reason: "a proxy answers 504", fault: { kind: "status", status: 504, when: "after" } },
  { reason: "a proxy answers 408", fault: { kind: "status", status: 408, when: "after" } },
  { reason: "a proxy answers 425", fault: { kind: "status", status: 425, when: "after" } },
];

/** Failures before anything was done whose outcome nobody can tell. */
const uncertain: readonly { readonly reason: string; readonly fault: FaultRule }[] = [
  { reason: "the connection is cut", fault: { kind: "cut", when: "before" } },
  { reason: "the service answers 500", fault: { kind: "status", status: 500 } },
  { reason: "a proxy answers 502", fault: { kind: "status", status: 502 } },
];

describe("create", () => {
  it("looks, posts once, waits and reads again", async () => {
    const bench = await openBench();
    const { id, outs } = await bench
      .process()
      .create(
        bench.declared({ autoscalingLimitMinCu: 0.5, autoscalingLimitMaxCu: 2, suspendTimeoutSeconds: 600 }),
      );
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
    expect(bench.takeRoutes()).toEqual([
      "listEndpoints",
      "createEndpoint",
      "getOperation",
      "getOperation",
      "listEndpoints",
    ]);
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
  });

  it("shows on the row what it waits for", async () => {
    const bench = await openBench();
    await bench.create();
    expect(bench.progress).toEqual(["start_compute running", "start_compute finished"]);
  });

  it("sends the key, and JSON as interface 5 asks for it", async () => {
    const bench = await openBench();
    await bench.create();
    for (const { headers, isAuthorized, method } of bench.emulator.requests()) {
      expect(isAuthorized).toBe(true);
      expect(headers["accept"]).toBe("application/json");
      expect(headers["content-type"]).toBe(method === "POST" ? "application/json" : undefined);
      expect(headers["user-agent"]).toMatch(/^pulumi-compute-endpoint\/\d+\.\d+\.\d+ node\//);
    }
  });

  it.each([200, 201] as const)("takes %d for a success", async (createStatus) => {
    const bench = await openBench({ switches: { createStatus } });
    await expect(bench.create()).resolves.toHaveProperty("id");
  });

  it("calls a replica what the service calls it, and read_only in the state", async () => {
    const bench = await openBench({ switches: { replicaType: "read_replica" } });
    const provider = bench.process({ COMPUTE_REPLICA_TYPE: "read_replica" });
    const { id, outs } = await provider.create(bench.declared({ type: "read_only" }));
    expect(bench.live(id).type).toBe("read_replica");
    expect(outs.type).toBe("read_only");
    const again = await provider.read(id, outs);
    expect(again.props["type"]).toBe("read_only");
  });

  it("keeps declared values that the service does not answer", async () => {
    const bench = await openBench({ switches: { suspendTimeoutField: "hidden" } });
    const { outs } = await bench.create({ suspendTimeoutSeconds: 900 });
    expect(outs.suspendTimeoutSeconds).toBe(900);
    expect(bench.said).toEqual([]);
  });

  describe.each(["read_write", "read_only"])("of a %s compute", (type) => {
    it.each(lostAnswers)("finds the compute where $reason after it was made", async ({ fault }) => {
      const bench = await openBench();
      bench.spoil("createEndpoint", fault);
      const { id } = await bench.create({ type });
      expect(bench.computes()).toEqual([id]);
      expect(bench.sent("createEndpoint")).toBe(1);
    });

    it.each([
      { reason: "too many requests", fault: { kind: "status", status: 429 } as const },
      { reason: "a service out of order that did nothing", fault: { kind: "status", status: 503 } as const },
    ])("sends again after $reason", async ({ fault }) => {
      const bench = await openBench();
      bench.spoil("createEndpoint", fault);
      const { id } = await bench.create({ type });
      expect(bench.computes()).toEqual([id]);
      expect(bench.sent("createEndpoint")).toBe(2);
    });

    it("finds it in a list that is behind the truth, and through looks that fail", async () => {
      const bench = await openBench();
      bench.spoil("createEndpoint", { kind: "cut", when: "after" });
      bench.spoil("listEndpoints", answers(500, { after: 1, times: 3 }));
      bench.spoil("listEndpoints", { kind: "stale", after: 1, times: 2 });
      const { id } = await bench.create({ type });
      expect(bench.computes()).toEqual([id]);
      expect(bench.sent("createEndpoint")).toBe(1);
    });
  });

  it.each(uncertain)("posts a primary again once looks show none: $reason", async ({ fault }) => {
    const bench = await openBench();
    bench.spoil("createEndpoint", fault);
    const { id } = await bench.create();
    expect(bench.computes()).toEqual([id]);
    const routes = bench.takeRoutes();
    expect(routes.filter((route) => route === "createEndpoint")).toHaveLength(2);
    // Five looks in fifteen seconds stand between the two.
    expect(routes.slice(1, 8)).toEqual([
      "createEndpoint",
      ...Array<string>(5).fill("listEndpoints"),
      "createEndpoint",
    ]);
  });

  it.each(uncertain)("never posts a replica again: $reason", async ({ fault }) => {
    const bench = await openBench();
    bench.spoil("createEndpoint", fault);
    const error = await failureOf(bench.create({ type: "read_only" }));
    expect(error.message).toContain("the outcome is unknown");
    expect(error.message).toContain("Run `pulumi up` again: it looks for the compute first");
    expect(bench.computes()).toEqual([]);
    expect(bench.sent("createEndpoint")).toBe(1);
    // The next run finds nothing and creates it.
    const { id } = await bench.create({ type: "read_only" });
    expect(bench.computes()).toEqual([id]);
  });

  describe("whose compute no list shows yet", () => {
    const unlisted = {
      kind: "wrongShape",
      route: "listEndpoints",
      times: 100,
      body: { endpoints: [] },
    } as const;

    it("ends well with the answer of the POST, and names no command", async () => {
      const bench = await openBench();
      bench.emulator.addFault(unlisted);
      const { id, outs } = await bench.create();
      expect(bench.computes()).toEqual([id]);
      expect(outs).toMatchObject({ endpointId: id, host: expect.any(String) as string });
      expect(bench.said).toEqual([
        expect.stringMatching(
          /^warning: creating compute (ep-\S+): its operations ended well, but the compute \1 is not listed yet, \d+ s after its creation\. The state has it as the service last answered; nothing has to be done\.$/,
        ),
      ]);
    });

    it.each(["read_write", "read_only"])(
      "is not created a second time, as a %s compute, though the run was killed before the state had it",
      async (type) => {
        const bench = await openBench();
        const { id } = await bench.create({ type });
        bench.clock.advance(20_000);
        bench.emulator.addFault(unlisted);
        await expect(bench.create({ type })).rejects.toThrow(
          /an earlier run of this resource created one already, and compute ep-\S+ is not listed yet, \d+ s after its creation\. Run the same command again/,
        );

        bench.emulator.clearFaults();
        await expect(bench.create({ type })).resolves.toMatchObject({ id });
        expect(bench.computes()).toEqual([id]);
      },
    );
  });

  it("gives up after three posts without an answer", async () => {
    const bench = await openBench();
    bench.spoil("createEndpoint", { kind: "cut", times: 10 });
    await expect(bench.create()).rejects.toThrow("the outcome is unknown");

    expect(bench.sent("createEndpoint")).toBe(3);
  });

  it("makes one compute where the first post was done late and the second is refused", async () => {
    const bench = await openBench();
    bench.spoil("createEndpoint", { kind: "cut", when: "after" });
    // Looks that are behind the truth show nothing until after the second post.
    bench.spoil("listEndpoints", { kind: "stale", after: 1, times: 5 });
    const { id } = await bench.create();
    expect(bench.computes()).toEqual([id]);
    expect(bench.sent("createEndpoint")).toBe(2);
  });

  it.each([
    [400, "answered 400"],
    [401, "Check the API key"],
    [403, "Ask for a key that may do this"],
    [404, "Check the project, branch and endpoint ids"],
    [422, "answered 422"],
  ])("stops at a refusal with %s, which makes nothing and leaves nothing behind", async (status, says) => {
    const bench = await openBench();
    const body = { code: "no", message: "not like this", request_id: "r-1" };
    bench.spoil("createEndpoint", answers(status, { body }));
    const error = await failureOf(bench.create());
    expect(error.message).toContain("not like this");
    expect(error.message).toContain("request r-1");
    expect(error.message).toContain(says);
    expect(bench.computes()).toEqual([]);
    expect(bench.sent("createEndpoint")).toBe(1);
  });

  it.each(["nested", "html", "empty"] as const)("bears errors whose body is %s", async (errorShape) => {
    const bench = await openBench({ switches: { errorShape } });
    await expect(bench.create({ branchId: "br-none" })).rejects.toThrow(
      /^creating a compute on branch br-none of project .*answered 404/,
    );
  });

  it("does not follow a redirect, with the key in its hand", async () => {
    const bench = await openBench();
    const location = "https://elsewhere.example.com/";
    bench.spoil("createEndpoint", { kind: "redirect", location });
    await expect(bench.create()).rejects.toThrow("Redirects are not followed");

    expect(bench.computes()).toEqual([]);
  });

  it("says which key to check where it is wrong, without showing it", async () => {
    const bench = await openBench();
    const error = await failureOf(bench.create({}, { COMPUTE_API_KEY: "wr0ng-key" }));
    expect(error.message).toContain("COMPUTE_API_KEY");
    expect(error.message).not.toContain("wr0ng-key");
    expect(bench.takeRoutes()).toEqual(["listEndpoints"]);
  });

  it("sends nothing where nobody listens", async () => {
    const bench = await openBench();
    const error = await failureOf(bench.create({}, { COMPUTE_BASE_URL: "http://127.0.0.1:9" }));
    expect(error.message).toContain("the connection was refused");
    expect(error.message).toContain("COMPUTE_BASE_URL");
  });
});
