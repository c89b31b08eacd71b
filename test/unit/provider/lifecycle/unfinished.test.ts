import { readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { closeBenches, failureOf, openBench, size, type Bench } from "./bench";
import { cutOff, exportOf, killedAfterAnswer } from "./killed";

afterEach(closeBenches);

const urnOf = (name: string, stack = "dev"): string =>
  `urn:pulumi:${stack}::app::pulumi-nodejs:dynamic/compute:Endpoint::${name}`;

const types = ["read_write", "read_only"] as const;

/** Deletes the file that a message names. */
function deleteNote(message: string): void {
  const [, file] = /delete (\S+\.json), which notes that create/.exec(message) ?? [];
  rmSync(file!);
}

/** What the journal on disk has of each create: the id of its compute, or `?`. */
function idsOnDisk(bench: Bench): readonly string[] {
  return readdirSync(bench.journalFolder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => readFileSync(path.join(bench.journalFolder, name), "utf8"))
    .map((text) => (JSON.parse(text) as { endpointId?: string }).endpointId ?? "?");
}

/** Another team's compute, with what our own would have. */
const madeByOthers = (bench: Bench, type: string): string =>
  bench.emulator.createEndpoint(bench.projectId, { branch_id: bench.branchId, type }).endpoint.id;

const previewOf = async (bench: Bench, declared: Record<string, unknown>): Promise<readonly string[]> => {
  const { failures } = await bench.process().handlers.check({}, { ...declared, __dryRun: true });
  return failures.map(({ reason }) => reason);
};

describe.each(types)("a create that was killed before its answer: %s", (type) => {
  it("stops the next run, which names what may be its compute, in the preview and in the update", async () => {
    const bench = await openBench();
    const left = await cutOff(bench, bench.declared({ type }));
    expect(idsOnDisk(bench)).toEqual(["?"]);
    const error = await failureOf(bench.create({ type }));
    expect(error.message).toContain(
      `creating a ${type} compute on branch ${bench.branchId} of project ${bench.projectId}: the create of an earlier run got no answer, and the branch has ${left} (0.25 CU, created 2026-01-05T08:00:05.005Z). If that create made it, add the line adopt: "${left}", and with it the option retainOnDelete: false if a destroy shall delete it`,
    );
    expect(error.message).toMatch(/If not, delete \S+\.json, which notes that create/);
    await expect(previewOf(bench, bench.declared({ type }))).resolves.toEqual([error.message]);
    expect(bench.takeRoutes()).not.toContain("createEndpoint");
    expect(bench.computes()).toEqual([left]);
    expect(idsOnDisk(bench)).toEqual(["?"]);
  });

  it("names another team's as well, however it is sized, and takes neither", async () => {
    const bench = await openBench();
    bench.spoil("createEndpoint", { kind: "cut" });
    bench.emulator.addFault({ kind: "status", status: 500, after: 1, times: 1_000 });
    await failureOf(bench.create({ type, ...size(2) }));
    bench.emulator.clearFaults();
    bench.clock.advance(90 * 60_000);
    const theirs = madeByOthers(bench, type);
    await expect(bench.create({ type, ...size(2) })).rejects.toThrow(`adopt: "${theirs}"`);
    expect(bench.takeRoutes()).not.toContain("updateEndpoint");
    expect(bench.computes()).toEqual([theirs]);
  });

  it("is sent again if there is nothing that it may have made", async () => {
    const bench = await openBench();
    bench.emulator.deleteEndpoint(await cutOff(bench, bench.declared({ type })));
    await expect(previewOf(bench, bench.declared({ type }))).resolves.toEqual([]);
    const { id } = await bench.create({ type });
    expect(bench.computes()).toEqual([id]);
    expect(idsOnDisk(bench)).toEqual([id]);
  });

  it("is looked for where its branch was, if the program names another one by now", async () => {
    const bench = await openBench();
    const left = await cutOff(bench, bench.declared({ type }));
    const branchId = bench.emptyBranch();
    const error = await failureOf(bench.create({ type, branchId }));
    expect(error.message).toContain(`on branch ${bench.branchId} of project`);
    expect(error.message).toContain(
      `put the old project, branch and type back, and add the line adopt: "${left}"`,
    );
    deleteNote(error.message);
    const { id } = await bench.create({ type, branchId });
    expect(bench.computes()).toEqual([left, id]);
  });

  it("is taken up with the line of the message, which can go later without a warning or a restart", async () => {
    const bench = await openBench();
    const left = await cutOff(bench, bench.declared({ type }));
    const adopting = bench.declared({ type, adopt: left });
    await expect(previewOf(bench, adopting)).resolves.toEqual([]);
    const run = bench.process();
    await run.handlers.check({}, adopting);
    const { id, outs } = await run.create(adopting);
    run.end();
    expect(bench.computes()).toEqual([id]);
    expect(idsOnDisk(bench)).toEqual([]);
    bench.said.length = 0;
    bench.takeRoutes();
    const later = bench.process();
    const plain = bench.declared({ type });
    const { inputs } = await later.handlers.check({ ...adopting }, { ...plain });
    const { changes } = await later.handlers.diff(id, { ...outs }, inputs);
    expect(changes).toBe(false);
    expect(bench.said).toEqual([]);
    await bench.destroy(outs);
    expect(bench.computes()).toEqual([]);
  });
});

describe("a replica's create that was killed before its answer", () => {
  const replica = (bench: Bench, name = "db", more: object = {}): Record<string, unknown> =>
    bench.declared({ type: "read_only", __urn: urnOf(name), ...more });

  it("is sent again once the user says that it made none of those, in the preview and in the update", async () => {
    const bench = await openBench();
    const left = await cutOff(bench, replica(bench));
    deleteNote((await failureOf(bench.create(replica(bench)))).message);
    const run = bench.process();
    const { failures } = await run.handlers.check({}, replica(bench, "db", { __dryRun: true }));
    expect(failures).toEqual([]);
    const { id } = await run.create(replica(bench));
    expect(bench.computes()).toEqual([left, id]);
    expect(idsOnDisk(bench)).toEqual([id]);
  });

  it("names at most ten, and how many more there are", async () => {
    const bench = await openBench();
    const left = await cutOff(bench, replica(bench));
    const others = Array.from({ length: 11 }, () => madeByOthers(bench, "read_only"));
    const { message } = await failureOf(bench.create(replica(bench)));
    expect([left, ...others].filter((id) => message.includes(`adopt: "${id}"`))).toHaveLength(10);
    expect(message).toContain("Z), and 2 more. If that create made one of them");
  });

  it("names no compute that this run or the journal knows as another resource's", async () => {
    const bench = await openBench();
    const left = await cutOff(bench, replica(bench));
    const killed = await bench.create(replica(bench, "killed"));
    const adopted = madeByOthers(bench, "read_only");
    await bench.create(replica(bench, "adopting", { adopt: adopted }));
    const run = bench.process();
    const same = await run.create(replica(bench, "same"));
    const { message } = await failureOf(run.create(replica(bench)));
    expect(message).toContain(left);
    for (const id of [killed.id, adopted, same.id]) expect(message).not.toContain(id);
  });

  it("names no compute of the stack's state", async () => {
    const bench = await openBench();
    const left = await cutOff(bench, replica(bench));
    const run = bench.process();
    const { id } = await run.create(replica(bench, "sibling"));
    run.end();
    bench.backend.exported = exportOf({ ids: [id] });
    const [reason] = await previewOf(bench, replica(bench));
    expect(reason).toContain(left);
    expect(reason).not.toContain(id);
  });

  it("stops where its project cannot be listed, and can be left", async () => {
    const bench = await openBench();
    await cutOff(bench, replica(bench));
    const { project, branch } = bench.emulator.createProject();
    const elsewhere = replica(bench, "db", { projectId: project.id, branchId: branch.id });
    const routes = `/projects/${bench.projectId}/`;
    bench.emulator.addFault({ kind: "status", status: 500, path: routes, times: 1_000 });
    const error = await failureOf(bench.create(elsewhere));
    expect(bench.emulator.endpoints(project.id)).toHaveLength(1);
    deleteNote(error.message);
    await bench.create(elsewhere);
    expect(bench.emulator.endpoints(project.id)).toHaveLength(2);
  });

  it("stops where its project is secret and another one by now: nobody can look there", async () => {
    const bench = await openBench();
    const secret = { __secrets: ["projectId"] };
    const left = await cutOff(bench, replica(bench, "db", secret));
    const { project, branch } = bench.emulator.createProject();
    const elsewhere = replica(bench, "db", { ...secret, projectId: project.id, branchId: branch.id });
    const error = await failureOf(bench.create(elsewhere));
    expect(error.message).toContain("in another project, whose id is a secret");
    expect(error.message).toContain("Put the old project back for one `pulumi up`");
    expect(bench.emulator.endpoints(project.id)).toHaveLength(1);
    expect((await failureOf(bench.create(replica(bench, "db", secret)))).message).toContain(left);
  });

  it("may have made a compute that cannot be read: then nothing is created", async () => {
    const bench = await openBench();
    await cutOff(bench, replica(bench));
    const body = { endpoints: [{ id: "ep-odd" }] };
    bench.spoil("listEndpoints", { kind: "wrongShape", body, times: 100 });
    await failureOf(bench.create(replica(bench)));
    expect(bench.takeRoutes()).not.toContain("createEndpoint");
  });

  it("is not in the way of another stack's resource", async () => {
    const bench = await openBench();
    const left = await cutOff(bench, replica(bench));
    const { id } = await bench
      .process()
      .create(bench.declared({ type: "read_only", __urn: urnOf("db", "prod") }));
    expect(bench.computes()).toEqual([left, id]);
  });
});

describe.each(types)("a create that was killed after its answer: %s", (type) => {
  const killed = (bench: Bench, more: object = {}): Promise<string> =>
    killedAfterAnswer(bench, bench.declared({ type, ...more }));

  it("is taken up by the next run, which sends no POST, also beside another team's", async () => {
    const bench = await openBench();
    const left = await killed(bench);
    const theirs = type === "read_only" ? [madeByOthers(bench, type)] : [];
    await bench.process().handlers.check({}, bench.declared({ type, __dryRun: true }));
    expect(bench.said.join("\n")).toContain(`compute ${left} for this resource: it will be taken over`);
    const { id } = await bench.create({ type });
    expect(id).toBe(left);
    expect(bench.computes()).toEqual([left, ...theirs]);
    expect(bench.takeRoutes()).not.toContain("createEndpoint");
  });

  it("is made again once its compute has been deleted at the service, and lists cannot be late", async () => {
    const bench = await openBench();
    bench.emulator.deleteEndpoint(await killed(bench));
    const early = await failureOf(bench.create({ type }));
    expect(early.message).toContain("is not listed yet");
    expect(bench.computes()).toEqual([]);
    bench.clock.advance(10 * 60_000);
    const { id } = await bench.create({ type });
    expect(bench.computes()).toEqual([id]);
  });

  it("is not made again because this machine's clock is hours ahead", async () => {
    const bench = await openBench();
    bench.emulator.deleteEndpoint(await killed(bench));
    bench.clock.setWallClockOffBy(3 * 3_600_000);
    const early = await failureOf(bench.create({ type }));
    expect(early.message).toContain("is not listed yet");
  });

  it("stops where the program has changed its branch or region since, and can be left", async () => {
    const bench = await openBench();
    const left = await killed(bench, { regionId: "local-1" });
    const changes = [{ branchId: bench.emptyBranch() }, { regionId: "local-2" }];
    let text = "";
    for (const change of changes) {
      const moved = bench.declared({ type, regionId: "local-1", ...change });
      await bench.process().handlers.check({}, { ...moved, __dryRun: true });
      expect(bench.said.join("\n")).not.toContain("will be taken over");
      const { message } = await failureOf(bench.create(moved));
      expect(message).toContain(`an earlier run of this resource created ${type} compute ${left} on branch`);
      expect(message).toContain("Put the old project, branch, type and region back");
      text = message;
    }
    await expect(bench.create({ type, regionId: "local-1" })).resolves.toMatchObject({ id: left });
    deleteNote(text);
    const moved = await bench.create({ type, ...changes[0] });
    expect(bench.computes()).toEqual([left, moved.id]);
  });

  it("is left to another resource that has adopted it since", async () => {
    const bench = await openBench();
    const left = await killed(bench);
    await bench.create({ type, __urn: urnOf("other"), adopt: left });
    await expect(previewOf(bench, bench.declared({ type, branchId: bench.emptyBranch() }))).resolves.toEqual(
      [],
    );
    expect(bench.said.join("\n")).not.toContain("will be taken over");
    const { id } = await bench.create({ type, branchId: bench.emptyBranch() });
    expect(bench.computes()).toEqual([left, id]);
  });
});
