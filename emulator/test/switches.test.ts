/** Choices that the interface leaves open, and the answer that each switch gives. */
import { defaultSwitches, startEmulator, type Switches } from "..";
import { closeBenches, fixedAt, newBench, ranging, type Bench, type Reply } from "./support";

afterEach(closeBenches);

describe("the table of switches", () => {
  it.each([
    ["an unknown name", { lok: "off" }, /no switch "lok"/],
    ["a number out of range", { maxLimit: 0 }, /maxLimit takes a whole number from 1/],
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
/** A PATCH of settings, on a compute that has `work_mem`. */
const withSettings =
  (pgSettings: object): Ask =>
  async (bench) => {
    await update({ settings: { pg_settings: { work_mem: "8MB" } } })(bench);
    return update({ settings: { pg_settings: pgSettings } })(bench);
  };
const restart: Ask = ({ send, primary }) => send("POST", `${primary}/restart`);
const remove: Ask = ({ send, primary }) => send("DELETE", primary);
const removeMissing: Ask = ({ send, at }) => send("DELETE", `${at}/endpoints/ep-no-such-00000000`);
const list: Ask = ({ send, at }) => send("GET", `${at}/endpoints`);
const listOperations: Ask = ({ send, at }) => send("GET", `${at}/operations`);
const idle =
  (ask: Ask): Ask =>
  (bench) => {
    bench.emulator.clock.advance(600_000);
    return ask(bench);
  };

const exists = { code: "read_write_endpoint_exists" };
const neon = { service: "neon" } as const;

type Case = readonly [reason: string, Partial<Switches>, Ask, status: number, sees: unknown];

/** Values other than the defaults, and some defaults for comparison. Switches that scenarios and unit/verify set are tested there. */
const answers: readonly Case[] = [
  [
    "a minimum alone is a fixed size",
    {},
    create({ autoscaling_limit_min_cu: 2 }),
    201,
    { endpoint: fixedAt(2) },
  ],
  [
    "a maximum alone is a fixed size",
    {},
    create({ autoscaling_limit_max_cu: 3 }),
    201,
    { endpoint: fixedAt(3) },
  ],
  ["a create is answered 200", { createStatus: 200 }, create(), 200, { endpoint: {} }],
  [
    "a second primary is refused with 422",
    { secondPrimaryStatus: 422 },
    create({ type: "read_write" }),
    422,
    exists,
  ],
  ["any size is accepted", { sizes: "any" }, create(ranging(0.3, 56)), 201, { endpoint: ranging(0.3, 56) }],
  ["an unknown field is ignored", {}, update({ colour: "red" }), 200, { endpoint: {} }],
  [
    "an unknown field is refused",
    { unknownFields: "refuse" },
    update({ colour: "red" }),
    400,
    { message: "endpoint.colour is not known." },
  ],
  [
    "a change of a fixed field is ignored",
    { fixedFields: "ignore" },
    update({ type: "read_only" }),
    200,
    { endpoint: { type: "read_write" } },
  ],
  [
    "a new compute has no settings at all",
    { settingsDefault: "empty" },
    create(),
    201,
    { endpoint: { settings: {} } },
  ],
  [
    "a PATCH of settings removes those that it does not name",
    {},
    withSettings({ jit: "off" }),
    200,
    { endpoint: { settings: { pg_settings: { jit: "off" } } } },
  ],
  [
    "a PATCH of settings keeps those that it does not name",
    { settingsPatch: "merges" },
    withSettings({ jit: "off" }),
    200,
    { endpoint: { settings: { pg_settings: { work_mem: "8MB", jit: "off" } } } },
  ],
  ["the suspend timeout is shown", {}, create(), 201, { endpoint: { suspend_timeout_seconds: 0 } }],
  ["the answer to a restart has no body", { restartBody: "none" }, restart, 200, ""],
  ["a restart of an idle compute has two operations", {}, idle(restart), 200, { operations: [{}, {}] }],
  ["a deletion of a missing compute is answered 204", {}, removeMissing, 204, ""],
  [
    "a deletion of a missing compute is answered 404",
    { deleteMissing: 404 },
    removeMissing,
    404,
    { code: "not_found" },
  ],
  ["a page has the default length", { defaultLimit: 1 }, listOperations, 200, { operations: [{}] }],
  ["Neon accepts its widest range", neon, create(ranging(8, 16)), 201, {}],
  ["Neon has no size of 17 CU", neon, create(fixedAt(17)), 400, {}],
  ["Neon refuses a range that is too wide", neon, create(ranging(0.25, 16)), 400, {}],
  ["Neon refuses a name that is too long", neon, create({ name: "x".repeat(65) }), 400, {}],
  ["Neon renames without an interruption", neon, update({ name: "b" }), 200, { endpoint: { name: "b" } }],
  [
    "Neon never suspends above 16 CU",
    neon,
    create({ ...fixedAt(20), suspend_timeout_seconds: 600 }),
    201,
    { endpoint: { suspend_timeout_seconds: -1 } },
  ],
  ["Neon suspends before it deletes", neon, remove, 200, { operations: [{ action: "suspend_compute" }] }],
];

it.each(answers)("%s: %j", async (...[, switches, ask, status, sees]) => {
  const answer = await ask(await newBench({ switches }));
  expect(answer.status).toBe(status);
  if (sees === "") expect(answer.text).toBe("");
  else expect(answer.body).toMatchObject(sees as object);
});

it("suspendTimeoutField hides the suspend timeout, and the interface shows no start time", async () => {
  const { endpoint } = (await create()(await newBench({ switches: { suspendTimeoutField: "hidden" } }))).body;
  expect(endpoint).not.toHaveProperty("suspend_timeout_seconds");
  expect(endpoint).not.toHaveProperty("started_at");
});

it.each([
  { errorShape: "nested", text: /^\{"error":\{"code":"not_found","message":.+,"request_id":"r-1"\}\}$/ },
  { errorShape: "html", text: /^<!doctype html>/ },
  { errorShape: "empty", text: /^$/ },
] as const)("errorShape gives every error the shape $errorShape", async ({ errorShape, text }) => {
  const { sendRaw } = await newBench({ switches: { errorShape } });
  const answer = await sendRaw("GET", "/projects/none-1/endpoints", { headers: { "X-Request-ID": "r-1" } });
  expect(answer.status).toBe(404);
  expect(answer.text).toMatch(text);
});

it.each([
  { switches: { rateLimitBurst: 2 }, windowMs: 1000 },
  { switches: { rateLimitPerMinute: 2 }, windowMs: 60_000 },
])(
  "a rate limit answers 429 to one request too many on a route, until $windowMs ms have passed",
  async (row) => {
    const bench = await newBench({ switches: row.switches });
    const ask = async (): Promise<number> => (await list(bench)).status;
    expect([await ask(), await ask(), await ask()]).toEqual([200, 200, 429]);
    expect((await listOperations(bench)).status).toBe(200);
    bench.emulator.clock.advance(row.windowMs);
    expect(await ask()).toBe(200);
  },
);

it.each([
  { retryAfter: "none", header: null },
  { retryAfter: "seconds", header: "1" },
  { retryAfter: "date", header: "Mon, 05 Jan 2026 08:00:11 GMT" },
] as const)(
  "the switch retryAfter sets the form of Retry-After: $retryAfter",
  async ({ retryAfter, header }) => {
    const bench = await newBench({ switches: { rateLimitBurst: 1, retryAfter } });
    await list(bench);
    expect((await list(bench)).headers.get("retry-after")).toBe(header);
  },
);

it("extraRoutes suspend, start and read a compute", async () => {
  const bench = await newBench({ switches: { extraRoutes: "on" } });
  const { at, id, primary, project } = bench;
  const suspending = { pending_state: "idle" };
  for (const [method, path, body] of [
    ["GET", primary, { endpoint: { id } }],
    ["GET", `${at}/branches/${project.branch.id}/endpoints`, { endpoints: [{ id }] }],
    ["POST", `${primary}/suspend`, { endpoint: suspending, operations: [{ action: "suspend_compute" }] }],
    ["POST", `${primary}/start`, { operations: [{ action: "start_compute" }] }],
  ] as const)
    expect(await bench.send(method, path)).toMatchObject({ status: 200, body });
  expect(bench.emulator.counters(id).droppedBy.suspend).toBe(1);
});
