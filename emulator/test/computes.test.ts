/** What a compute's life and each change look like from outside (interface 3 and 4). */
import { causes, type Cause } from "../service/model/counters";
import {
  changed,
  closeBenches,
  fixedAt,
  newBench,
  ranging,
  stateOf,
  type Bench,
  type Reply,
} from "./support";

afterEach(closeBenches);

const settings = { pg_settings: { a: "1" } };
type Ask = (bench: Bench) => Promise<Reply>;
const patch =
  (endpoint: object): Ask =>
  ({ send, primary }) =>
    send("PATCH", primary, endpoint);
const moved =
  (more: object = {}): Ask =>
  (bench) =>
    patch({ branch_id: bench.emptyBranch(), ...more })(bench);
const stays: Ask = (bench) => patch({ branch_id: bench.project.branch.id })(bench);
const restart: Ask = ({ send, primary }) => send("POST", `${primary}/restart`);
const remove: Ask = ({ send, primary }) => send("DELETE", primary);

const [applies, restarts] = ["apply_config", "apply_config start_compute"];
const suspends = "apply_config suspend_compute";

/** Interface 3.1: what a change does to open connections, and the operations that it is answered with. */
const changes: readonly (readonly [string, Ask, counted: readonly Cause[], operations: string])[] = [
  ["a fixed size restarts", patch(fixedAt(1)), ["size"], restarts],
  ["an autoscaling maximum restarts", patch(ranging(0.25, 2)), ["size"], restarts],
  ["the size it has already changes nothing", patch(fixedAt(0.25)), [], applies],
  ["autosuspend leaves connections alone", patch({ suspend_timeout_seconds: 60 }), [], applies],
  ["the pooler is not in the table", patch({ pooler_enabled: true }), [], applies],
  ["settings are not in the table", patch({ settings }), [], applies],
  ["access is not in the table", patch({ passwordless_access: false }), [], applies],
  ["a disabled compute is suspended", patch({ disabled: true }), ["disabled"], suspends],
  ["it was enabled already", patch({ disabled: false }), [], applies],
  ["a moved compute is suspended", moved(), ["move"], suspends],
  ["it is there already", stays, [], applies],
  ["one interruption, two causes", moved(fixedAt(2)), ["size", "move"], suspends],
  ["a restart is asked for", restart, ["restart"], "suspend_compute start_compute"],
  ["a deleted compute serves nobody", remove, ["delete"], ""],
];

const only = (some: readonly Cause[]): object =>
  Object.fromEntries(causes.map((cause) => [cause, some.includes(cause) ? 1 : 0]));

describe.each(["active", "idle"])("a change of an %s compute", (state) => {
  it.each(changes)("is counted: %s", async (...[, ask, counted, operations]) => {
    const bench = await newBench();
    if (state === "idle") bench.emulator.clock.advance(600_000);
    expect(stateOf(bench)).toBe(state);
    const { body } = await ask(bench);
    // An idle one has no connections that anything could drop.
    const dropping = state === "active" ? counted : [];
    expect(bench.emulator.counters(bench.id)).toEqual({
      restarts: dropping.includes("size") || dropping.includes("restart") ? 1 : 0,
      connectionsDropped: dropping.length > 0 ? 1 : 0,
      interruptions: counted.length > 0 ? 1 : 0,
      droppedBy: only(dropping),
      causes: only(counted),
    });
    if (state === "idle" || counted.includes("delete")) return;
    const answered = body.operations.map(({ action, status }) => `${action} ${status}`);
    const [first = "", then] = operations.split(" ");
    expect(answered).toEqual([`${first} running`, ...(then === undefined ? [] : [`${then} scheduling`])]);
    const ends = then === "suspend_compute" ? "idle" : "active";
    expect(stateOf(bench)).toBe(then === undefined ? "active" : `active → ${ends}`);
    // Interface 4.3: an answer has both states, also where the change leaves the state.
    expect(body.endpoint).toMatchObject({ current_state: "active", pending_state: ends });
    bench.emulator.clock.advance(5000);
    expect(stateOf(bench)).toBe(ends);
  });
});

it.each([
  { idlePatch: "wakes", operations: ["apply_config running", "suspend_compute scheduling"] },
  { idlePatch: "sleeps", operations: ["apply_config running"] },
] as const)("a change leaves an idle compute idle in the end where it $idlePatch", async (row) => {
  const bench = await newBench({ switches: { idlePatch: row.idlePatch } });
  bench.emulator.suspendEndpoint(bench.id);
  bench.emulator.clock.advance(1000);
  expect(await changed(bench, ranging(0.25, 2))).toEqual(row.operations);
  bench.emulator.clock.advance(5000);
  expect(stateOf(bench)).toBe("idle");
});

it.each([
  { switches: { settingsRestart: true }, endpoint: { settings }, cause: "settings" },
  { switches: { poolerRestart: true }, endpoint: { pooler_enabled: true }, cause: "pooler" },
  { switches: { restartedBy: "apply_config" }, endpoint: fixedAt(2), cause: "size" },
] as const)("counts $cause as a restart where a switch says so: $switches", async (row) => {
  const bench = await newBench({ switches: row.switches });
  await changed(bench, row.endpoint);
  const counters = { restarts: 1, connectionsDropped: 1, droppedBy: { [row.cause]: 1 } };
  expect(bench.emulator.counters(bench.id)).toMatchObject(counters);
});

it("operations of one compute run one after the other", async () => {
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

it("a new project and a new branch have a primary that starts once the branch is there, unless none is asked for", async () => {
  const { emulator } = await newBench();
  const made = emulator.createProject({ name: "second" });
  expect(made.project.default_branch_id).toBe(made.branch.id);
  const { id } = made.project;
  for (const [{ operations, endpoint, branch }, action] of [
    [made, "create_timeline"],
    [emulator.createBranch(id), "create_branch"],
  ] as const) {
    expect(endpoint).toMatchObject({ type: "read_write", branch_id: branch.id, current_state: "init" });
    expect(operations).toMatchObject([
      { action, status: "running" },
      { action: "start_compute", status: "scheduling", endpoint_id: endpoint!.id },
    ]);
    expect(operations[0]).not.toHaveProperty("endpoint_id");
    emulator.clock.advance(2000);
    expect(emulator.endpoint(endpoint!.id).endpoint.current_state).toBe("active");
  }
  expect(emulator.createBranch(id, { compute: false })).not.toHaveProperty("endpoint");
});

it("a new compute is init with a running start_compute and no last_active, and active once that has finished", async () => {
  const { emulator, send, at, emptyBranch } = await newBench();
  const branchId = emptyBranch();
  const made = await send("POST", `${at}/endpoints`, { branch_id: branchId, type: "read_write" });
  expect(made.status).toBe(201);
  const { endpoint, operations } = made.body;
  expect(endpoint).toMatchObject({
    id: expect.stringMatching(/^ep-[a-z]+-[a-z]+-[a-z0-9]{8}$/) as string,
    host: `${endpoint.id}.local-1.compute.localhost`,
    proxy_host: "local-1.compute.localhost",
    branch_id: branchId,
    ...{ current_state: "init", pending_state: "active" },
    ...fixedAt(0.25),
  });
  expect(endpoint).not.toHaveProperty("last_active");
  expect(operations).toMatchObject([
    { action: "start_compute", status: "running", endpoint_id: endpoint.id, failures_count: 0 },
  ]);
  emulator.clock.advance(1000);
  const found = (await send("GET", `${at}/endpoints`)).body.endpoints.find(({ id }) => id === endpoint.id);
  expect(found).toMatchObject({ current_state: "active", last_active: expect.any(String) as string });
  expect(found).not.toHaveProperty("pending_state");
});

describe("autosuspend", () => {
  it.each([
    { seconds: 0, lastsMs: 300_000, reason: "the service's default is five minutes" },
    { seconds: 60, lastsMs: 60_000, reason: "the delay of its own" },
    { seconds: -1, lastsMs: 365 * 86_400_000, reason: "never" },
  ])("suspends after $seconds: $reason", async ({ seconds, lastsMs }) => {
    const bench = await newBench();
    await changed(bench, { suspend_timeout_seconds: seconds });
    bench.emulator.clock.advance(1000);
    bench.emulator.connect(bench.id);
    bench.emulator.clock.advance(lastsMs - 1);
    expect(stateOf(bench)).toBe("active");
    bench.emulator.clock.advance(1);
    expect(stateOf(bench)).toBe(seconds === -1 ? "active" : "active → idle");
    bench.emulator.clock.advance(1000);
    expect(stateOf(bench)).toBe(seconds === -1 ? "active" : "idle");
  });

  it("ends with the next connection, which a disabled compute refuses", async () => {
    const bench = await newBench();
    bench.emulator.clock.advance(600_000);
    expect(bench.emulator.connect(bench.id).operations).toMatchObject([
      { action: "start_compute", status: "running" },
    ]);
    bench.emulator.clock.advance(1000);
    expect(stateOf(bench)).toBe("active");
    await changed(bench, { disabled: true });
    expect(() => bench.emulator.connect(bench.id)).toThrow(/is disabled/);
  });
});

it("a deletion answers the compute and no operations, and frees the branch for another primary", async () => {
  const { send, at, id, primary, project } = await newBench();
  const gone = await send("DELETE", primary);
  expect(gone).toMatchObject({ status: 200, body: { endpoint: { id }, operations: [] } });
  expect(gone.body.endpoint).toHaveProperty("last_active");
  expect((await send("GET", `${at}/endpoints`)).body.endpoints).toEqual([]);
  const body = { branch_id: project.branch.id, type: "read_write" };
  expect((await send("POST", `${at}/endpoints`, body)).status).toBe(201);
});
