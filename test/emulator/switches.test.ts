import { defaultSwitches, startEmulator, switchTable } from "../../emulator";
import type { Switches } from "../../emulator";
import { closeBenches, newBench } from "./support";
import type { Bench, Reply } from "./support";

afterEach(closeBenches);

const noEndpoint = "ep-no-such-00000000";

describe("the table", () => {
  it.each(Object.entries(switchTable))("says what %s means and why it is so", (_name, row) => {
    expect(row.meaning).toMatch(/\.$/);
    expect(row.why).toMatch(/\.$/);
    const takes: readonly unknown[] = "values" in row ? row.values : [row.default];
    expect(takes).toContain(row.default);
  });

  it.each([
    ["a name that is not there", { lok: "off" }, /no switch "lok"/],
    ["a value that is not there", { lock: "on" }, /lock takes off, project/],
    ["a number out of range", { maxLimit: 0 }, /maxLimit takes a whole number from 1/],
    ["no number", { maxLimit: "" }, /maxLimit takes a whole number/],
  ])("refuses %s", async (_reason, switches, says) => {
    await expect(startEmulator({ switches: switches as Partial<Switches> })).rejects.toThrow(says);
  });

  it("takes values as text, as a command line gives them", async () => {
    const { emulator } = await newBench();
    emulator.setSwitches({ createStatus: "200", settingsRestart: "true" } as unknown as Partial<Switches>);
    expect(emulator.switches).toEqual({ ...defaultSwitches, createStatus: 200, settingsRestart: true });
  });
});

interface Effect {
  readonly switches: Partial<Switches>;
  readonly ask: (bench: Bench) => Promise<Reply>;
  readonly status?: number;
  readonly sees: unknown;
}

const create = (bench: Bench, more: object = {}): Promise<Reply> =>
  bench.send("POST", `${bench.at}/endpoints`, {
    branch_id: bench.project.branch.id,
    type: "read_only",
    ...more,
  });
const update = (bench: Bench, endpoint: object): Promise<Reply> =>
  bench.send("PATCH", bench.primary, endpoint);
const restart = (bench: Bench): Promise<Reply> => bench.send("POST", `${bench.primary}/restart`);
const remove = (bench: Bench): Promise<Reply> => bench.send("DELETE", bench.primary);

/** Each switch at a value that is not its default; the others have tests where their subject is. */
const effects: readonly Effect[] = [
  { switches: { createStatus: 200 }, ask: create, sees: { endpoint: {} } },
  {
    switches: { secondPrimaryStatus: 422 },
    ask: (bench) => create(bench, { type: "read_write" }),
    status: 422,
    sees: { code: "read_write_endpoint_exists" },
  },
  {
    switches: { replicaType: "read_replica" },
    ask: (bench) => create(bench, { type: "read_replica" }),
    status: 201,
    sees: { endpoint: { type: "read_replica" } },
  },
  {
    switches: { sizes: "any" },
    ask: (bench) => create(bench, { autoscaling_limit_min_cu: 0.3, autoscaling_limit_max_cu: 56 }),
    status: 201,
    sees: { endpoint: { autoscaling_limit_min_cu: 0.3, autoscaling_limit_max_cu: 56 } },
  },
  {
    switches: { unknownFields: "refuse" },
    ask: (bench) => update(bench, { colour: "red" }),
    status: 400,
    sees: { message: "endpoint.colour is not known." },
  },
  { switches: {}, ask: (bench) => update(bench, { colour: "red" }), sees: { endpoint: {} } },
  {
    switches: { fixedFields: "ignore" },
    ask: (bench) => update(bench, { type: "read_only" }),
    sees: { endpoint: { type: "read_write" } },
  },
  {
    switches: { settingsDefault: "empty" },
    ask: create,
    status: 201,
    sees: { endpoint: { settings: {} } },
  },
  { switches: { restartBody: "empty" }, ask: restart, sees: {} },
  { switches: { restartBody: "none" }, ask: restart, sees: "" },
  {
    switches: { restartedBy: "apply_config" },
    ask: (bench) => update(bench, { autoscaling_limit_min_cu: 2, autoscaling_limit_max_cu: 2 }),
    sees: { operations: [{ action: "apply_config" }] },
  },
  {
    switches: { deleteOperations: "suspend" },
    ask: remove,
    sees: { operations: [{ action: "suspend_compute", status: "running" }] },
  },
  {
    switches: { idleRestart: 412 },
    ask: (bench) => {
      const { id } = bench.project.endpoint;
      bench.emulator.suspendEndpoint(id);
      bench.emulator.clock.advance(10_000);
      return bench.send("POST", `${bench.at}/endpoints/${id}/restart`);
    },
    status: 412,
    sees: { code: "endpoint_not_active" },
  },
  {
    switches: {},
    ask: (bench) => bench.send("DELETE", `${bench.at}/endpoints/${noEndpoint}`),
    status: 204,
    sees: "",
  },
  {
    switches: { deleteMissing: 404 },
    ask: (bench) => bench.send("DELETE", `${bench.at}/endpoints/${noEndpoint}`),
    status: 404,
    sees: { code: "not_found" },
  },
];

it.each(effects)("$switches answers $status $sees", async ({ switches, ask, status = 200, sees }) => {
  const answer = await ask(await newBench({ switches }));
  expect(answer.status).toBe(status);
  if (sees === "") expect(answer.text).toBe("");
  else expect(answer.body).toMatchObject(sees as object);
});

it("suspendTimeoutField hides the delay where it says so", async () => {
  expect((await create(await newBench())).body.endpoint).toMatchObject({ suspend_timeout_seconds: 0 });
  const hidden = await create(await newBench({ switches: { suspendTimeoutField: "hidden" } }));
  expect(hidden.body.endpoint).not.toHaveProperty("suspend_timeout_seconds");
});

it("suspendDefaultSeconds is the delay of a compute that has none of its own", async () => {
  const { emulator, id } = await newBench({ switches: { suspendDefaultSeconds: 20 } });
  emulator.clock.advance(30_000);
  expect(emulator.endpoint(id).endpoint.current_state).toBe("idle");
});

describe("errorShape", () => {
  it.each([
    { errorShape: "nested", text: /^\{"error":\{"code":"not_found","message":.+,"request_id":"r-1"\}\}$/ },
    { errorShape: "html", text: /^<!doctype html>/ },
    { errorShape: "empty", text: /^$/ },
  ] as const)("gives every error the shape $errorShape", async ({ errorShape, text }) => {
    const { sendRaw } = await newBench({ switches: { errorShape } });
    const answer = await sendRaw("GET", "/projects/none-1/endpoints", { headers: { "X-Request-ID": "r-1" } });
    expect(answer.status).toBe(404);
    expect(answer.text).toMatch(text);
  });
});

describe("lock", () => {
  it("answers 423 to every write of a project while an operation of it is under way, and lets reads pass", async () => {
    const bench = await newBench({ switches: { lock: "project", retryAfter: "seconds" } });
    expect((await update(bench, { pooler_enabled: true })).status).toBe(200);
    for (const write of [create, restart, remove]) {
      const answer = await write(bench);
      expect(answer.status).toBe(423);
      expect(answer.headers.get("retry-after")).toBe("1");
    }
    expect((await bench.send("GET", `${bench.at}/endpoints`)).status).toBe(200);
    bench.emulator.clock.advance(1000);
    expect((await restart(bench)).status).toBe(200);
  });
});

describe("the rate limit", () => {
  it.each([
    { switches: { rateLimitBurst: 2 }, windowMs: 1000 },
    { switches: { rateLimitPerMinute: 2 }, windowMs: 60_000 },
  ])(
    "answers 429 to one request too many, by route, until $windowMs ms have passed",
    async ({ switches, windowMs }) => {
      const bench = await newBench({ switches });
      const list = async (): Promise<number> => (await bench.send("GET", `${bench.at}/endpoints`)).status;
      expect([await list(), await list(), await list()]).toEqual([200, 200, 429]);
      expect((await bench.send("GET", `${bench.at}/operations`)).status).toBe(200);
      bench.emulator.clock.advance(windowMs);
      expect(await list()).toBe(200);
    },
  );

  it.each([
    { retryAfter: "none", header: null },
    { retryAfter: "seconds", header: "1" },
    { retryAfter: "date", header: "Mon, 05 Jan 2026 08:00:11 GMT" },
  ] as const)("gives Retry-After as $retryAfter", async ({ retryAfter, header }) => {
    const { send, at } = await newBench({ switches: { rateLimitBurst: 1, retryAfter } });
    await send("GET", `${at}/endpoints`);
    expect((await send("GET", `${at}/endpoints`)).headers.get("retry-after")).toBe(header);
  });
});

describe("extraRoutes", () => {
  const routes = (bench: Bench): readonly (readonly [string, string])[] => [
    ["GET", bench.primary],
    ["POST", `${bench.primary}/suspend`],
    ["POST", `${bench.primary}/start`],
    ["GET", `${bench.at}/branches/${bench.project.branch.id}/endpoints`],
  ];

  it.each([
    { extraRoutes: "off", statuses: [404, 404, 404, 404] },
    { extraRoutes: "on", statuses: [200, 200, 200, 200] },
  ] as const)("$extraRoutes: answers $statuses", async ({ extraRoutes, statuses }) => {
    const bench = await newBench({ switches: { extraRoutes } });
    const seen: number[] = [];
    for (const [method, path] of routes(bench)) seen.push((await bench.send(method, path)).status);
    expect(seen).toEqual(statuses);
  });

  it("suspend and start a compute, and count the suspension", async () => {
    const bench = await newBench({ switches: { extraRoutes: "on" } });
    const path = bench.primary;
    const suspended = await bench.send("POST", `${path}/suspend`);
    expect(suspended.body).toMatchObject({
      endpoint: { pending_state: "idle" },
      operations: [{ action: "suspend_compute" }],
    });
    expect((await bench.send("POST", `${path}/suspend`)).body.operations).toEqual([]);
    const started = await bench.send("POST", `${path}/start`);
    expect(started.body).toMatchObject({
      endpoint: { pending_state: "active" },
      operations: [{ action: "start_compute" }],
    });
    expect(bench.emulator.counters(bench.id).droppedBy.suspend).toBe(1);
  });
});
