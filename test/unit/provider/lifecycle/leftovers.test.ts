import { closeBenches, cutOff, failureOf, openBench, type Bench, type StateValues } from "./bench";

afterEach(closeBenches);

const urnOf = (name: string, stack = "dev"): string =>
  `urn:pulumi:${stack}::app::pulumi-nodejs:dynamic/compute:Endpoint::${name}`;

const replica = (bench: Bench, name = "db", more: object = {}): Record<string, unknown> =>
  bench.declared({ type: "read_only", __urn: urnOf(name), ...more });

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

describe("a replica that a killed run left behind, where the journal is lost", () => {
  it("is never doubled in silence: the row names it, with its age and the line that takes it over", async () => {
    const bench = await openBench();
    const left = await cutOff(bench, replica(bench));
    bench.loseJournal();
    bench.clock.advance(40 * minuteMs);
    const { id } = await bench.process().create(replica(bench));
    expect(bench.computes()).toEqual([left, id]);
    expect(bench.said).toHaveLength(1);
    expect(bench.said[0]).toMatch(
      new RegExp(
        `^warning: Compute ${left} is a replica of branch ${bench.branchId} too, made 4[01] min ago, and no resource of this run is known to hold it\\. If nobody needs it, delete it at the service; to manage it as well, declare another Endpoint with the line adopt: "${left}"\\.$`,
      ),
    );
  });

  it("is named in the preview already, before there are two", async () => {
    const bench = await openBench();
    const left = await cutOff(bench, replica(bench));
    bench.loseJournal();
    await bench.process().handlers.check({}, replica(bench, "db", { __dryRun: true }));
    expect(bench.said).toHaveLength(1);
    expect(bench.said[0]).toMatch(
      new RegExp(
        `a killed run may have left it behind\\. To take it over in place of a new one, add the line adopt: "${left}"; if nobody needs it, delete it`,
      ),
    );
    expect(bench.takeRoutes()).toEqual(["listEndpoints"]);
  });

  it.each([
    { others: 4, sentences: 4, ids: 4 },
    { others: 5, sentences: 4, ids: 5 },
    { others: 40, sentences: 4, ids: 23 },
  ])("is one of $others in $sentences sentences: a row has room for no more", async (row) => {
    const bench = await openBench();
    const made = Array.from({ length: row.others }, (_, index) =>
      bench.process().create(replica(bench, `r${index}`, { __urn: urnOf(`r${index}`, "other") })),
    );
    const ids = (await Promise.all(made)).map(({ id }) => id);
    bench.loseJournal();
    bench.said.splice(0);
    await bench.process().handlers.check({}, replica(bench, "db", { __dryRun: true }));
    await bench.process().create(replica(bench));
    expect(bench.said).toHaveLength(2 * row.sentences);
    for (const said of [bench.said.slice(0, row.sentences), bench.said.slice(row.sentences)]) {
      const text = said.join("\n");
      expect(ids.filter((id) => text.includes(id))).toHaveLength(row.ids);
      if (row.others > row.sentences) expect(text).toContain(`The same goes for ${row.others - 3} others: `);
      expect(text.includes(", and 17 that the service lists.")).toBe(row.others === 40);
    }
  });

  it("becomes the resource's own with the line that the row names", async () => {
    const bench = await openBench();
    const left = await cutOff(bench, replica(bench));
    bench.loseJournal();
    const adopting = replica(bench, "db", { adopt: left });
    const run = bench.process();
    await run.handlers.check({}, { ...adopting, __dryRun: true });
    await expect(run.create(adopting)).resolves.toMatchObject({ id: left });
    expect(bench.computes()).toEqual([left]);
    expect(bench.said).toEqual([]);
  });

  it("is managed beside the new one by another resource, as the row says", async () => {
    const bench = await openBench();
    const left = await cutOff(bench, replica(bench));
    bench.loseJournal();
    const { id } = await bench.process().create(replica(bench));
    const other = replica(bench, "other", { adopt: left });
    const run = bench.process();
    expect((await run.handlers.check({}, { ...other, __dryRun: true })).failures).toEqual([]);
    await expect(run.create(other)).resolves.toMatchObject({ id: left });
    expect(bench.computes()).toEqual([left, id]);
  });

  it.each([
    {
      reason: "another resource of the run holds it",
      prepare: async (bench: Bench) => {
        const { outs } = await bench.process().create(replica(bench, "held"));
        bench.loseJournal();
        const run = bench.process();
        await run.handlers.check({ ...replica(bench, "held") }, replica(bench, "held"));
        await run.handlers.diff(outs.endpointId, { ...outs }, replica(bench, "held"));
        return run;
      },
    },
    {
      reason: "the same run has just made it",
      prepare: async (bench: Bench) => {
        const run = bench.process();
        await run.create(replica(bench, "held"));
        return run;
      },
    },
    {
      reason: "the journal has it as another resource's",
      prepare: async (bench: Bench) => {
        await bench.process().create(replica(bench, "held", { __urn: urnOf("held", "prod") }));
        return bench.process();
      },
    },
    {
      reason: "it is older than a day",
      prepare: async (bench: Bench) => {
        await cutOff(bench, replica(bench));
        bench.loseJournal();
        bench.clock.advance(25 * hourMs);
        return bench.process();
      },
    },
    {
      reason: "it is of another branch",
      prepare: async (bench: Bench) => {
        await cutOff(bench, replica(bench, "db", { branchId: bench.emptyBranch() }));
        bench.loseJournal();
        return bench.process();
      },
    },
    {
      reason: "it is the branch's primary",
      prepare: async (bench: Bench) => {
        await bench.process().create(bench.declared());
        bench.loseJournal();
        return bench.process();
      },
    },
  ])("is not seen in a replica where $reason", async ({ prepare }) => {
    const bench = await openBench();
    const run = await prepare(bench);
    bench.said.length = 0;
    await run.create(replica(bench));
    expect(bench.said).toEqual([]);
  });

  it("holds up no preview where the service is not asked", async () => {
    const bench = await openBench();
    await cutOff(bench, replica(bench));
    bench.loseJournal();
    const run = bench.process({ COMPUTE_LIVE_FACTS: "false" });
    await run.handlers.check({}, replica(bench, "db", { __dryRun: true }));
    expect(bench.said).toEqual([]);
    expect(bench.takeRoutes()).toEqual([]);
  });

  it("does not fail a create that went well where the look for it fails", async () => {
    const bench = await openBench();
    bench.emulator.addFault({ kind: "status", status: 500, route: "listEndpoints", after: 2, times: 9 });
    const { id } = await bench.process().create(replica(bench));
    expect(bench.computes()).toEqual([id]);
    expect(bench.emulator.faultsLeft()).not.toHaveLength(0);
  });
});

describe("a destroy after a killed create", () => {
  async function stored(bench: Bench, name: string): Promise<StateValues> {
    return (await bench.process().create(replica(bench, name))).outs;
  }

  it("names what the create may have made, and leaves it alone", async () => {
    const bench = await openBench();
    const first = await stored(bench, "first");
    const left = await cutOff(bench, replica(bench, "second"));
    await bench.process().delete(first.endpointId, first);
    expect(bench.computes()).toEqual([left]);
    expect(bench.said).toHaveLength(1);
    expect(bench.said[0]).toMatch(
      new RegExp(
        `^warning: A create of resource "second" was cut off .*: ${left} may be its work, and is not deleted`,
      ),
    );
  });

  it.each([
    { reason: "nothing was cut off", cut: undefined },
    { reason: "it was another stack's", cut: { __urn: urnOf("second", "prod") } },
  ])("names nothing where $reason", async ({ cut }) => {
    const bench = await openBench();
    const first = await stored(bench, "first");
    if (cut !== undefined) await cutOff(bench, replica(bench, "second", cut));
    await bench.process().delete(first.endpointId, first);
    expect(bench.said).toEqual([]);
  });

  it("names nothing once the compute has been deleted at the service", async () => {
    const bench = await openBench();
    const first = await stored(bench, "first");
    bench.emulator.deleteEndpoint(await cutOff(bench, replica(bench, "second")));
    await bench.process().delete(first.endpointId, first);
    expect(bench.said).toEqual([]);
  });

  it("speaks of no compute that the same destroy deletes next", async () => {
    const bench = await openBench();
    const run = bench.process();
    const primary = (await run.create(bench.declared({ __urn: urnOf("primary") }))).outs;
    const dependent = (await run.create(replica(bench, "dependent"))).outs;
    const left = await cutOff(bench, replica(bench, "third"));
    const destroy = bench.process();
    await destroy.delete(dependent.endpointId, dependent);
    await destroy.delete(primary.endpointId, primary);
    expect(bench.computes()).toEqual([left]);
    expect(bench.said.join("\n")).not.toContain(primary.endpointId);
    expect(bench.said).toHaveLength(1);
  });

  it("names a compute that the engine was given and killed with, once a later run has not seen it in the state", async () => {
    const bench = await openBench();
    const { id } = await bench.process().create(replica(bench, "killed"));
    const later = bench.process();
    const { outs } = await later.create(replica(bench, "later"));
    bench.said.length = 0;
    later.end();
    await bench.process().delete(outs.endpointId, outs);
    expect(bench.said).toEqual([
      expect.stringMatching(
        new RegExp(`^warning: A killed run of this stack created ${id}\\. What this destroy does not delete`),
      ),
    ]);
    // Its advice.
    const { id: again } = await bench.process().create(replica(bench, "killed"));
    expect(again).toBe(id);
    expect(bench.computes()).toEqual([id]);
  });

  it("speaks of no compute that the journal has as another resource's, though the create may have made it", async () => {
    const bench = await openBench();
    const run = bench.process();
    const first = (await run.create(replica(bench, "first"))).outs;
    const left = await cutOff(bench, replica(bench, "second"));
    const third = (await run.create(replica(bench, "third"))).outs;
    bench.said.length = 0;
    bench.emulator.deleteEndpoint(left);
    await bench.process().delete(first.endpointId, first);
    expect(bench.computes()).toEqual([third.endpointId]);
    expect(bench.said).toEqual([]);
  });

  it("fails for its own reasons alone: nobody can list, and that is all", async () => {
    const bench = await openBench();
    const first = await stored(bench, "first");
    await cutOff(bench, replica(bench, "second"));
    bench.emulator.addFault({ kind: "status", status: 500, route: "listEndpoints", times: 99 });
    await bench.process().delete(first.endpointId, first);
    expect(bench.said).toEqual([]);
  });
});

describe("a create that was cut off within a minute of another team's", () => {
  it("is refused as uncertain, and named with the line that takes one over", async () => {
    const bench = await openBench();
    const left = await cutOff(bench, replica(bench));
    const theirs = bench.emulator.createEndpoint(bench.projectId, {
      branch_id: bench.branchId,
      type: "read_only",
    }).endpoint.id;
    const error = await failureOf(bench.process().create(replica(bench)));
    expect(error.message).toMatch(new RegExp(`${left}.*${theirs}.*not certain\\. Add the line adopt: "`));
    expect(bench.computes()).toEqual([left, theirs]);
  });
});
