import { causes } from "../../emulator/service/model/counters";
import type { Cause } from "../../emulator/service/model/counters";
import { changed, closeBenches, newBench } from "./support";
import type { Bench } from "./support";

afterEach(closeBenches);

type Change = readonly [
  reason: string,
  change: (bench: Bench) => Promise<unknown>,
  counted: readonly Cause[],
  restarts: number,
];

const patch =
  (endpoint: object) =>
  (bench: Bench): Promise<unknown> =>
    bench.send("PATCH", bench.primary, endpoint);

/** Interface 3.1: what a change does to open connections. */
const changes: readonly Change[] = [
  ["a fixed size restarts", patch({ autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 1 }), ["size"], 1],
  ["an autoscaling maximum restarts", patch({ autoscaling_limit_max_cu: 2 }), ["size"], 1],
  ["the size it has already changes nothing", patch({ autoscaling_limit_max_cu: 0.25 }), [], 0],
  ["autosuspend leaves connections alone", patch({ suspend_timeout_seconds: 60 }), [], 0],
  ["the pooler is not in the table", patch({ pooler_enabled: true }), [], 0],
  ["settings are not in the table", patch({ settings: { pg_settings: { a: "1" } } }), [], 0],
  ["access is not in the table", patch({ passwordless_access: false }), [], 0],
  ["a disabled compute is suspended", patch({ disabled: true }), ["disabled"], 0],
  ["it was enabled already", patch({ disabled: false }), [], 0],
  ["a moved compute is suspended", (bench) => patch({ branch_id: bench.emptyBranch() })(bench), ["move"], 0],
  ["it is on that branch already", (bench) => patch({ branch_id: bench.project.branch.id })(bench), [], 0],
  [
    "one interruption with two causes",
    (bench) => patch({ branch_id: bench.emptyBranch(), autoscaling_limit_max_cu: 2 })(bench),
    ["size", "move"],
    1,
  ],
  ["a restart is asked for", (bench) => bench.send("POST", `${bench.primary}/restart`), ["restart"], 1],
  ["a deleted compute serves nobody", (bench) => bench.send("DELETE", bench.primary), ["delete"], 0],
];

function only(counted: readonly Cause[]): Record<string, number> {
  return Object.fromEntries(causes.map((cause) => [cause, counted.includes(cause) ? 1 : 0]));
}

describe.each(["active", "idle"])("on an %s compute", (state) => {
  it.each(changes)("%s", async (...[, change, counted, restarts]) => {
    const bench = await newBench();
    if (state === "idle") bench.emulator.clock.advance(600_000);
    expect(bench.emulator.endpoint(bench.id).endpoint.current_state).toBe(state);
    await change(bench);
    // An idle one has no connections that anything could drop.
    const isDropped = state === "active" && counted.length > 0;
    expect(bench.emulator.counters(bench.id)).toEqual({
      restarts: state === "active" ? restarts : 0,
      connectionsDropped: isDropped ? 1 : 0,
      interruptions: counted.length > 0 ? 1 : 0,
      droppedBy: only(isDropped ? counted : []),
      causes: only(counted),
    });
  });
});

it.each([
  {
    switches: { settingsRestart: true },
    endpoint: { settings: { pg_settings: { a: "1" } } },
    cause: "settings",
  },
  { switches: { poolerRestart: true }, endpoint: { pooler_enabled: true }, cause: "pooler" },
] as const)("counts $cause as a restart where the switch says so", async ({ switches, endpoint, cause }) => {
  const bench = await newBench({ switches });
  await patch(endpoint)(bench);
  expect(bench.emulator.counters(bench.id)).toMatchObject({
    restarts: 1,
    droppedBy: only([cause]),
  });
});

it("drops connections for a new size that apply_config alone restarts it for", async () => {
  const bench = await newBench({ switches: { restartedBy: "apply_config" } });
  const sized = (cu: number) => ({ autoscaling_limit_min_cu: cu, autoscaling_limit_max_cu: cu });
  expect(await changed(bench, sized(2))).toEqual(["apply_config running"]);
  const counters = { restarts: 1, connectionsDropped: 1, interruptions: 1 };
  expect(bench.emulator.counters(bench.id)).toMatchObject(counters);
  bench.emulator.clock.advance(600_000);
  expect(await changed(bench, sized(4))).toEqual(["apply_config running", "suspend_compute scheduling"]);
  expect(bench.emulator.counters(bench.id)).toMatchObject({ ...counters, interruptions: 2 });
});

it("counts nothing for a change that is refused", async () => {
  const bench = await newBench();
  await patch({ autoscaling_limit_min_cu: 2, autoscaling_limit_max_cu: 1 })(bench);
  await patch({ autoscaling_limit_max_cu: 77 })(bench);
  expect(bench.emulator.counters(bench.id).interruptions).toBe(0);
});
