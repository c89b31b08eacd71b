import { causes, type Cause } from "../../emulator/service/model/counters";
import { changed, closeBenches, newBench, stateOf, type Bench, type Reply } from "./support";

afterEach(closeBenches);

const sized = (min: number, max = min): object => ({
  autoscaling_limit_min_cu: min,
  autoscaling_limit_max_cu: max,
});
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
const restart: Ask = ({ send, primary }) => send("POST", `${primary}/restart`);

/** Interface 3.1: what a change does to open connections, and the operations that it is answered with. */
const changes: readonly (readonly [string, Ask, counted: readonly Cause[], operations: string])[] = [
  ["a fixed size restarts", patch(sized(1)), ["size"], "apply_config start_compute"],
  ["an autoscaling maximum restarts", patch(sized(0.25, 2)), ["size"], "apply_config start_compute"],
  ["the size it has already changes nothing", patch(sized(0.25)), [], "apply_config"],
  ["autosuspend leaves connections alone", patch({ suspend_timeout_seconds: 60 }), [], "apply_config"],
  ["the pooler is not in the table", patch({ pooler_enabled: true }), [], "apply_config"],
  ["settings are not in the table", patch({ settings }), [], "apply_config"],
  ["access is not in the table", patch({ passwordless_access: false }), [], "apply_config"],
  [
    "a disabled compute is suspended",
    patch({ disabled: true }),
    ["disabled"],
    "apply_config suspend_compute",
  ],
  ["it was enabled already", patch({ disabled: false }), [], "apply_config"],
  ["a moved compute is suspended", moved(), ["move"], "apply_config suspend_compute"],
  [
    "it is there already",
    (bench) => patch({ branch_id: bench.project.branch.id })(bench),
    [],
    "apply_config",
  ],
  ["one interruption, two causes", moved(sized(2)), ["size", "move"], "apply_config suspend_compute"],
  ["a restart is asked for", restart, ["restart"], "suspend_compute start_compute"],
  ["a deleted compute serves nobody", ({ send, primary }) => send("DELETE", primary), ["delete"], ""],
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
    bench.emulator.clock.advance(5000);
    expect(stateOf(bench)).toBe(ends);
  });
});

describe("changing an active compute", () => {
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
    bench.emulator.clock.advance(600_000);
    const answer = await restart(bench);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject(sees);
  });

  it("suspends before it starts, and answers the endpoint as it will be", async () => {
    const bench = await newBench();
    expect((await restart(bench)).body.endpoint.pending_state).toBe("active");
    bench.emulator.clock.advance(1000);
    expect(stateOf(bench)).toBe("idle → active");
  });

  it("does nothing to a disabled compute", async () => {
    const bench = await newBench();
    await changed(bench, { disabled: true });
    const answer = await restart(bench);
    expect(answer.body.operations).toEqual([]);
  });
});

it.each([
  { switches: { settingsRestart: true }, endpoint: { settings }, cause: "settings" },
  { switches: { poolerRestart: true }, endpoint: { pooler_enabled: true }, cause: "pooler" },
] as const)("counts $cause as a restart where the switch says so", async ({ switches, endpoint, cause }) => {
  const bench = await newBench({ switches });
  await changed(bench, endpoint);
  expect(bench.emulator.counters(bench.id)).toMatchObject({
    restarts: 1,
    droppedBy: only([cause]),
  });
});

it("drops connections for a new size that apply_config alone restarts it for", async () => {
  const bench = await newBench({ switches: { restartedBy: "apply_config" } });
  expect(await changed(bench, sized(2))).toEqual(["apply_config running"]);
  const counters = { restarts: 1, connectionsDropped: 1, interruptions: 1 };
  expect(bench.emulator.counters(bench.id)).toMatchObject(counters);
  bench.emulator.clock.advance(600_000);
  expect(await changed(bench, sized(4))).toEqual(["apply_config running", "suspend_compute scheduling"]);
  expect(bench.emulator.counters(bench.id)).toMatchObject({ ...counters, interruptions: 2 });
});

it("counts nothing for a change that is refused", async () => {
  const bench = await newBench();
  for (const size of [sized(2, 1), sized(77)]) await patch(size)(bench);
  expect(bench.emulator.counters(bench.id).interruptions).toBe(0);
});
