import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { closeBenches, cutOff, failureOf, openBench, type Bench, type Lifecycle } from "./bench";

afterEach(closeBenches);

const urnOf = (name: string): string =>
  `urn:pulumi:dev::app::pulumi-nodejs:dynamic/compute:Endpoint::${name}`;

const replica = (bench: Bench, name = "db", more: object = {}): Record<string, unknown> =>
  bench.declared({ type: "read_only", __urn: urnOf(name), ...more });

/** What the journal on disk knows of creates: the ids of computes, in any order; `?` for one that is not known. */
function idsOnDisk(bench: Bench): readonly string[] {
  return readdirSync(bench.journalFolder)
    .filter((name) => /^[0-9a-f]{32}\.json$/.test(name))
    .map(
      (name) =>
        JSON.parse(readFileSync(path.join(bench.journalFolder, name), "utf8")) as { endpointId?: string },
    )
    .map(({ endpointId = "?" }) => endpointId);
}

describe("what a killed run created, and another resource has taken over since", () => {
  /**
   * The compute, and the run in which the other resource has it now.
   *
   * @param isNamed - whether the killed run had learned the id.
   */
  async function takenOver(
    bench: Bench,
    isNamed = true,
  ): Promise<{ readonly left: string; readonly run: Lifecycle }> {
    const left = isNamed
      ? (await bench.process().create(replica(bench))).id
      : await cutOff(bench, replica(bench));
    const run = bench.process();
    const adopting = replica(bench, "other", { adopt: left });
    await run.handlers.check({}, adopting);
    await run.create(adopting);
    bench.said.length = 0;
    return { left, run };
  }

  it.each([
    { when: "in the same run", isNamed: true },
    { when: "in an earlier run", isNamed: true },
    { when: "in the same run", isNamed: false },
    { when: "in an earlier run", isNamed: false },
  ])(
    "is left to that one, $when: the create makes another compute, and forgets the first; id known: $isNamed",
    async ({ when, isNamed }) => {
      const bench = await openBench();
      const { left, run } = await takenOver(bench, isNamed);
      const own = when === "in the same run" ? run : bench.process();
      const { id } = await own.create(replica(bench));
      expect(bench.computes()).toEqual([left, id]);
      expect(bench.said.join("\n")).not.toContain("taken over");
      expect(idsOnDisk(bench)).not.toContain("?");
      expect(idsOnDisk(bench)).toContain(id);
    },
  );

  it("is forgotten even where the create is then refused, as a branch's second primary", async () => {
    const bench = await openBench();
    const { id } = await bench.process().create(bench.declared());
    const adopting = bench.declared({ __urn: urnOf("other"), adopt: id });
    await bench.process().create(adopting);
    expect(idsOnDisk(bench)).toEqual([id]);
    const error = await failureOf(bench.process().create(bench.declared()));
    expect(error.message).toContain(id);
    expect(idsOnDisk(bench)).toEqual([]);
  });

  it.each([{ when: "in the same run" }, { when: "in an earlier run" }])(
    "is not announced as what the create will take over, $when",
    async ({ when }) => {
      const bench = await openBench();
      const { run } = await takenOver(bench);
      const own = when === "in the same run" ? run : bench.process();
      const { inputs } = await own.handlers.check({}, replica(bench, "db", { __dryRun: true }));
      expect(bench.said.join("\n")).not.toContain("will be taken over");
      expect(inputs).not.toHaveProperty("__verdict");
    },
  );

  it("is left to that one where this run knows it from its diff alone", async () => {
    const bench = await openBench();
    const { id: left } = await bench.process().create(replica(bench));
    const declared = replica(bench, "other", { adopt: left });
    // On another machine: no note of it is here.
    const elsewhere = bench.process({
      COMPUTE_JOURNAL_FOLDER: path.join(bench.journalFolder, "..", "theirs"),
    });
    await elsewhere.handlers.check({}, declared);
    const { outs } = await elsewhere.create(declared);
    const run = bench.process();
    await run.handlers.check({ ...declared }, { ...declared });
    await run.handlers.diff(left, { ...outs }, declared);
    const { id } = await run.create(replica(bench));
    expect(bench.computes()).toEqual([left, id]);
  });
});

describe("what a killed run created, and the program declares elsewhere by now", () => {
  it("is refused with its branch, and the id is on disk from then on", async () => {
    const bench = await openBench();
    const left = await cutOff(bench, replica(bench));
    expect(idsOnDisk(bench)).toEqual(["?"]);
    const branchId = bench.emptyBranch();
    const error = await failureOf(bench.process().create(replica(bench, "db", { branchId })));
    expect(error.message).toContain(
      `an earlier run of this resource created read_only compute ${left} on branch ${bench.branchId} of project ${bench.projectId}, which is no longer in the state, and the program has changed since`,
    );
    expect(idsOnDisk(bench)).toEqual([left]);
    expect(bench.computes()).toEqual([left]);
    // Its advice: the old branch again.
    await expect(bench.process().create(replica(bench))).resolves.toMatchObject({ id: left });
  });

  it("is refused in another region as well, which no change of a compute can give it", async () => {
    const bench = await openBench();
    const left = await cutOff(bench, replica(bench, "db", { regionId: "local-1" }));
    const moved = replica(bench, "db", { regionId: "local-2" });
    await bench.process().handlers.check({}, { ...moved, __dryRun: true });
    expect(bench.said.join("\n")).not.toContain("will be taken over");
    const error = await failureOf(bench.process().create(moved));
    expect(error.message).toContain(`an earlier run of this resource created read_only compute ${left}`);
    expect(error.message).toContain("Put the old project, branch, type and region back");
    expect(bench.computes()).toEqual([left]);
    // An entry that names the compute refuses it in the same way.
    const again = await failureOf(bench.process().create(moved));
    expect(again.message).toBe(error.message);
    await expect(
      bench.process().create(replica(bench, "db", { regionId: "local-1" })),
    ).resolves.toMatchObject({ id: left });
  });

  it("can be adopted by another resource in the very run that refuses it", async () => {
    const bench = await openBench();
    const left = await cutOff(bench, replica(bench));
    const run = bench.process();
    await failureOf(run.create(replica(bench, "db", { branchId: bench.emptyBranch() })));
    const adopting = replica(bench, "other", { adopt: left });
    await run.handlers.check({}, adopting);
    await expect(run.create(adopting)).resolves.toMatchObject({ id: left });
  });

  it("is not announced as what the create will take over", async () => {
    const bench = await openBench();
    await cutOff(bench, replica(bench));
    const declared = replica(bench, "db", { branchId: bench.emptyBranch(), __dryRun: true });
    await bench.process().handlers.check({}, declared);
    expect(bench.said.join("\n")).not.toContain("will be taken over");
  });

  it.each([
    { reason: "the service fails", status: 500, body: undefined },
    { reason: "a gateway answers 404", status: 404, body: "<html></html>" },
  ])("stops the create where its project cannot be asked: $reason", async ({ status, body }) => {
    const bench = await openBench();
    const left = await cutOff(bench, replica(bench));
    const path = `/projects/${bench.projectId}/`;
    const fault = { kind: "status", status, path, times: 1_000 } as const;
    bench.emulator.addFault(body === undefined ? fault : { ...fault, body });
    const { project, branch } = bench.emulator.createProject();
    const declared = replica(bench, "db", { projectId: project.id, branchId: branch.id });
    const error = await failureOf(bench.process().create(declared));
    expect(error.message).toMatch(/remove the note of it: \S+\.json/);
    expect(bench.emulator.endpoints(project.id)).toHaveLength(1);
    bench.emulator.clearFaults();
    await expect(bench.process().create(replica(bench))).resolves.toMatchObject({ id: left });
  });

  it("stops the create where its project is secret and another one by now: nobody can look there", async () => {
    const bench = await openBench();
    const secret = { __secrets: ["projectId"] };
    const left = await cutOff(bench, replica(bench, "db", secret));
    const { project, branch } = bench.emulator.createProject();
    const declared = replica(bench, "db", { ...secret, projectId: project.id, branchId: branch.id });
    bench.takeRoutes();
    await bench.process().handlers.check({}, { ...declared, __dryRun: true });
    const error = await failureOf(bench.process().create(declared));
    expect(error.message).toMatch(
      /another project, .*Put the old project.* remove the note of it: \S+\.json/,
    );
    expect(bench.emulator.requests().every(({ path: of }) => of.includes(project.id))).toBe(true);
    expect(bench.emulator.endpoints(project.id)).toHaveLength(1);
    await expect(bench.process().create(replica(bench, "db", secret))).resolves.toMatchObject({ id: left });
  });

  it("stops the create where the project is the same, and the service does not know it for a moment", async () => {
    const bench = await openBench();
    const left = await cutOff(bench, replica(bench));
    bench.emulator.addFault({
      kind: "status",
      status: 404,
      path: `/projects/${bench.projectId}/`,
      times: 20,
    });
    await failureOf(bench.process().create(replica(bench)));
    bench.emulator.clearFaults();
    await expect(bench.process().create(replica(bench))).resolves.toMatchObject({ id: left });
  });
});

describe("the preview of a create after a killed run", () => {
  it("says nothing of it where the list cannot be had", async () => {
    const bench = await openBench();
    await cutOff(bench, replica(bench));
    bench.emulator.addFault({ kind: "status", status: 500, route: "listEndpoints", times: 1_000 });
    await bench.process().handlers.check({}, replica(bench, "db", { __dryRun: true }));
    expect(bench.said.join("\n")).not.toContain("will be taken over");
  });

  it("names the compute by its id once a run has written it down, though the list is not sure of it", async () => {
    const bench = await openBench();
    const { id } = await bench.process().create(replica(bench));
    bench.said.length = 0;
    await bench.process().handlers.check({}, replica(bench, "db", { __dryRun: true }));
    expect(bench.said.join("\n")).toContain(`compute ${id} for this resource: it will be taken over`);
  });
});
