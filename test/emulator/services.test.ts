import type { Switches } from "../../emulator";
import { closeBenches, newBench, type Bench } from "./support";

afterEach(closeBenches);

/** The control plane as Neon: what one switch sets. */
describe("the switch service at neon", () => {
  const open = (switches: Partial<Switches> = {}): Promise<Bench> =>
    newBench({ operationMs: 0, switches: { service: "neon", ...switches } });
  /** A replica that was made by hand. @returns its id */
  const made = ({ emulator, project }: Bench, more: object = {}): string =>
    emulator.createEndpoint(project.project.id, {
      ...{ branch_id: project.branch.id, type: "read_only" },
      ...more,
    }).endpoint.id;
  const create = ({ send, at, project }: Bench, more: object): ReturnType<Bench["send"]> =>
    send("POST", `${at}/endpoints`, { branch_id: project.branch.id, type: "read_only", ...more });
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
    expect((await create(await open(), more)).status).toBe(status);
  });

  it.each([
    [size(1), 419],
    [size(1, 8), 3357],
    [size(0.25, 8), 839],
    [size(0.25), 104],
  ])("gives %j %d connections", async (limits, connections) => {
    const bench = await open();
    expect(bench.emulator.endpoint(made(bench, limits)).maxConnections).toBe(connections);
  });

  it("never suspends a compute above 16 CU, and answers -1 to another delay", async () => {
    const { body } = await create(await open(), { ...size(20), suspend_timeout_seconds: 600 });
    expect(body.endpoint).toMatchObject({ suspend_timeout_seconds: -1 });
  });

  it("answers 204 to a deletion of what is gone, and a suspension to one of what runs", async () => {
    const { emulator, send, at, project } = await open();
    const path = `${at}/endpoints/${project.endpoint.id}`;
    expect((await send("DELETE", path)).body.operations).toMatchObject([{ action: "suspend_compute" }]);
    expect(await send("DELETE", path)).toMatchObject({ status: 204, text: "" });
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
      const bench = await open(switches);
      const id = made(bench);
      const { emulator } = bench;
      const before = emulator.endpoint(id).endpoint.started_at;
      emulator.clock.advance(1_000);
      emulator.updateEndpoint(id, { ...size(2) });
      const after = emulator.endpoint(id).endpoint.started_at;
      expect(before).toMatch(/^2/);
      expect(after !== before).toBe(isRestarted);
      expect(emulator.counters(id).restarts).toBe(isRestarted ? 1 : 0);
    },
  );

  it("shows when a compute was suspended", async () => {
    const bench = await open();
    const id = made(bench);
    const { emulator } = bench;
    expect(emulator.endpoint(id).endpoint).not.toHaveProperty("suspended_at");
    emulator.clock.advance(1_000);
    emulator.suspendEndpoint(id);
    const { started_at: startedAt = "", suspended_at: suspendedAt = "" } = emulator.endpoint(id).endpoint;
    expect(Date.parse(suspendedAt) - Date.parse(startedAt)).toBe(1_000);
  });

  it("renames a compute without an interruption", async () => {
    const bench = await open();
    const id = made(bench, { name: "a" });
    expect((await bench.send("PATCH", `${bench.at}/endpoints/${id}`, { name: "b" })).status).toBe(200);
    expect(bench.emulator.endpoint(id).endpoint.name).toBe("b");
    expect(bench.emulator.counters(id).interruptions).toBe(0);
  });
});

it("shows neither time as the interface, which lists none", async () => {
  const { emulator, id } = await newBench();
  expect(emulator.endpoint(id).endpoint).not.toHaveProperty("started_at");
});
