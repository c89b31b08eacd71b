import { answers, failureOf, size, urnOf } from "./bench";
import { bench } from "./eachTest";
import { cutOff, deleteNote, idsOnDisk, killedAfterAnswer } from "./killed";

const types = ["read_write", "read_only"] as const;

describe.each(types)("a create that was killed before its answer: %s", (type) => {
  it("stops the next run, which names what may be its compute, in the preview and in the update", async () => {
    const left = await cutOff(bench, bench.declared({ type }));
    expect(idsOnDisk(bench)).toEqual(["?"]);
    const error = await failureOf(bench.create({ type }));
    expect(error.message).toContain(
      `creating a ${type} compute on branch ${bench.branchId} of project ${bench.projectId}: the create of an earlier run got no answer, and the branch has ${left} (0.25 CU, created 2026-01-05T08:00:05.005Z). If that create made it, add the line adopt: "${left}", and with it the option retainOnDelete: false if a destroy shall delete it`,
    );
    expect(error.message).toMatch(/If not, delete \S+\.json, which notes that create/);
    expect(bench.sent("listEndpoints")).toBeLessThan(3);
    await expect(bench.preview(bench.declared({ type }))).resolves.toEqual([error.message]);
    expect(bench.takeRoutes()).not.toContain("createEndpoint");
    expect(bench.computes()).toEqual([left]);
    expect(idsOnDisk(bench)).toEqual(["?"]);
  });

  it("is sent again if there is nothing that it may have made", async () => {
    bench.emulator.deleteEndpoint(await cutOff(bench, bench.declared({ type })));
    await expect(bench.preview(bench.declared({ type }))).resolves.toEqual([]);
    const { id } = await bench.create({ type });
    expect(bench.computes()).toEqual([id]);
    expect(idsOnDisk(bench)).toEqual([id]);
  });

  it("is looked for where its branch was, if the program names another one by now", async () => {
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

  it("is taken up with the line of the message", async () => {
    const left = await cutOff(bench, bench.declared({ type }));
    const adopting = bench.declared({ type, adopt: left });
    await expect(bench.preview(adopting)).resolves.toEqual([]);
    const { id } = await bench.up(adopting);
    expect(bench.computes()).toEqual([id]);
    // Whether the process ends in good order or not.
    expect(idsOnDisk(bench)).toEqual([]);
  });
});

describe("a replica's create that was killed before its answer", () => {
  it("names at most ten, and how many more there are", async () => {
    const left = await cutOff(bench, bench.replica());
    const others = Array.from({ length: 11 }, () => bench.madeByOthers({ type: "read_only" }));
    const { message } = await failureOf(bench.create(bench.replica()));
    expect([left, ...others].filter((id) => message.includes(`adopt: "${id}"`))).toHaveLength(10);
    expect(message).toContain("Z), and 2 more. If that create made one of them");
  });

  it("names no compute that this run or the journal knows as another resource's", async () => {
    const left = await cutOff(bench, bench.replica());
    const killed = await bench.create(bench.replica("killed"));
    const adopted = bench.madeByOthers({ type: "read_only" });
    await bench.create(bench.replica("adopting", { adopt: adopted }));
    const run = bench.process();
    const same = await run.create(bench.replica("same"));
    const { message } = await failureOf(run.create(bench.replica()));
    expect(message).toContain(left);
    for (const id of [killed.id, adopted, same.id]) expect(message).not.toContain(id);
  });

  it("stops where its project cannot be listed, and can be left", async () => {
    await cutOff(bench, bench.replica());
    const { projectId, branchId } = bench.otherProject();
    const elsewhere = bench.replica("db", { projectId, branchId });
    const routes = `/projects/${bench.projectId}/`;
    bench.emulator.addFault({ kind: "status", status: 500, path: routes, times: 1_000 });
    const { inputs } = await bench.process().handlers.check({}, { ...elsewhere, __dryRun: true });
    expect(inputs).toMatchObject({ __verdict: { unasked: true } });
    const error = await failureOf(bench.create(elsewhere));
    expect(bench.emulator.endpoints(projectId)).toHaveLength(1);
    deleteNote(error.message);
    await bench.create(elsewhere);
    expect(bench.emulator.endpoints(projectId)).toHaveLength(2);
  });

  it("stops where its project is secret and another one by now: nobody can look there", async () => {
    const secret = { __secrets: ["projectId"] };
    const left = await cutOff(bench, bench.replica("db", secret));
    const { projectId, branchId } = bench.otherProject();
    const elsewhere = bench.replica("db", { ...secret, projectId, branchId });
    await expect(bench.preview(elsewhere)).resolves.toEqual([]);
    expect(bench.said).toEqual([]);
    const error = await failureOf(bench.create(elsewhere));
    expect(error.message).toContain("in another project, whose id is a secret");
    expect(error.message).toContain("Put the old project back for one `pulumi up`");
    expect(bench.emulator.endpoints(projectId)).toHaveLength(1);
    expect((await failureOf(bench.create(bench.replica("db", secret)))).message).toContain(left);
  });

  it("may have made a compute that cannot be read: then nothing is created", async () => {
    await cutOff(bench, bench.replica());
    const body = { endpoints: [{ id: "ep-odd" }] };
    bench.spoil("listEndpoints", { kind: "wrongShape", body, times: 100 });
    await expect(bench.preview(bench.replica())).resolves.toEqual([]);
    await failureOf(bench.create(bench.replica()));
    expect(bench.takeRoutes()).not.toContain("createEndpoint");
  });

  it("is not in the way of another stack's resource", async () => {
    const left = await cutOff(bench, bench.replica());
    const { id } = await bench.create(bench.replica("db", { __urn: urnOf("db", "prod") }));
    expect(bench.computes()).toEqual([left, id]);
  });
});

describe.each(types)("a create that was killed after its answer: %s", (type) => {
  const killed = (more: object = {}): Promise<string> =>
    killedAfterAnswer(bench, bench.declared({ type, ...more }));

  it("is taken up by the next run, which sends no POST, also beside another team's", async () => {
    const left = await killed();
    const theirs = type === "read_only" ? [bench.madeByOthers({ type })] : [];
    await bench.preview(bench.declared({ type }));
    expect(bench.said.join("\n")).toContain(`compute ${left} for this resource: it will be taken over`);
    const { id } = await bench.create({ type });
    expect(id).toBe(left);
    expect(bench.rows.join()).toContain(
      `info: An earlier run created compute ${left} for this resource: it is`,
    );
    expect(bench.computes()).toEqual([left, ...theirs]);
    expect(bench.takeRoutes()).not.toContain("createEndpoint");
  });

  it("is made again once its compute has been deleted at the service, and lists cannot be late", async () => {
    bench.emulator.deleteEndpoint(await killed());
    const early = await failureOf(bench.create({ type }));
    expect(early.message).toContain("is not listed yet");
    expect(bench.computes()).toEqual([]);
    bench.clock.advance(10 * 60_000);
    const { id } = await bench.create({ type });
    expect(bench.computes()).toEqual([id]);
  });

  it.each([
    { reason: "was hours behind", before: -3, after: 0 },
    { reason: "is hours ahead", before: 0, after: 3 },
  ])("is not made again because this machine's clock $reason", async ({ before, after }) => {
    bench.clock.setWallClockOffBy(before * 3_600_000);
    bench.emulator.deleteEndpoint(await killed());
    bench.clock.setWallClockOffBy(after * 3_600_000);
    const early = await failureOf(bench.create({ type }));
    expect(early.message).toContain("is not listed yet");
  });

  it("stops where the program has changed its branch or region since, and can be left", async () => {
    const left = await killed({ regionId: "local-1" });
    const other = type === "read_only" ? "read_write" : "read_only";
    const changes = [{ branchId: bench.emptyBranch() }, { type: other }, { regionId: "local-2" }];
    let text = "";
    for (const change of changes) {
      const moved = bench.declared({ type, regionId: "local-1", ...change });
      await bench.preview(moved);
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
    const left = await killed();
    await bench.create({ type, __urn: urnOf("other"), adopt: left });
    await expect(bench.preview(bench.declared({ type, branchId: bench.emptyBranch() }))).resolves.toEqual([]);
    expect(bench.said.join("\n")).not.toContain("will be taken over");
    const { id } = await bench.create({ type, branchId: bench.emptyBranch() });
    expect(bench.computes()).toEqual([left, id]);
  });
});

it.each(types.flatMap((type) => [502, 503].map((status) => ({ type, status }))))(
  "a $type compute that another team makes during a create answered with $status is not taken for ours",
  async ({ type, status }) => {
    bench.spoil("createEndpoint", answers(status));
    const creating = failureOf(bench.create({ type, ...size(0.25) }));
    await bench.untilSent("createEndpoint");
    const theirs = bench.madeByOthers({ type, autoscaling_limit_min_cu: 4, autoscaling_limit_max_cu: 4 });
    const { message } = await creating;
    expect(message).toContain(`If that create made it, add the line adopt: "${theirs}"`);
    expect(message).toContain(`If not, ${type === "read_write" ? "use another branch: a" : "delete"} `);
    expect(bench.computes()).toEqual([theirs]);
    expect(bench.sent("createEndpoint")).toBe(1);
    expect(bench.sent("updateEndpoint")).toBe(0);
  },
);
