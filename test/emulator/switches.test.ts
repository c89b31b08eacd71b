import { defaultSwitches, startEmulator, switchTable } from "../../emulator";
import type { Switches } from "../../emulator";
import { closeBenches, newBench } from "./support";
import type { Bench, Reply } from "./support";

afterEach(closeBenches);

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

type Ask = (bench: Bench) => Promise<Reply>;

const create =
  (more: object = {}): Ask =>
  ({ send, at, project }) =>
    send("POST", `${at}/endpoints`, { branch_id: project.branch.id, type: "read_only", ...more });
const update =
  (endpoint: object): Ask =>
  ({ send, primary }) =>
    send("PATCH", primary, endpoint);
const restart: Ask = ({ send, primary }) => send("POST", `${primary}/restart`);
const remove: Ask = ({ send, primary }) => send("DELETE", primary);
const removeMissing: Ask = ({ send, at }) => send("DELETE", `${at}/endpoints/ep-no-such-00000000`);
const size = (min: number, max = min): object => ({
  autoscaling_limit_min_cu: min,
  autoscaling_limit_max_cu: max,
});
const replica = { type: "read_replica" };
const suspended = { operations: [{ action: "suspend_compute", status: "running" }] };

/** Each switch at a value that is not its default; the others have tests where their subject is. */
const effects: readonly (readonly [Partial<Switches>, number, unknown, Ask])[] = [
  [{ createStatus: 200 }, 200, { endpoint: {} }, create()],
  [{ secondPrimaryStatus: 422 }, 422, { code: "read_write_endpoint_exists" }, create({ type: "read_write" })],
  [{ replicaType: "read_replica" }, 201, { endpoint: replica }, create(replica)],
  [{ sizes: "any" }, 201, { endpoint: size(0.3, 56) }, create(size(0.3, 56))],
  [{ unknownFields: "refuse" }, 400, { message: "endpoint.colour is not known." }, update({ colour: "red" })],
  [{}, 200, { endpoint: {} }, update({ colour: "red" })],
  [{ fixedFields: "ignore" }, 200, { endpoint: { type: "read_write" } }, update({ type: "read_only" })],
  [{ settingsDefault: "empty" }, 201, { endpoint: { settings: {} } }, create()],
  [{ restartBody: "empty" }, 200, {}, restart],
  [{ restartBody: "none" }, 200, "", restart],
  [{ restartedBy: "apply_config" }, 200, { operations: [{ action: "apply_config" }] }, update(size(2))],
  [{ deleteOperations: "suspend" }, 200, suspended, remove],
  [{}, 204, "", removeMissing],
  [{ deleteMissing: 404 }, 404, { code: "not_found" }, removeMissing],
];

it.each(effects)("%j answers %d, %j", async (...[switches, status, sees, ask]) => {
  const answer = await ask(await newBench({ switches }));
  expect(answer.status).toBe(status);
  if (sees === "") expect(answer.text).toBe("");
  else expect(answer.body).toMatchObject(sees as object);
});

it("suspendTimeoutField hides the delay where it says so", async () => {
  expect((await create()(await newBench())).body.endpoint).toMatchObject({ suspend_timeout_seconds: 0 });
  const hidden = await create()(await newBench({ switches: { suspendTimeoutField: "hidden" } }));
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
    expect((await update({ pooler_enabled: true })(bench)).status).toBe(200);
    for (const write of [create(), restart, remove]) {
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
