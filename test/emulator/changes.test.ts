import { changed, closeBenches, newBench, stateOf } from "./support";

afterEach(closeBenches);

describe("changing an active compute", () => {
  it.each([
    ["a size restarts", { autoscaling_limit_max_cu: 2 }, ["start_compute scheduling"], "active → active"],
    ["autosuspend does not", { suspend_timeout_seconds: 600 }, [], "active"],
    ["nor does the pooler", { pooler_enabled: true }, [], "active"],
    ["nor settings", { settings: { pg_settings: { a: "b" } } }, [], "active"],
    ["nor access", { passwordless_access: false }, [], "active"],
    ["a disabled one is suspended", { disabled: true }, ["suspend_compute scheduling"], "active → idle"],
    ["so is one that moves", "to an empty branch", ["suspend_compute scheduling"], "active → idle"],
  ])("answers apply_config: %s", async (...[, change, then, states]) => {
    const bench = await newBench();
    const endpoint = typeof change === "string" ? { branch_id: bench.emptyBranch() } : change;
    expect(await changed(bench, endpoint)).toEqual(["apply_config running", ...then]);
    expect(bench.emulator.endpoint(bench.id).endpoint).toMatchObject(endpoint);
    expect(stateOf(bench)).toBe(states);
    bench.emulator.clock.advance(5000);
    expect(stateOf(bench)).toBe(states.split(" ").at(-1));
  });

  it("shows the current state as pending where a change leaves it", async () => {
    const { send, primary } = await newBench();
    const { body } = await send("PATCH", primary, { suspend_timeout_seconds: -1 });
    expect(body.endpoint).toMatchObject({ current_state: "active", pending_state: "active" });
  });

  it("runs the operations of one endpoint one after the other", async () => {
    const bench = await newBench();
    await changed(bench, { autoscaling_limit_max_cu: 2 });
    expect(await changed(bench, { pooler_enabled: true })).toEqual(["apply_config scheduling"]);
    const seen: string[] = [];
    for (let step = 0; step < 4; step += 1) {
      const newest = bench.emulator.operations(bench.project.project.id).slice(0, 3);
      seen.push(newest.map(({ status }) => status).join(" "));
      bench.emulator.clock.advance(1000);
    }
    expect(seen).toEqual([
      "scheduling scheduling running",
      "scheduling running finished",
      "running finished finished",
      "finished finished finished",
    ]);
  });
});

describe("changing an idle compute", () => {
  it.each([
    { idlePatch: "wakes", operations: ["apply_config running", "suspend_compute scheduling"] },
    { idlePatch: "sleeps", operations: ["apply_config running"] },
  ] as const)("leaves it idle in the end where it $idlePatch", async ({ idlePatch, operations }) => {
    const bench = await newBench({ switches: { idlePatch } });
    bench.emulator.suspendEndpoint(bench.id);
    bench.emulator.clock.advance(1000);
    expect(await changed(bench, { autoscaling_limit_max_cu: 2 })).toEqual(operations);
    bench.emulator.clock.advance(5000);
    expect(stateOf(bench)).toBe("idle");
  });
});

describe("restarting", () => {
  it.each([
    { idleRestart: "taken", status: 200, sees: { operations: [{}, {}] } },
    { idleRestart: 409, status: 409, sees: { code: "endpoint_not_active" } },
    { idleRestart: 412, status: 412, sees: { code: "endpoint_not_active" } },
  ] as const)("of an idle compute: $idleRestart", async ({ idleRestart, status, sees }) => {
    const bench = await newBench({ switches: { idleRestart } });
    const { id } = bench.project.endpoint;
    bench.emulator.suspendEndpoint(id);
    bench.emulator.clock.advance(10_000);
    const answer = await bench.send("POST", `${bench.at}/endpoints/${id}/restart`);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject(sees);
  });

  it("answers the endpoint, suspend_compute and start_compute, and ends active", async () => {
    const bench = await newBench();
    const answer = await bench.send("POST", `${bench.primary}/restart`);
    expect(answer.status).toBe(200);
    expect(answer.body.endpoint.pending_state).toBe("active");
    expect(answer.body.operations.map(({ action, status }) => `${action} ${status}`)).toEqual([
      "suspend_compute running",
      "start_compute scheduling",
    ]);
    bench.emulator.clock.advance(1000);
    expect(stateOf(bench)).toBe("idle → active");
    bench.emulator.clock.advance(1000);
    expect(stateOf(bench)).toBe("active");
  });

  it("does nothing to a disabled compute", async () => {
    const bench = await newBench();
    await changed(bench, { disabled: true });
    const answer = await bench.send("POST", `${bench.primary}/restart`);
    expect(answer.body.operations).toEqual([]);
  });
});
