import { changed, closeBenches, newBench, stateOf } from "./support";

afterEach(closeBenches);

describe("changing an active compute", () => {
  it.each([
    {
      change: { autoscaling_limit_max_cu: 2 },
      then: "start_compute",
      state: "active",
      reason: "a size restarts",
    },
    {
      change: { suspend_timeout_seconds: 600 },
      then: undefined,
      state: "active",
      reason: "autosuspend does not",
    },
    { change: { pooler_enabled: true }, then: undefined, state: "active", reason: "nor does the pooler" },
    {
      change: { settings: { pg_settings: { a: "b" } } },
      then: undefined,
      state: "active",
      reason: "nor settings",
    },
    { change: { passwordless_access: false }, then: undefined, state: "active", reason: "nor access" },
    {
      change: { disabled: true },
      then: "suspend_compute",
      state: "idle",
      reason: "a disabled one is suspended",
    },
  ])("answers apply_config, then $then: $reason", async ({ change, then, state }) => {
    const bench = await newBench();
    const expected = ["apply_config running", ...(then ? [`${then} scheduling`] : [])];
    expect(await changed(bench, change)).toEqual(expected);
    bench.emulator.clock.advance(5000);
    expect(stateOf(bench)).toBe(state);
  });

  it("moves to a branch without a primary: apply_config running, suspend_compute scheduling, then idle", async () => {
    const bench = await newBench();
    const branchId = bench.emptyBranch();
    expect(await changed(bench, { branch_id: branchId })).toEqual([
      "apply_config running",
      "suspend_compute scheduling",
    ]);
    expect(stateOf(bench)).toBe("active → idle");
    bench.emulator.clock.advance(2000);
    expect(stateOf(bench)).toBe("idle");
    expect(bench.emulator.endpoint(bench.project.endpoint.id).endpoint.branch_id).toBe(branchId);
  });

  it("shows the current state as pending where a change leaves it", async () => {
    const { send, at, project } = await newBench();
    const answer = await send("PATCH", `${at}/endpoints/${project.endpoint.id}`, {
      suspend_timeout_seconds: -1,
    });
    expect(answer.body.endpoint).toMatchObject({ current_state: "active", pending_state: "active" });
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
    bench.emulator.suspendEndpoint(bench.project.endpoint.id);
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
    const answer = await bench.send("POST", `${bench.at}/endpoints/${bench.project.endpoint.id}/restart`);
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
    const answer = await bench.send("POST", `${bench.at}/endpoints/${bench.project.endpoint.id}/restart`);
    expect(answer.body.operations).toEqual([]);
  });
});
