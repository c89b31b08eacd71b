/** A compute's life as seen from outside (interface 3 and 4); test/unit/provider/truth.test.ts tests what each change does. */
import { changed, closeBenches, fixedAt, newBench, stateOf } from "./support";

afterEach(closeBenches);

it.each(["active", "idle"])("a change with two causes interrupts an %s compute only once", async (state) => {
  const bench = await newBench();
  if (state === "idle") bench.emulator.clock.advance(600_000);
  await changed(bench, { ...fixedAt(2), branch_id: bench.emptyBranch() });
  // An idle compute has no connections to drop.
  const dropped = state === "active" ? 1 : 0;
  expect(bench.emulator.counters(bench.id)).toMatchObject({
    restarts: dropped,
    connectionsDropped: dropped,
    interruptions: 1,
    droppedBy: { size: dropped, move: dropped, restart: 0 },
    causes: { size: 1, move: 1, restart: 0 },
  });
});

it.each([
  { idlePatch: "wakes", operations: ["apply_config running", "suspend_compute scheduling"] },
  { idlePatch: "sleeps", operations: ["apply_config running"] },
] as const)("an idle compute is idle again after a change, with idlePatch $idlePatch", async (row) => {
  const bench = await newBench({ switches: { idlePatch: row.idlePatch } });
  bench.emulator.suspendEndpoint(bench.id);
  bench.emulator.clock.advance(1000);
  expect(await changed(bench, fixedAt(2))).toEqual(row.operations);
  bench.emulator.clock.advance(5000);
  expect(stateOf(bench)).toBe("idle");
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

it("a new project has a primary on its default branch, and a new branch has one unless it is created with `compute: false`", async () => {
  const { emulator } = await newBench();
  const { project, branch, endpoint, operations } = emulator.createProject({ name: "second" });
  expect(project.default_branch_id).toBe(branch.id);
  expect(endpoint).toMatchObject({ type: "read_write", branch_id: branch.id, current_state: "init" });
  expect(operations.map(({ action }) => action)).toEqual(["create_timeline", "start_compute"]);
  expect(operations[0]).not.toHaveProperty("endpoint_id");
  expect(emulator.createBranch(project.id).endpoint).toMatchObject({ type: "read_write" });
  expect(emulator.createBranch(project.id, { compute: false })).not.toHaveProperty("endpoint");
});

it.each([
  { seconds: 0, lastsMs: 300_000, reason: "is suspended after five minutes, the service's default" },
  { seconds: 60, lastsMs: 60_000, reason: "is suspended after this time" },
  { seconds: -1, lastsMs: 365 * 86_400_000, reason: "is never suspended" },
])("an idle compute with a suspend timeout of $seconds s $reason", async ({ seconds, lastsMs }) => {
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
