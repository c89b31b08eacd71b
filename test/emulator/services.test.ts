import { Clock, startEmulator, type Emulator, type Switches } from "../../emulator";

/** The control plane as Neon: what one switch sets. */
describe("the switch service at neon", () => {
  let emulator: Emulator;
  let clock: Clock;
  let place: { project: string; branch: string };

  const open = async (switches: Partial<Switches> = {}): Promise<void> => {
    clock = new Clock("manual");
    emulator = await startEmulator({ clock, operationMs: 0, switches: { service: "neon", ...switches } });
    const { project } = emulator.createProject();
    place = { project: project.id, branch: emulator.createBranch(project.id, { compute: false }).branch.id };
  };
  afterEach(() => emulator.close());

  const request = async (
    method: string,
    route: string,
    endpoint?: object,
  ): Promise<{ status: number; body: string }> => {
    const answer = await fetch(`${emulator.url}/api/v2/projects/${place.project}/endpoints${route}`, {
      method,
      headers: { Authorization: `Bearer ${emulator.apiKey}`, "Content-Type": "application/json" },
      ...(endpoint && { body: JSON.stringify({ endpoint }) }),
    });
    return { status: answer.status, body: await answer.text() };
  };
  const create = (more: object): ReturnType<typeof request> =>
    request("POST", "", { branch_id: place.branch, type: "read_only", ...more });
  const size = (min: number, max = min): object => ({
    autoscaling_limit_min_cu: min,
    autoscaling_limit_max_cu: max,
  });

  it.each([
    [201, size(56), "its largest size"],
    [201, size(8, 16), "its widest range"],
    [400, size(17), "17 CU is none of its sizes"],
    [400, size(0.3), "0.3 CU is none either"],
    [400, size(0.25, 16), "too wide a range"],
    [400, size(16, 18), "above 16 CU a size is fixed"],
    [400, { name: "x".repeat(65) }, "too long a name"],
    [201, { name: "x".repeat(64) }, "the longest name"],
  ])("answers %d to %j: %s", async (status, more) => {
    await open();
    expect((await create(more)).status).toBe(status);
  });

  it.each([
    [size(1), 419],
    [size(1, 8), 3357],
    [size(0.25, 8), 839],
    [size(0.25), 104],
  ])("gives %j %d connections", async (limits, connections) => {
    await open();
    const { endpoint } = emulator.createEndpoint(place.project, {
      branch_id: place.branch,
      type: "read_only",
      ...limits,
    });
    expect(emulator.endpoint(endpoint.id).maxConnections).toBe(connections);
  });

  it("never suspends a compute above 16 CU, and answers -1 to another delay", async () => {
    await open();
    const made = JSON.parse((await create({ ...size(20), suspend_timeout_seconds: 600 })).body) as {
      endpoint: object;
    };
    expect(made.endpoint).toMatchObject({ suspend_timeout_seconds: -1 });
  });

  it("answers 204 to a deletion of what is gone, and a suspension to one of what runs", async () => {
    await open();
    const { endpoint } = emulator.createEndpoint(place.project, {
      branch_id: place.branch,
      type: "read_only",
    });
    expect((await request("DELETE", `/${endpoint.id}`)).body).toContain('"action":"suspend_compute"');
    expect(await request("DELETE", `/${endpoint.id}`)).toEqual({ status: 204, body: "" });
    emulator.setSwitches({ service: "interface" });
    expect(emulator.switches.deleteOperations).toBe("empty");
  });

  it.each([
    { resize: "restarts", restartedBy: "start_compute", isRestarted: true },
    { resize: "restarts", restartedBy: "apply_config", isRestarted: true },
    { resize: "live", restartedBy: "start_compute", isRestarted: false },
  ] as const)(
    "shows by started_at whether a new size restarted it: $resize, $restartedBy",
    async ({ isRestarted, ...switches }) => {
      await open(switches);
      const { endpoint } = emulator.createEndpoint(place.project, {
        branch_id: place.branch,
        type: "read_only",
      });
      const before = emulator.endpoint(endpoint.id).endpoint.started_at;
      clock.advance(1_000);
      emulator.updateEndpoint(endpoint.id, size(2) as never);
      const after = emulator.endpoint(endpoint.id).endpoint.started_at;
      expect(before).toMatch(/^2/);
      expect(after !== before).toBe(isRestarted);
      expect(emulator.counters(endpoint.id).restarts).toBe(isRestarted ? 1 : 0);
    },
  );

  it("shows when a compute was suspended", async () => {
    await open();
    const { endpoint } = emulator.createEndpoint(place.project, {
      branch_id: place.branch,
      type: "read_only",
    });
    expect(emulator.endpoint(endpoint.id).endpoint).not.toHaveProperty("suspended_at");
    clock.advance(1_000);
    emulator.suspendEndpoint(endpoint.id);
    const { started_at: startedAt = "", suspended_at: suspendedAt = "" } = emulator.endpoint(
      endpoint.id,
    ).endpoint;
    expect(Date.parse(suspendedAt) - Date.parse(startedAt)).toBe(1_000);
  });

  it("renames a compute without an interruption", async () => {
    await open();
    const { endpoint } = emulator.createEndpoint(place.project, {
      branch_id: place.branch,
      type: "read_only",
      name: "a",
    });
    expect((await request("PATCH", `/${endpoint.id}`, { name: "b" })).status).toBe(200);
    expect(emulator.endpoint(endpoint.id).endpoint.name).toBe("b");
    expect(emulator.counters(endpoint.id).interruptions).toBe(0);
  });
});

it("shows neither time as the interface, which lists none", async () => {
  const emulator = await startEmulator({ clock: new Clock("manual"), operationMs: 0 });
  const { endpoint } = emulator.createProject();
  expect(emulator.endpoint(endpoint.id).endpoint).not.toHaveProperty("started_at");
  await emulator.close();
});
