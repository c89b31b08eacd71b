import { changed, closeBenches, newBench, stateOf } from "./support";

afterEach(closeBenches);

describe("a new project", () => {
  it("has a default branch whose primary starts once the branch is there", async () => {
    const { emulator } = await newBench();
    const made = emulator.createProject({ name: "second" });
    expect(made.project.default_branch_id).toBe(made.branch.id);
    expect(made.endpoint).toMatchObject({
      type: "read_write",
      branch_id: made.branch.id,
      current_state: "init",
    });
    expect(made.operations.map(({ action, status }) => [action, status])).toEqual([
      ["create_timeline", "running"],
      ["start_compute", "scheduling"],
    ]);
    emulator.clock.advance(2000);
    expect(emulator.endpoint(made.endpoint.id).endpoint.current_state).toBe("active");
  });
});

describe("a new branch", () => {
  it("answers create_branch running without an endpoint, then start_compute scheduling with one", async () => {
    const { emulator, project } = await newBench();
    const made = emulator.createBranch(project.project.id);
    expect(made.operations).toMatchObject([
      { action: "create_branch", status: "running" },
      { action: "start_compute", status: "scheduling", endpoint_id: made.endpoint!.id },
    ]);
    expect(made.operations[0]).not.toHaveProperty("endpoint_id");
  });

  it("has no compute where none is asked for", async () => {
    const { emulator, project } = await newBench();
    const made = emulator.createBranch(project.project.id, { compute: false });
    expect(made).not.toHaveProperty("endpoint");
    expect(made.operations.map(({ action }) => action)).toEqual(["create_branch"]);
  });
});

describe("creating", () => {
  it("answers init with a running start_compute and no last_active, and is active once that has finished", async () => {
    const { emulator, send, at, emptyBranch } = await newBench();
    const branchId = emptyBranch();
    const made = await send("POST", `${at}/endpoints`, { branch_id: branchId, type: "read_write" });
    expect(made.status).toBe(201);
    expect(made.body.endpoint).toMatchObject({
      id: expect.stringMatching(/^ep-[a-z]+-[a-z]+-[a-z0-9]{8}$/) as string,
      host: `${made.body.endpoint.id}.local-1.compute.localhost`,
      proxy_host: "local-1.compute.localhost",
      branch_id: branchId,
      current_state: "init",
      pending_state: "active",
      autoscaling_limit_min_cu: 0.25,
      autoscaling_limit_max_cu: 0.25,
    });
    expect(made.body.endpoint).not.toHaveProperty("last_active");
    expect(made.body.operations).toMatchObject([
      { action: "start_compute", status: "running", endpoint_id: made.body.endpoint.id, failures_count: 0 },
    ]);
    const operationPath = `${at}/operations/${made.body.operations[0]!.id}`;
    for (const [ms, status] of [
      [999, "running"],
      [1, "finished"],
    ] as const) {
      emulator.clock.advance(ms);
      expect((await send("GET", operationPath)).body.operation.status).toBe(status);
    }
    const list = await send("GET", `${at}/endpoints`);
    const found = list.body.endpoints.find(({ id }) => id === made.body.endpoint.id);
    expect(found).toMatchObject({ current_state: "active", last_active: expect.any(String) as string });
    expect(found).not.toHaveProperty("pending_state");
  });

  it("shows its operation as running even where operations take no time", async () => {
    const { send, at, emptyBranch } = await newBench({ operationMs: 0 });
    const made = await send("POST", `${at}/endpoints`, { branch_id: emptyBranch(), type: "read_write" });
    expect(made.body.operations[0]!.status).toBe("running");
    const seen = await send("GET", `${at}/operations/${made.body.operations[0]!.id}`);
    expect(seen.body.operation.status).toBe("finished");
  });

  it.each([
    ["a minimum alone is a fixed size", { autoscaling_limit_min_cu: 2 }, 2, 2],
    ["a maximum alone is a fixed size", { autoscaling_limit_max_cu: 3 }, 3, 3],
    ["a range", { autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 4 }, 1, 4],
  ])("takes the size asked for: %s", async (...[, given, min, max]) => {
    const { send, at, emptyBranch } = await newBench();
    const body = { branch_id: emptyBranch(), type: "read_write", ...given };
    const { endpoint } = (await send("POST", `${at}/endpoints`, body)).body;
    expect([endpoint.autoscaling_limit_min_cu, endpoint.autoscaling_limit_max_cu]).toEqual([min, max]);
  });
});

describe("autosuspend", () => {
  it.each([
    { seconds: 0, lastsMs: 300_000, reason: "the service's default is five minutes" },
    { seconds: 60, lastsMs: 60_000, reason: "the delay of its own" },
    { seconds: 604_800, lastsMs: 604_800_000, reason: "seven days at most" },
  ])("suspends after $seconds: $reason", async ({ seconds, lastsMs }) => {
    const bench = await newBench();
    await changed(bench, { suspend_timeout_seconds: seconds });
    bench.emulator.clock.advance(1000);
    bench.emulator.connect(bench.id);
    bench.emulator.clock.advance(lastsMs - 1);
    expect(stateOf(bench)).toBe("active");
    bench.emulator.clock.advance(1);
    expect(stateOf(bench)).toBe("active → idle");
    bench.emulator.clock.advance(1000);
    expect(stateOf(bench)).toBe("idle");
    expect(bench.emulator.operations(bench.project.project.id)[0]).toMatchObject({
      action: "suspend_compute",
    });
  });

  it("never suspends a compute that is set to -1", async () => {
    const bench = await newBench();
    await changed(bench, { suspend_timeout_seconds: -1 });
    bench.emulator.clock.advance(365 * 86_400_000);
    expect(stateOf(bench)).toBe("active");
  });

  it("dates a suspension back to when it came due", async () => {
    const { emulator, project } = await newBench();
    const [before] = emulator.operations(project.project.id);
    emulator.clock.advance(86_400_000);
    const [suspension] = emulator.operations(project.project.id);
    expect(Date.parse(suspension!.created_at) - Date.parse(before!.updated_at)).toBe(300_000);
  });

  it("starts an idle compute on access", async () => {
    const bench = await newBench();
    bench.emulator.clock.advance(600_000);
    expect(stateOf(bench)).toBe("idle");
    expect(bench.emulator.connect(bench.id).operations).toMatchObject([
      { action: "start_compute", status: "running" },
    ]);
    bench.emulator.clock.advance(1000);
    expect(stateOf(bench)).toBe("active");
  });

  it("refuses access to a disabled compute", async () => {
    const bench = await newBench();
    await changed(bench, { disabled: true });
    expect(() => bench.emulator.connect(bench.id)).toThrow(/is disabled/);
  });
});

describe("deleting", () => {
  it("answers the endpoint and no operations, and frees the branch for another primary", async () => {
    const { send, at, id, primary, project } = await newBench();
    const gone = await send("DELETE", primary);
    expect(gone.status).toBe(200);
    expect(gone.body).toMatchObject({ endpoint: { id: id }, operations: [] });
    expect(gone.body.endpoint).toHaveProperty("last_active");
    expect((await send("GET", `${at}/endpoints`)).body.endpoints).toEqual([]);
    const body = { branch_id: project.branch.id, type: "read_write" };
    expect((await send("POST", `${at}/endpoints`, body)).status).toBe(201);
  });
});

describe("the periodic check", () => {
  it("checks branches that have a compute, and no others", async () => {
    const { emulator, project, emptyBranch } = await newBench();
    emptyBranch();
    expect(emulator.checkAvailability(project.project.id)).toMatchObject([
      { action: "check_availability", branch_id: project.branch.id },
    ]);
  });
});
