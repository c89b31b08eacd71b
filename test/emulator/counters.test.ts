import { causes } from "../../emulator/model/counters";
import type { Cause } from "../../emulator/model/counters";
import { changed, closeBenches, newBench } from "./support";
import type { Bench } from "./support";

afterEach(closeBenches);

interface Change {
  readonly change: (bench: Bench) => Promise<unknown>;
  readonly counted: readonly Cause[];
  readonly restarts: number;
  readonly reason: string;
}

const patch =
  (endpoint: object) =>
  (bench: Bench): Promise<unknown> =>
    bench.send("PATCH", `${bench.at}/endpoints/${bench.project.endpoint.id}`, endpoint);

/** Interface 3.1: what a change does to open connections. */
const changes: readonly Change[] = [
  {
    change: patch({ autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 1 }),
    counted: ["size"],
    restarts: 1,
    reason: "a fixed size restarts",
  },
  {
    change: patch({ autoscaling_limit_max_cu: 2 }),
    counted: ["size"],
    restarts: 1,
    reason: "an autoscaling maximum restarts",
  },
  {
    change: patch({ autoscaling_limit_max_cu: 0.25 }),
    counted: [],
    restarts: 0,
    reason: "the size it has already changes nothing",
  },
  {
    change: patch({ suspend_timeout_seconds: 60 }),
    counted: [],
    restarts: 0,
    reason: "autosuspend leaves connections alone",
  },
  {
    change: patch({ pooler_enabled: true }),
    counted: [],
    restarts: 0,
    reason: "the pooler is not in the table",
  },
  {
    change: patch({ settings: { pg_settings: { a: "1" } } }),
    counted: [],
    restarts: 0,
    reason: "settings are not in the table",
  },
  {
    change: patch({ passwordless_access: false }),
    counted: [],
    restarts: 0,
    reason: "access is not in the table",
  },
  {
    change: patch({ disabled: true }),
    counted: ["disabled"],
    restarts: 0,
    reason: "a disabled compute is suspended",
  },
  { change: patch({ disabled: false }), counted: [], restarts: 0, reason: "it was enabled already" },
  {
    change: (bench) => patch({ branch_id: bench.emptyBranch() })(bench),
    counted: ["move"],
    restarts: 0,
    reason: "a moved compute is suspended",
  },
  {
    change: (bench) => patch({ branch_id: bench.project.branch.id })(bench),
    counted: [],
    restarts: 0,
    reason: "it is on that branch already",
  },
  {
    change: (bench) => patch({ branch_id: bench.emptyBranch(), autoscaling_limit_max_cu: 2 })(bench),
    counted: ["size", "move"],
    restarts: 1,
    reason: "one interruption with two causes",
  },
  {
    change: (bench) => bench.send("POST", `${bench.at}/endpoints/${bench.project.endpoint.id}/restart`),
    counted: ["restart"],
    restarts: 1,
    reason: "a restart is asked for",
  },
  {
    change: (bench) => bench.send("DELETE", `${bench.at}/endpoints/${bench.project.endpoint.id}`),
    counted: ["delete"],
    restarts: 0,
    reason: "a deleted compute serves nobody",
  },
];

function only(counted: readonly Cause[]): Record<string, number> {
  return Object.fromEntries(causes.map((cause) => [cause, counted.includes(cause) ? 1 : 0]));
}

describe("on an active compute", () => {
  it.each(changes)("counts $counted: $reason", async ({ change, counted, restarts }) => {
    const bench = await newBench();
    await change(bench);
    const happened = counted.length > 0 ? 1 : 0;
    expect(bench.emulator.counters(bench.project.endpoint.id)).toEqual({
      restarts,
      connectionsDropped: happened,
      interruptions: happened,
      droppedBy: only(counted),
      causes: only(counted),
    });
  });
});

describe("on an idle compute", () => {
  it.each(changes)(
    "drops nothing, and counts what would have been $counted: $reason",
    async ({ change, counted }) => {
      const bench = await newBench();
      bench.emulator.clock.advance(600_000);
      expect(bench.emulator.endpoint(bench.project.endpoint.id).endpoint.current_state).toBe("idle");
      await change(bench);
      expect(bench.emulator.counters(bench.project.endpoint.id)).toEqual({
        restarts: 0,
        connectionsDropped: 0,
        interruptions: counted.length > 0 ? 1 : 0,
        droppedBy: only([]),
        causes: only(counted),
      });
    },
  );
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
  expect(bench.emulator.counters(bench.project.endpoint.id)).toMatchObject({
    restarts: 1,
    droppedBy: only([cause]),
  });
});

it("drops connections for a new size that apply_config alone restarts it for", async () => {
  const bench = await newBench({ switches: { restartedBy: "apply_config" } });
  const sized = (cu: number) => ({ autoscaling_limit_min_cu: cu, autoscaling_limit_max_cu: cu });
  expect(await changed(bench, sized(2))).toEqual(["apply_config running"]);
  const counters = { restarts: 1, connectionsDropped: 1, interruptions: 1 };
  expect(bench.emulator.counters(bench.project.endpoint.id)).toMatchObject(counters);
  bench.emulator.clock.advance(600_000);
  expect(await changed(bench, sized(4))).toEqual(["apply_config running", "suspend_compute scheduling"]);
  expect(bench.emulator.counters(bench.project.endpoint.id)).toMatchObject({ ...counters, interruptions: 2 });
});

it("counts nothing for a change that is refused", async () => {
  const bench = await newBench();
  await patch({ autoscaling_limit_min_cu: 2, autoscaling_limit_max_cu: 1 })(bench);
  await patch({ autoscaling_limit_max_cu: 77 })(bench);
  expect(bench.emulator.counters(bench.project.endpoint.id).interruptions).toBe(0);
});
