import { closeBenches, created, cutOff, failureOf, openBench, type Bench } from "./bench";

afterEach(closeBenches);

const minuteMs = 60_000;

const replica = (bench: Bench, more: object = {}): Record<string, unknown> =>
  bench.declared({ type: "read_only", ...more });

describe("the journal of one folder, shared by stacks of one name", () => {
  const backendWas = process.env["PULUMI_BACKEND_URL"];
  const at = (bench: Bench, backend: string): ReturnType<Bench["process"]> => {
    process.env["PULUMI_BACKEND_URL"] = backend;
    return bench.process();
  };
  afterEach(() => {
    if (backendWas === undefined) delete process.env["PULUMI_BACKEND_URL"];
    else process.env["PULUMI_BACKEND_URL"] = backendWas;
  });

  it.each([
    { reason: "on two backends", a: "file:///a", b: "file:///b", orgA: undefined, orgB: undefined },
    { reason: "of two organisations", a: "https://x", b: "https://x", orgA: "blue", orgB: "red" },
  ])("gives no stack the compute of another, $reason", async ({ a, b, orgA, orgB }) => {
    const bench = await openBench();
    const first = await at(bench, a).create(replica(bench, { __organization: orgA }));
    const second = await at(bench, b).create(replica(bench, { __organization: orgB }));
    expect(bench.computes()).toEqual([first.id, second.id]);
    await at(bench, b).delete(second.id, second.outs);
    expect(bench.computes()).toEqual([first.id]);
    expect(bench.said.join("\n")).not.toContain("taken over");
  });

  it("gives the key of another account nothing either", async () => {
    const bench = await openBench();
    await cutOff(bench, replica(bench));
    const other = bench.process({ COMPUTE_API_KEY: "key-of-another-account" });
    await failureOf(other.create(replica(bench)));
    expect(bench.said.join("\n")).not.toContain("taken over");
  });

  it("is settled by a run that ended in good order, so that nothing of it is found again", async () => {
    const bench = await openBench();
    const run = bench.process();
    const { id } = await run.create(replica(bench));
    run.end();
    bench.said.length = 0;
    const again = await bench.process().create(replica(bench));
    expect(again.id).not.toBe(id);
    expect(bench.said.join("\n")).toContain(`Compute ${id} is a replica of branch`);
  });

  it("keeps what a killed run left, and what is open beside it", async () => {
    const bench = await openBench();
    await cutOff(bench, replica(bench, { __urn: "urn:open" }));
    const run = bench.process();
    await run.create(replica(bench, { __urn: "urn:ended" }));
    run.end();
    // Which of the two the open create made could not be told without the other's entry.
    await bench.process().create(replica(bench, { __urn: "urn:open" }));
    expect(bench.computes()).toHaveLength(2);
  });
});

describe("a stranger's replica that comes after a create that was cut off", () => {
  /** The POST is cut before it is done; whoever comes `afterMs` later makes a replica. */
  async function strangerAfter(bench: Bench, afterMs: number): Promise<string> {
    bench.emulator.addFault({ kind: "cut", route: "createEndpoint" });
    await failureOf(bench.process().create(replica(bench)));
    bench.clock.advance(afterMs);
    return bench.emulator.createEndpoint(bench.projectId, { branch_id: bench.branchId, type: "read_only" })
      .endpoint.id;
  }

  it.each([{ afterMs: 2 * minuteMs }, { afterMs: 90 * minuteMs }])(
    "is left alone $afterMs ms later, and stands in nobody's way",
    async ({ afterMs }) => {
      const bench = await openBench();
      const theirs = await strangerAfter(bench, afterMs);
      const { id } = await bench.process().create(replica(bench));
      expect(bench.computes()).toEqual([theirs, id]);
    },
  );

  it.each([{ afterMs: 10_000 }, { afterMs: 30_000 }])(
    "is never taken over $afterMs ms later, but named with both ways on",
    async ({ afterMs }) => {
      const bench = await openBench();
      const theirs = await strangerAfter(bench, afterMs);
      const error = await failureOf(bench.process().create(replica(bench)));
      expect(error.message).toMatch(
        new RegExp(
          `${theirs} appeared on the branch since: which of them it made is not certain\\. Add the line adopt: "${theirs}" to take one over, or delete what is not wanted`,
        ),
      );
      expect(bench.computes()).toEqual([theirs]);
    },
  );

  it.each([{ aheadMs: 3 * 60 * minuteMs }, { aheadMs: -3 * 60 * minuteMs }])(
    "is judged by the service's time: our own clock is $aheadMs ms off, and the own compute is found all the same",
    async ({ aheadMs }) => {
      const bench = await openBench();
      bench.clock.setWallClockOffBy(aheadMs);
      const own = await cutOff(bench, replica(bench));
      bench.clock.advance(minuteMs);
      await expect(bench.process().create(replica(bench))).resolves.toMatchObject({ id: own });
    },
  );

  it("is not mistaken for ours because our own clock stood two hours off", async () => {
    const bench = await openBench();
    bench.clock.setWallClockOffBy(-90 * minuteMs);
    const theirs = await strangerAfter(bench, 90 * minuteMs);
    const { id } = await bench.process().create(replica(bench));
    expect(bench.computes()).toEqual([theirs, id]);
  });
});

describe("the entry of a create in a project that is gone", () => {
  it.each([
    { reason: "JSON", body: { message: "project not found" } },
    { reason: "a page", body: "<html>404</html>" },
    { reason: "nothing", body: "" },
  ])(
    "does not stand in the way of a create in another project, answered 404 with $reason",
    async ({ body }) => {
      const bench = await openBench();
      // `up`, a destroy of the project with all it has, `up` again: no deletion ever cleared the entry (`deletedWith`).
      await bench.process().create(replica(bench));
      const path = `/projects/${bench.projectId}/`;
      bench.emulator.addFault({ kind: "status", status: 404, body, path, times: 1_000 });
      const { project, branch } = bench.emulator.createProject();
      const run = bench.process();
      const { id } = await run.create(replica(bench, { projectId: project.id, branchId: branch.id }));
      expect(bench.emulator.endpoints(project.id).map(({ endpoint }) => endpoint.id)).toContain(id);
    },
  );

  it("stops a create where its project is there and the compute too, and names the note", async () => {
    const bench = await openBench();
    await cutOff(bench, replica(bench));
    const other = bench.emulator.createProject();
    const error = await failureOf(
      bench.process().create(replica(bench, { projectId: other.project.id, branchId: other.branch.id })),
    );
    expect(error.message).toMatch(/an earlier run of this resource created read_only compute ep-/);
    expect(error.message).toMatch(/remove the note of it: \S+\.json/);
  });
});

describe("a primary that is replaced by force", () => {
  it("is refused with the option that works, since the engine creates first", async () => {
    const bench = await openBench();
    const state = await created(bench);
    const run = bench.process();
    const declared = bench.declared();
    await bench.process().handlers.diff(state.endpointId, { ...state }, { ...declared });
    // `--replace` and `state taint`: a check without old inputs, no diff, a create.
    await run.handlers.check({ ...declared }, { ...declared });
    await run.handlers.check({}, { ...declared });
    const error = await failureOf(run.create(declared));
    expect(error.message).toContain("deleteBeforeReplace: true");
    expect(bench.computes()).toEqual([state.endpointId]);
  });

  it("says that nothing was replaced where the program adopts what it has, and how to replace it", async () => {
    const bench = await openBench();
    const state = await created(bench);
    const run = bench.process();
    const declared = bench.declared({ adopt: state.endpointId });
    await run.handlers.check({}, { ...declared });
    await run.create(declared);
    await run.delete(state.endpointId, state);
    expect(bench.computes()).toEqual([state.endpointId]);
    expect(bench.said).toEqual([
      expect.stringMatching(
        /is not deleted: its own `adopt` .* nothing was replaced\. Remove the line with adopt/,
      ),
    ]);
  });
});
