import type { MiniEngine, Program } from "../../../support/miniEngine";
import { variants, type Variant } from "../../../support/variants";
import { answers, closeBenches, openBench, type Bench, type StateValues } from "./bench";
import { cutOff, killedAfterAnswer } from "./killed";
import { openEngine } from "./stack";

afterEach(closeBenches);

const urnOf = (name: string, stack = "dev"): string =>
  `urn:pulumi:${stack}::app::pulumi-nodejs:dynamic/compute:Endpoint::${name}`;

it.each([
  { type: "read_write", otherType: "read_only" },
  { type: "read_only", otherType: "read_write" },
])(
  "a killed create of $type names no $otherType compute, though it is on the branch since",
  async (types) => {
    const bench = await openBench();
    const declared = bench.declared({ type: types.type });
    bench.emulator.deleteEndpoint(await cutOff(bench, declared));
    const body = { branch_id: bench.branchId, type: types.otherType };
    const other = bench.emulator.createEndpoint(bench.projectId, body).endpoint.id;
    const { failures } = await bench.process().handlers.check({}, { ...declared, __dryRun: true });
    expect(failures).toEqual([]);
    const { id } = await bench.create(declared);
    expect(bench.computes()).toEqual([other, id]);
  },
);

describe("a destroy after a killed create", () => {
  const replica = (bench: Bench, name: string, stack?: string): Record<string, unknown> =>
    bench.declared({ type: "read_only", __urn: urnOf(name, stack) });

  it("names what the create may have made, and leaves it alone", async () => {
    const bench = await openBench();
    const { outs } = await bench.create(replica(bench, "first"));
    const left = await cutOff(bench, replica(bench, "second"));
    await bench.destroy(outs);
    expect(bench.computes()).toEqual([left]);
    expect(bench.said).toEqual([
      `warning: A create of resource "second" got no answer, and ${left} is on its branch since: if a run of this stack made one of them, delete it at the service.`,
    ]);
  });

  it("names what the service has answered, once, and `pulumi up` takes it over as it says", async () => {
    const bench = await openBench();
    const { outs } = await bench.create(replica(bench, "first"));
    const third = await bench.create(replica(bench, "third"));
    const left = (await bench.create(replica(bench, "second"))).id;
    bench.said.length = 0;
    const destroy = bench.process();
    await destroy.delete(outs.endpointId, outs);
    await destroy.delete(third.id, third.outs);
    expect(bench.said.filter((text) => text.includes(left))).toEqual([
      `warning: A run of this stack that did not end created ${left} for resource "second". If this destroy does not delete it and no other stack has it, delete it at the service, or run \`pulumi up\` of the same program, which takes it over, or names the line that does.`,
    ]);
    await expect(bench.create(replica(bench, "second"))).resolves.toMatchObject({ id: left });
  });

  it.each([
    { reason: "nothing was cut off", stack: undefined },
    { reason: "it was another stack's", stack: "prod" },
  ])("names nothing where $reason", async ({ stack }) => {
    const bench = await openBench();
    const { outs } = await bench.create(replica(bench, "first"));
    if (stack !== undefined) await cutOff(bench, replica(bench, "second", stack));
    await bench.destroy(outs);
    expect(bench.said).toEqual([]);
  });

  it("names nothing that was deleted at the service, and nothing where nobody can list", async () => {
    const bench = await openBench();
    const { outs } = await bench.create(replica(bench, "first"));
    const left = await cutOff(bench, replica(bench, "second"));
    bench.spoil("listEndpoints", answers(500, { times: 99 }));
    await bench.destroy(outs);
    bench.emulator.clearFaults();
    bench.emulator.deleteEndpoint(left);
    await bench.destroy(outs);
    expect(bench.said).toEqual([]);
  });
});

describe("a replacement that was killed after its answer, and a program that asks for none any more", () => {
  const replica = (bench: Bench, name = "db", more: object = {}): Record<string, unknown> =>
    bench.declared({ type: "read_only", __urn: urnOf(name), ...more });

  async function reverted(bench: Bench): Promise<{ readonly stored: StateValues; readonly left: string }> {
    const run = bench.process();
    const { outs: stored } = await run.create(replica(bench));
    run.end();
    return { stored, left: await killedAfterAnswer(bench, replica(bench, "db", { regionId: "region-2" })) };
  }

  async function diff(bench: Bench, stored: StateValues, environment?: NodeJS.ProcessEnv): Promise<void> {
    const run = bench.process(environment);
    await run.handlers.check(replica(bench), replica(bench));
    await run.handlers.diff(stored.endpointId, { ...stored }, replica(bench));
  }

  it("names the compute on the row that keeps its own", async () => {
    const bench = await openBench();
    const { stored, left } = await reverted(bench);
    await diff(bench, stored);
    expect(bench.said).toEqual([
      `warning: A run that did not end created compute ${left} for this resource, which keeps ${stored.endpointId}: ${left} is in no state. If nobody needs it, delete it at the service; a change that replaces the compute as that run did takes it over.`,
    ]);
  });

  it("takes it over where the change is made again, as the row says", async () => {
    const bench = await openBench();
    const { stored, left } = await reverted(bench);
    const run = bench.process();
    const next = replica(bench, "db", { regionId: "region-2" });
    await run.handlers.check(replica(bench), next);
    await run.handlers.diff(stored.endpointId, { ...stored }, next);
    await expect(run.create(next)).resolves.toMatchObject({ id: left });
  });

  it("says nothing once it was deleted at the service, or is under another resource", async () => {
    const bench = await openBench();
    const { stored, left } = await reverted(bench);
    const adopting = replica(bench, "other", { adopt: left });
    const run = bench.process();
    await run.handlers.check({}, adopting);
    await run.create(adopting);
    bench.said.length = 0;
    await diff(bench, stored);
    bench.emulator.deleteEndpoint(left);
    await diff(bench, stored);
    expect(bench.said).toEqual([]);
  });

  it("sends no request for it where the service is not asked", async () => {
    const bench = await openBench();
    const { stored } = await reverted(bench);
    bench.takeRoutes();
    await diff(bench, stored, { COMPUTE_LIVE_FACTS: "false" });
    expect(bench.takeRoutes()).toEqual([]);
  });
});

describe.each(variants)(
  "what the user decides after a killed create, with the %s variant",
  (variant: Variant) => {
    const replica = (bench: Bench, more: object = {}): Program => ({
      app: { args: { projectId: bench.projectId, branchId: bench.branchId, type: "read_only", ...more } },
    });

    async function killedBeforeAnswer(bench: Bench): Promise<{ engine: MiniEngine; left: string }> {
      const { emulator } = bench;
      const engine = openEngine(bench, variant);
      emulator.addFault({ kind: "cut", when: "after", route: "createEndpoint" });
      emulator.addFault({ kind: "status", status: 500, after: 1, times: 1_000 });
      await engine.up(replica(bench), { isKilled: true });
      emulator.clearFaults();
      const { failures } = await engine.up(replica(bench));
      expect(failures.map((failure) => (failure as Error).message).join()).toContain(
        "an earlier run of this stack began to create it and did not end, and the branch has",
      );
      return { engine, left: bench.computes()[0] ?? "" };
    }

    it("is to adopt it: it is managed from then on, and a destroy deletes it", async () => {
      const bench = await openBench();
      const { engine, left } = await killedBeforeAnswer(bench);
      const first = await engine.up(replica(bench, { adopt: left }));
      expect(first).toMatchObject({ failures: [], steps: { app: "created" } });
      const second = await engine.up(replica(bench));
      expect(second).toMatchObject({ failures: [], steps: { app: "same" } });
      await engine.destroy();
      expect(bench.computes()).toEqual([]);
    });

    it("is to create another one, by Pulumi's own command", async () => {
      const bench = await openBench();
      const { engine, left } = await killedBeforeAnswer(bench);
      engine.clearPendingCreates();
      await expect(engine.up(replica(bench))).resolves.toMatchObject({ failures: [] });
      await expect(engine.up(replica(bench))).resolves.toMatchObject({ steps: { app: "same" } });
      expect(bench.computes()).toHaveLength(2);
      await engine.destroy();
      expect(bench.computes()).toEqual([left]);
    });

    it("is to give back what was somebody else's, taken for an answer that was lost: it stays, and another one is made", async () => {
      const bench = await openBench();
      const { emulator } = bench;
      const engine = openEngine(bench, variant);
      emulator.addFault({ kind: "cut", route: "createEndpoint" });
      const running = engine.up(replica(bench), { endsProcess: true });
      while (emulator.requests().every(({ route }) => route !== "createEndpoint"))
        await new Promise((resolve) => setImmediate(resolve));
      const body = { branch_id: bench.branchId, type: "read_only" };
      const theirs = emulator.createEndpoint(bench.projectId, body).endpoint.id;
      await expect(running).resolves.toMatchObject({ failures: [] });
      expect(engine.said.join("\n")).toMatch(
        new RegExp(`Compute ${theirs} is on the branch since, .*run \`pulumi state delete\``),
      );
      engine.restore([]);
      await expect(engine.up(replica(bench), { endsProcess: true })).resolves.toMatchObject({ failures: [] });
      expect(bench.computes()).toEqual([theirs, engine.stored("app")?.id]);
      await engine.destroy();
      expect(bench.computes()).toEqual([theirs]);
    });

    it("is to adopt it as the new side of a replacement: the old compute is deleted", async () => {
      const bench = await openBench();
      const { emulator } = bench;
      const engine = openEngine(bench, variant);
      await engine.up(replica(bench, { regionId: "local-1" }), { endsProcess: true });
      const [old] = bench.computes();
      const moved = { regionId: "local-2" };
      emulator.addFault({ kind: "cut", when: "after", route: "createEndpoint" });
      bench.takeRoutes();
      const killed = engine.up(replica(bench, moved), { isKilled: true });
      while (emulator.requests().every(({ route }) => route !== "createEndpoint"))
        await new Promise((resolve) => setImmediate(resolve));
      emulator.addFault({ kind: "status", status: 500, times: 1_000 });
      await killed;
      emulator.clearFaults();
      const stopped = await engine.up(replica(bench, moved));
      const left = bench.computes().find((id) => id !== old) ?? "none";
      expect(stopped.failures.map((failure) => (failure as Error).message).join()).toContain(
        `adopt: "${left}"`,
      );
      const decided = await engine.up(replica(bench, { ...moved, adopt: left }));
      expect(decided).toMatchObject({ failures: [], steps: { app: "replaced" } });
      expect(bench.computes()).toEqual([left]);
      await expect(engine.up(replica(bench, moved))).resolves.toMatchObject({ steps: { app: "same" } });
    });
  },
);
