import { messageOf } from "../../../../provider/pure/errors";
import type { MiniEngine, Program } from "../../../support/miniEngine";
import { variants, type Variant } from "../../../support/variants";
import { answers, lost, urnOf, type StateValues } from "./bench";
import { bench } from "./eachTest";
import { cutOff, killedAfterAnswer } from "./killed";
import { openEngine } from "./stack";

it.each([
  { type: "read_write", otherType: "read_only" },
  { type: "read_only", otherType: "read_write" },
])(
  "a killed create of $type names no $otherType compute, though it is on the branch since",
  async (types) => {
    const declared = bench.declared({ type: types.type });
    bench.emulator.deleteEndpoint(await cutOff(bench, declared));
    const other = bench.madeByOthers({ type: types.otherType });
    await expect(bench.preview(declared)).resolves.toEqual([]);
    const { id } = await bench.create(declared);
    expect(bench.computes()).toEqual([other, id]);
  },
);

describe("a destroy after a killed create", () => {
  it("names what the create may have made, and leaves it alone", async () => {
    const { outs } = await bench.create(bench.replica("first"));
    const left = await cutOff(bench, bench.replica("second"));
    await bench.destroy(outs);
    expect(bench.computes()).toEqual([left]);
    expect(bench.said).toEqual([
      `warning: A create of resource "second" got no answer, and ${left} is on its branch since: if a run of this stack made one of them, delete it at the service.`,
    ]);
  });

  it("names what the service has answered, once, and `pulumi up` takes it over as it says", async () => {
    const { outs } = await bench.create(bench.replica("first"));
    const third = await bench.create(bench.replica("third"));
    const left = (await bench.create(bench.replica("second"))).id;
    bench.madeByOthers({ type: "read_only" });
    bench.said.length = 0;
    const destroy = bench.process();
    await destroy.delete(outs.endpointId, outs);
    await destroy.delete(third.id, third.outs);
    expect(bench.said.filter((text) => text.includes(left))).toEqual([
      `warning: A run of this stack that did not end created ${left} for resource "second". If this destroy does not delete it and no other stack has it, delete it at the service, or run \`pulumi up\` of the same program, which takes it over, or names the line that does.`,
    ]);
    await expect(bench.create(bench.replica("second"))).resolves.toMatchObject({ id: left });
  });

  it.each([
    { reason: "nothing was cut off", stack: undefined },
    { reason: "it was another stack's", stack: "prod" },
  ])("names nothing where $reason", async ({ stack }) => {
    const { outs } = await bench.create(bench.replica("first"));
    if (stack !== undefined) await cutOff(bench, bench.replica("second", { __urn: urnOf("second", stack) }));
    await bench.destroy(outs);
    expect(bench.said).toEqual([]);
  });

  it("names nothing that was deleted at the service, and nothing where nobody can list", async () => {
    const { outs } = await bench.create(bench.replica("first"));
    const left = await cutOff(bench, bench.replica("second"));
    const unreadable = { kind: "wrongShape", body: { endpoints: [{ id: "ep-odd" }] }, times: 99 } as const;
    for (const fault of [answers(500, { times: 99 }), unreadable]) {
      bench.spoil("listEndpoints", fault);
      await bench.destroy(outs);
      bench.emulator.clearFaults();
    }
    bench.emulator.deleteEndpoint(left);
    await bench.destroy(outs);
    expect(bench.said).toEqual([]);
  });
});

describe("a replacement that was killed after its answer, and a program that asks for none any more", () => {
  async function reverted(): Promise<{ readonly stored: StateValues; readonly left: string }> {
    const run = bench.process();
    const { outs: stored } = await run.create(bench.replica());
    run.end();
    return { stored, left: await killedAfterAnswer(bench, bench.replica("db", { regionId: "region-2" })) };
  }

  async function diff(stored: StateValues, environment?: NodeJS.ProcessEnv): Promise<void> {
    const run = bench.process(environment);
    await run.handlers.check(bench.replica(), bench.replica());
    await run.handlers.diff(stored.endpointId, { ...stored }, bench.replica());
  }

  it("names the compute on the row that keeps its own", async () => {
    const { stored, left } = await reverted();
    await diff(stored);
    expect(bench.said).toEqual([
      `warning: A run that did not end created compute ${left} for this resource, which keeps ${stored.endpointId}: ${left} is in no state. If nobody needs it, delete it at the service; a change that replaces the compute as that run did takes it over.`,
    ]);
  });

  it("takes it over where the change is made again, as the row says", async () => {
    const { stored, left } = await reverted();
    const run = bench.process();
    const next = bench.replica("db", { regionId: "region-2" });
    await run.handlers.check(bench.replica(), next);
    await run.handlers.diff(stored.endpointId, { ...stored }, next);
    await expect(run.create(next)).resolves.toMatchObject({ id: left });
  });

  it("says nothing once it was deleted at the service, or is under another resource", async () => {
    const { stored, left } = await reverted();
    await bench.up(bench.replica("other", { adopt: left }));
    bench.said.length = 0;
    await diff(stored);
    bench.emulator.deleteEndpoint(left);
    await diff(stored);
    expect(bench.said).toEqual([]);
  });

  it("sends no request for it where the service is not asked", async () => {
    const { stored } = await reverted();
    bench.takeRoutes();
    await diff(stored, { COMPUTE_LIVE_FACTS: "false" });
    expect(bench.takeRoutes()).toEqual([]);
  });
});

describe.each(variants)(
  "what the user decides after a killed create, with the %s variant",
  (variant: Variant) => {
    const replica = (more: object = {}): Program => ({
      app: { args: { projectId: bench.projectId, branchId: bench.branchId, type: "read_only", ...more } },
    });

    async function killedBeforeAnswer(): Promise<{ engine: MiniEngine; left: string }> {
      const engine = openEngine(bench, variant);
      bench.spoil("createEndpoint", lost);
      bench.emulator.addFault(answers(500, { after: 1, times: 1_000 }));
      await engine.up(replica(), { isKilled: true });
      bench.emulator.clearFaults();
      const { failures } = await engine.up(replica());
      expect(failures.map(messageOf).join()).toContain(
        "an earlier run of this stack began to create it and did not end, and the branch has",
      );
      return { engine, left: bench.computes()[0] ?? "" };
    }

    it("is to adopt it: it is managed from then on, and a destroy deletes it", async () => {
      const { engine, left } = await killedBeforeAnswer();
      const first = await engine.up(replica({ adopt: left }));
      expect(first).toMatchObject({ failures: [], steps: { app: "created" } });
      const second = await engine.up(replica());
      expect(second).toMatchObject({ failures: [], steps: { app: "same" } });
      await engine.destroy();
      expect(bench.computes()).toEqual([]);
    });

    it("is to create another one, by Pulumi's own command", async () => {
      const { engine, left } = await killedBeforeAnswer();
      engine.clearPendingCreates();
      await expect(engine.up(replica())).resolves.toMatchObject({ failures: [] });
      await expect(engine.up(replica())).resolves.toMatchObject({ steps: { app: "same" } });
      expect(bench.computes()).toHaveLength(2);
      await engine.destroy();
      expect(bench.computes()).toEqual([left]);
    });

    it("is to give back what was somebody else's, taken for an answer that was lost: it stays, and another one is made", async () => {
      const engine = openEngine(bench, variant);
      bench.spoil("createEndpoint", { kind: "cut" });
      const running = engine.up(replica(), { endsProcess: true });
      await bench.untilSent("createEndpoint");
      const theirs = bench.madeByOthers({ type: "read_only" });
      await expect(running).resolves.toMatchObject({ failures: [] });
      expect(engine.said.join("\n")).toMatch(
        new RegExp(`Compute ${theirs} is on the branch since, .*run \`pulumi state delete\``),
      );
      engine.restore([]);
      await expect(engine.up(replica(), { endsProcess: true })).resolves.toMatchObject({ failures: [] });
      expect(bench.computes()).toEqual([theirs, engine.stored("app")?.id]);
      await engine.destroy();
      expect(bench.computes()).toEqual([theirs]);
    });

    it("is to adopt it as the new side of a replacement: the old compute is deleted", async () => {
      const engine = openEngine(bench, variant);
      await engine.up(replica({ regionId: "local-1" }), { endsProcess: true });
      const [old] = bench.computes();
      const moved = { regionId: "local-2" };
      bench.spoil("createEndpoint", lost);
      bench.takeRoutes();
      const killed = engine.up(replica(moved), { isKilled: true });
      await bench.untilSent("createEndpoint");
      bench.emulator.addFault(answers(500, { times: 1_000 }));
      await killed;
      bench.emulator.clearFaults();
      const stopped = await engine.up(replica(moved));
      const left = bench.computes().find((id) => id !== old) ?? "none";
      expect(stopped.failures.map(messageOf).join()).toContain(`adopt: "${left}"`);
      const decided = await engine.up(replica({ ...moved, adopt: left }));
      expect(decided).toMatchObject({ failures: [], steps: { app: "replaced" } });
      expect(bench.computes()).toEqual([left]);
      await expect(engine.up(replica(moved))).resolves.toMatchObject({ steps: { app: "same" } });
    });
  },
);
