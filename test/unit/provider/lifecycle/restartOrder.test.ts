import type { Declared, MiniEngine, Program } from "../../../support/miniEngine";
import { answers, created, openBench, size, type Bench } from "./bench";
import { openEngine } from "./stack";

const names = ["primary", "one", "two", "three"] as const;

async function openBranch(
  options: Parameters<typeof openBench>[0] = {},
  computes: readonly string[] = names,
): Promise<{ bench: Bench; engine: MiniEngine; program: (cu: number) => Program }> {
  const bench = await openBench(options);
  const elsewhere = { branch_id: bench.defaultBranchId, type: "read_only" };
  for (let count = 0; count < names.length; count++) bench.madeByOthers(elsewhere);
  const engine = openEngine(bench, "dynamic");
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
  it("restarts its replicas one after the other, and its primary last", async () => {
    const { bench, engine, program } = await openBranch();
    const { failures } = await engine.up(program(2));
    expect(failures).toEqual([]);
    expect(sent(bench, engine).at(-1)).toBe("primary");
    const [first] = sent(bench, engine);
    const whom = `compute ${engine.stored(first ?? "")?.id ?? ""} of its branch`;
    expect(engine.shown.join("\n")).toContain(
      `waiting for ${whom}: half of its replicas keep running, and the primary is last`,
    );
    expect([...sent(bench, engine)].sort()).toEqual([...names].sort());
    expect(overlaps(bench)).toBe(0);
  });

  it("is kept to by restarts of its computes too", async () => {
    const { bench, engine, program } = await openBranch();
    const restartOf = (name: string): Declared => ({
      kind: "EndpointRestart",
      args: { projectId: bench.projectId, endpointId: { $of: `${name}.endpointId` }, triggers: { day: 1 } },
    });
    const restarts = Object.fromEntries(names.map((name) => [`${name}-weekly`, restartOf(name)]));
    const { failures } = await engine.up({ ...program(1), ...restarts });
    expect(failures).toEqual([]);
    expect(sent(bench, engine)).toHaveLength(names.length);
    expect(sent(bench, engine).at(-1)).toBe("primary");
    expect(overlaps(bench, "suspend_compute")).toBe(0);
  });

  it("keeps half of many replicas running: thirty are done in two waves", async () => {
    const replicas = Array.from({ length: 30 }, (_, index) => `replica${index}`);
    const { bench, engine, program } = await openBranch({}, ["primary", ...replicas]);
    const { failures } = await engine.up(program(2));
    expect(failures).toEqual([]);
    const begun = bench.emulator
      .operations(bench.projectId)
      .filter(({ action }) => action === "apply_config")
      .map(({ created_at }) => created_at);
    const waves = [...new Set(begun)].map((at) => begun.filter((other) => other === at).length);
    expect(waves.reverse()).toEqual([15, 15, 1]);
  });

  it("does so in a project that takes one operation at a time", async () => {
    const { bench, engine, program } = await openBranch({ switches: { lock: "project" } });
    const { failures } = await engine.up(program(2));
    expect(failures).toEqual([]);
    expect(sent(bench, engine).at(-1)).toBe("primary");
  });

  it("goes on past a compute whose change is refused", async () => {
    const { bench, engine, program } = await openBranch();
    bench.spoil("updateEndpoint", answers(400));
    const { failures } = await engine.up(program(2));
    expect(failures).toHaveLength(1);
    expect(sent(bench, engine)).toHaveLength(names.length);
    expect(sent(bench, engine).at(-1)).toBe("primary");
  });

  it("keeps changes that interrupt nothing side by side", async () => {
    const { bench, engine, program } = await openBranch();
    const harmless = Object.fromEntries(
      Object.entries(program(1)).map(([name, { args }]) => [
        name,
        { args: { ...args, suspendTimeoutSeconds: 900 } },
      ]),
    );
    const before = bench.clock.monotonicMs();
    await engine.up(harmless);
    expect(bench.clock.monotonicMs() - before).toBeLessThan(3_500);
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
