import { messageOf } from "../../../../provider/model/errors";
import type { MiniEngine, Program } from "../../../support/miniEngine";
import type { Values } from "../../../support/providerHandlers";
import { variants, type Variant } from "../../../support/variants";
import { created, openBench, size, type Bench } from "./bench";
import { openEngine } from "./stack";

const names = ["primary", "one", "two", "three"] as const;

async function openBranch(
  options: Parameters<typeof openBench>[0] = {},
  computes: readonly string[] = names,
  variant: Variant = "dynamic",
): Promise<{ bench: Bench; engine: MiniEngine; program: (cu: number) => Program }> {
  const bench = await openBench(options);
  const elsewhere = { branch_id: bench.defaultBranchId, type: "read_only" };
  for (let count = 0; count < names.length; count++) bench.madeByOthers(elsewhere);
  const engine = openEngine(bench, variant);
  const place = { projectId: bench.projectId, branchId: bench.branchId };
  const program = (cu: number): Program =>
    Object.fromEntries(
      computes.map((name) => [
        name,
        {
          args: { ...place, type: name === "primary" ? "read_write" : "read_only", ...size(cu) },
        },
      ]),
    );
  await engine.up(program(1));
  bench.emulator.clearRequests();
  return { bench, engine, program };
}

/** The program with these arguments in each of its computes. */
function withArguments(program: Program, more: Values): Program {
  return Object.fromEntries(
    Object.entries(program).map(([name, { args }]) => [name, { args: { ...args, ...more } }]),
  );
}

/** Names in the order in which their changes were sent, with when: in seconds of the service's own time. */
function sent(bench: Bench, engine: MiniEngine): readonly string[] {
  const nameOf = new Map(names.map((name) => [engine.stored(name)?.id, name]));
  return bench.emulator
    .requests()
    .filter(({ route }) => route === "updateEndpoint" || route === "restartEndpoint")
    .map(({ path }) => nameOf.get(/ep-[^/]+/.exec(path)?.[0]) ?? "?");
}

/** Interruptions never overlap: between two changes the operations of the first have ended. */
function overlaps(bench: Bench, of = "apply_config"): number {
  const spans = bench.emulator
    .operations(bench.projectId)
    .filter(({ action, endpoint_id }) => action === of && endpoint_id !== bench.defaultPrimaryId)
    .map(({ created_at, updated_at }) => [Date.parse(created_at), Date.parse(updated_at)] as const)
    .sort(([a], [b]) => a - b);
  return spans.filter(([from], index) => index > 0 && from < (spans[index - 1]?.[1] ?? 0)).length;
}

describe("a change of size on a whole branch", () => {
  it("is kept to by restarts of its computes too", async () => {
    const { bench, engine, program } = await openBranch();
    const { failures } = await engine.up(withArguments(program(1), { restartTriggers: { day: 1 } }));
    expect(failures).toEqual([]);
    expect(sent(bench, engine)).toHaveLength(names.length);
    expect(sent(bench, engine).at(-1)).toBe("primary");
    expect(overlaps(bench, "suspend_compute")).toBe(0);
  });
});

describe.each(variants)("a compute that does not come back, with the %s variant", (variant) => {
  const switches = { settingsRestart: true };
  const fatal = { settings: { pgSettings: { shared_buffers: "400GB" } } };
  const rowsOf = (failed: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> =>
    Object.fromEntries(Object.entries(failed).map(([name, error]) => [name, messageOf(error)]));

  it.each<[what: string, timeline: object, args: Values]>([
    ["its operation fails", { action: "start_compute", endStatus: "failed" }, fatal],
    ["its restart fails", { action: "start_compute", endStatus: "failed" }, { restartTriggers: { day: 1 } }],
    [
      "its operation does not end in time",
      { action: "start_compute", schedulingMs: 9_000_000 },
      { ...fatal, timeouts: { update: 60 } },
    ],
  ])("stops those after it, whose rows name it: %s", async (...[, timeline, args]) => {
    const { bench, engine, program } = await openBranch({ switches }, names, variant);
    bench.emulator.setTimeline({ ...timeline, times: 1 });
    const { failed } = await engine.up(withArguments(program(1), args));
    const [first = "", ...others] = sent(bench, engine);
    expect(others).toEqual([]);
    expect(first).not.toBe("primary");
    const { [first]: own, ...stopped } = rowsOf(failed);
    expect(own).toMatch(/start_compute/);
    expect(Object.keys(stopped).sort()).toEqual(names.filter((name) => name !== first).sort());
    const id = engine.stored(first)?.id ?? "";
    for (const row of Object.values(stopped))
      expect(row).toContain(`nothing was sent, because ${first} (${id}) of the same branch`);
  });

  it("stops them in the next run too while it is down, and they go on once it runs", async () => {
    const { bench, engine, program } = await openBranch({ switches }, names, variant);
    const changed = withArguments(program(1), fatal);
    bench.emulator.setTimeline({ action: "start_compute", endStatus: "failed", times: 1 });
    await engine.up(changed);
    const [first = ""] = sent(bench, engine);
    bench.emulator.suspendEndpoint(engine.stored(first)?.id ?? "");
    bench.clock.advance(10_000);
    bench.emulator.clearRequests();
    const again = await engine.up(changed);
    expect(Object.keys(again.failed).sort()).toEqual([...names].sort());
    expect(sent(bench, engine)).toEqual([]);
    bench.emulator.connect(engine.stored(first)?.id ?? "");
    bench.clock.advance(10_000);
    const { failures } = await engine.up(changed);
    expect(failures).toEqual([]);
    expect(sent(bench, engine).at(-1)).toBe("primary");
    expect(sent(bench, engine)).toHaveLength(names.length - 1);
  });

  it("lets them be where its earlier value is put back, which it gets alone", async () => {
    const { bench, engine, program } = await openBranch({ switches }, names, variant);
    const before = withArguments(program(1), { settings: { pgSettings: { shared_buffers: "128MB" } } });
    await engine.up(before);
    bench.emulator.setTimeline({ action: "start_compute", endStatus: "failed", times: 1 });
    bench.emulator.clearRequests();
    await engine.up(withArguments(program(1), fatal));
    const back = await engine.up(before);
    expect(back.failures).toEqual([]);
    const [first, second, ...others] = sent(bench, engine);
    expect([second, others]).toEqual([first, []]);
  });

  it("leaves computes of other branches alone, and changes that interrupt nothing", async () => {
    const { bench, engine, program } = await openBranch({ switches }, ["one", "two"], variant);
    const { projectId } = bench;
    const elsewhere = { projectId, branchId: bench.emptyBranch(), ...size(1) };
    const both = { ...program(1), other: { args: elsewhere } };
    await engine.up(both);
    bench.emulator.setTimeline({ action: "start_compute", endStatus: "failed", times: 1 });
    const { one, two } = withArguments(program(1), fatal);
    const first = await engine.up({
      one: one!,
      two: { args: { ...two!.args, settings: undefined, suspendTimeoutSeconds: 900 } },
      other: { args: { ...elsewhere, suspendTimeoutSeconds: 900, restartTriggers: { day: 1 } } },
    });
    expect(Object.keys(first.failed)).toHaveLength(1);
    expect(first.steps).toMatchObject({ two: "updated" });
  });
});

describe("an update that waits for what is planned and has not begun", () => {
  it("says so of a primary: it waits for the replicas of its branch, but not for long", async () => {
    const bench = await openBench();
    const primary = await created(bench);
    const replica = bench.declared({ ...size(1), type: "read_only", __urn: "urn:replica" });
    const { id, outs } = await bench.create(replica);
    const run = bench.process();
    const grown = { ...replica, ...size(2) };
    await run.handlers.check({ ...replica }, { ...grown });
    await run.handlers.diff(id, { ...outs }, grown);
    await expect(run.update(primary, bench.declared(size(2)))).resolves.toMatchObject(size(2));
    expect(bench.progress).toContain(
      "waiting for replicas of its branch: half of its replicas keep running, and the primary is last",
    );
  });
});
