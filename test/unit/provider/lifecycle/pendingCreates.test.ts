/** A create that Pulumi's backend has as begun and not ended: a run was killed, on whatever machine. */
import { nativeType } from "../../../../provider/pure/fields";
import { closeBenches, failureOf, openBench, type Bench } from "./bench";
import { exportOf } from "./killed";

afterEach(closeBenches);

const urnOf = (name: string, type = "pulumi-nodejs:dynamic/compute:Endpoint"): string =>
  `urn:pulumi:dev::app::${type}::${name}`;

const replica = (bench: Bench, name = "db", more: object = {}): Record<string, unknown> =>
  bench.declared({ type: "read_only", __urn: urnOf(name), ...more });

/** A replica that no state and no journal of this machine knows. */
const left = (bench: Bench, more: object = {}): string =>
  bench.emulator.createEndpoint(bench.projectId, {
    branch_id: bench.branchId,
    type: "read_only",
    autoscaling_limit_min_cu: 0.25,
    autoscaling_limit_max_cu: 2,
    ...more,
  }).endpoint.id;

/** What the backend has once a run was killed in the create of this resource. */
function begin(bench: Bench, ...all: readonly Record<string, unknown>[]): void {
  const begun = all.map((inputs) => [String(inputs["__urn"]), inputs] as const);
  bench.backend.exported = exportOf({ begun: Object.fromEntries(begun) });
}

const previewOf = async (bench: Bench, declared: Record<string, unknown>): Promise<readonly string[]> => {
  const { failures } = await bench.process().handlers.check({}, { ...declared, __dryRun: true });
  return failures.map(({ reason }) => reason);
};

/** An update with its check. */
async function update(bench: Bench, declared: Record<string, unknown>): Promise<{ readonly id: string }> {
  const run = bench.process();
  await run.handlers.check({}, declared);
  return run.create(declared);
}

describe("Pulumi's backend", () => {
  it.each([
    { reason: "no organisation", more: {}, name: "organization/app/dev" },
    { reason: "its organisation", more: { __organization: "acme" }, name: "acme/app/dev" },
  ])("is asked for the stack by its whole name, with $reason", async ({ more, name }) => {
    const bench = await openBench();
    const before = process.env["PULUMI_BACKEND_URL"];
    process.env["PULUMI_BACKEND_URL"] = "s3://states";
    const run = bench.process();
    if (before === undefined) delete process.env["PULUMI_BACKEND_URL"];
    else process.env["PULUMI_BACKEND_URL"] = before;
    await run.handlers.check({}, replica(bench, "db", more));
    expect(bench.backend.asked).toEqual([name]);
  });

  it("is asked once in a run, however many replicas are new, and the service not once more", async () => {
    const bench = await openBench();
    const run = bench.process();
    const names = ["a", "b", "c"];
    await Promise.all(names.map((name) => run.handlers.check({}, replica(bench, name))));
    expect(bench.takeRoutes()).toEqual([]);
    expect(bench.backend.asked).toHaveLength(1);
  });

  it.each([
    { reason: "a primary is new", olds: {}, more: { type: "read_write" } },
    { reason: "a replica is adopted", olds: {}, more: { adopt: "ep-a" } },
    { reason: "a replica is in the state", olds: undefined, more: {} },
  ])("is not asked where $reason", async ({ olds, more }) => {
    const bench = await openBench();
    const declared = replica(bench, "db", more);
    await bench.process().handlers.check(olds ?? declared, declared);
    expect(bench.backend.asked).toEqual([]);
  });

  it("says once why it could not, and the run goes on", async () => {
    const bench = await openBench();
    bench.backend.exported = "a secret";
    const run = bench.process();
    for (const name of ["a", "b"]) await run.handlers.check({}, replica(bench, name));
    expect(bench.said).toEqual([
      "warning: Pulumi's backend could not be asked for creates that an earlier run did not end (`pulumi stack export` answered in a form that this version does not know): if a run of this stack was killed, look for its replicas at the service before you create others.",
    ]);
    const { id } = await run.create(replica(bench, "a"));
    expect(bench.computes()).toEqual([id]);
  });
});

describe("a replica that an earlier run began to create", () => {
  it("names what that create may have made, in the preview and in the update, and creates nothing", async () => {
    const bench = await openBench();
    const older = left(bench);
    bench.clock.advance(60_000);
    const newer = left(bench, { autoscaling_limit_max_cu: 0.25 });
    begin(bench, replica(bench));
    const { message } = await failureOf(update(bench, replica(bench)));
    expect(message).toMatch(
      new RegExp(
        `creating a read_only compute on branch \\S+ of project \\S+: an earlier run of this stack began to create it and did not end, and the branch has ${newer} \\(0.25 CU, created 2026-\\S+Z\\), ${older} \\(0.25 to 2 CU, created 2026-\\S+Z\\)\\. If that create made one of them, add the line adopt: "${newer}" or adopt: "${older}"`,
      ),
    );
    expect(message).toContain("If not, run `pulumi refresh --clear-pending-creates` once");
    await expect(previewOf(bench, replica(bench))).resolves.toEqual([message]);
    expect(bench.computes()).toEqual([older, newer]);
  });

  it("is created where its branch has no other compute of its type, which a late list may show first", async () => {
    const bench = await openBench();
    begin(bench, replica(bench));
    await expect(previewOf(bench, replica(bench))).resolves.toEqual([]);
    const startMs = bench.clock.now();
    const { id } = await update(bench, replica(bench));
    expect(bench.computes()).toEqual([id]);
    expect(bench.clock.now() - startMs).toBeGreaterThanOrEqual(15_000);
  });

  it("waits for late lists beside the others that were begun with it, also in a locked project", async () => {
    const bench = await openBench({ switches: { lock: "project" } });
    const all = ["a", "b", "c", "d", "e", "f"].map((name) => replica(bench, name));
    begin(bench, ...all);
    const run = bench.process();
    for (const declared of all) await run.handlers.check({}, declared);
    const startMs = bench.clock.now();
    const made = await Promise.all(all.map((declared) => run.create(declared)));
    expect([...bench.computes()].sort()).toEqual(made.map(({ id }) => id).sort());
    expect(bench.clock.now() - startMs).toBeLessThan(2 * 15_000);
  });

  it("is stopped by a compute that only a later list shows", async () => {
    const bench = await openBench();
    begin(bench, replica(bench));
    const id = left(bench);
    bench.spoil("listEndpoints", { kind: "stale", times: 2 });
    await expect(update(bench, replica(bench))).rejects.toThrow(`adopt: "${id}"`);
    expect(bench.computes()).toEqual([id]);
  });

  it("names no compute of the state, and none that this run creates beside it", async () => {
    const bench = await openBench();
    const stored = left(bench);
    const begun = replica(bench);
    bench.backend.exported = exportOf({ ids: [stored], begun: { [urnOf("db")]: begun } });
    const run = bench.process();
    const names = ["a", "b", "c"];
    await run.handlers.check({}, begun);
    for (const name of names) await run.handlers.check({}, replica(bench, name));
    const made = await Promise.all(
      [begun, ...names.map((name) => replica(bench, name))].map((declared) => run.create(declared)),
    );
    expect([...bench.computes()].sort()).toEqual([stored, ...made.map(({ id }) => id)].sort());
  });

  it("is looked for where its branch was, if the program names another one by now", async () => {
    const bench = await openBench();
    const id = left(bench);
    begin(bench, replica(bench));
    const { message } = await failureOf(
      update(bench, replica(bench, "db", { branchId: bench.emptyBranch() })),
    );
    expect(message).toContain(`on branch ${bench.branchId} of project`);
    expect(message).toContain(`put the old project, branch and type back, and add the line adopt: "${id}"`);
  });

  it("is looked for at the declared place where the backend has a secret one", async () => {
    const bench = await openBench();
    const id = left(bench);
    begin(bench, { ...replica(bench), projectId: { ciphertext: "v1:abc" } });
    await expect(previewOf(bench, replica(bench))).resolves.toEqual([
      expect.stringContaining(`adopt: "${id}"`),
    ]);
  });

  it("is known after its stack has moved to the other variant", async () => {
    const bench = await openBench();
    const id = left(bench);
    begin(bench, { ...replica(bench), __urn: urnOf("db", nativeType) });
    await expect(previewOf(bench, replica(bench))).resolves.toEqual([
      expect.stringContaining(`adopt: "${id}"`),
    ]);
  });

  it("is asked for once, though the journal has it as well", async () => {
    const bench = await openBench();
    bench.spoil("createEndpoint", { kind: "cut", when: "after" });
    bench.emulator.addFault({ kind: "status", status: 500, after: 1, times: 1_000 });
    await failureOf(update(bench, replica(bench)));
    bench.emulator.clearFaults();
    begin(bench, replica(bench));
    const [id = ""] = bench.computes();
    const [reason] = await previewOf(bench, replica(bench));
    expect(reason).toContain("--clear-pending-creates");
    // The user has run it.
    begin(bench);
    await expect(update(bench, replica(bench))).resolves.not.toMatchObject({ id });
    expect(bench.computes()).toHaveLength(2);
  });

  it("is taken over where the journal has its id, also beside others", async () => {
    const bench = await openBench();
    const { id } = await update(bench, replica(bench));
    const theirs = left(bench);
    begin(bench, replica(bench));
    await expect(update(bench, replica(bench))).resolves.toMatchObject({ id });
    expect(bench.computes()).toEqual([id, theirs]);
  });
});

describe("a primary that an earlier run began to create", () => {
  it("says so where the branch has its one primary", async () => {
    const bench = await openBench();
    const declared = bench.declared({ branchId: bench.defaultBranchId, __urn: urnOf("db") });
    const plain = `the branch has its one primary already, compute ${bench.defaultPrimaryId}`;
    await expect(previewOf(bench, declared)).resolves.toEqual([expect.stringContaining(`${plain}. If`)]);
    begin(bench, declared);
    await expect(previewOf(bench, declared)).resolves.toEqual([
      expect.stringContaining(
        `${plain}, and an earlier run of this stack began to create it and did not end. If`,
      ),
    ]);
  });
});
