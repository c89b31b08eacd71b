/** A create that Pulumi's backend has as begun and not ended: a run was killed, on whatever machine. */
import { urnOf as urnAt } from "../../../support/variants";
import { answers, failureOf, urn } from "./bench";
import { bench, reopen } from "./eachTest";
import { exportOf } from "./killed";

/** A replica that no state knows. */
const left = (more: object = {}): string =>
  bench.madeByOthers({
    type: "read_only",
    autoscaling_limit_min_cu: 0.25,
    autoscaling_limit_max_cu: 2,
    ...more,
  });

/** What the backend has once a run was killed in the create of these resources. */
function begin(...all: readonly Record<string, unknown>[]): void {
  const begun = all.map((inputs) => [String(inputs["__urn"]), inputs] as const);
  bench.backend.exported = exportOf({ begun: Object.fromEntries(begun) });
}

describe("Pulumi's backend", () => {
  it.each([
    { reason: "no organisation", more: {}, name: "organization/app/dev" },
    { reason: "its organisation", more: { __organization: "acme" }, name: "acme/app/dev" },
  ])("is asked for the stack by its whole name, with $reason", async ({ more, name }) => {
    await bench.process().handlers.check({}, bench.replica("db", more));
    expect(bench.backend.asked).toEqual([name]);
  });

  it("is asked once in a run, however many replicas are new, and the service not once more", async () => {
    const run = bench.process();
    const names = ["a", "b", "c"];
    await Promise.all(names.map((name) => run.handlers.check({}, bench.replica(name))));
    expect(bench.takeRoutes()).toEqual([]);
    expect(bench.backend.asked).toHaveLength(1);
  });

  it.each([
    { reason: "a primary is new", more: { type: "read_write" }, isStored: false },
    { reason: "a replica is in the state", more: {}, isStored: true },
  ])("holds nobody up, and nobody is told that it could not be asked, where $reason", async (row) => {
    bench.backend.exported = "a secret";
    const declared = bench.replica("db", row.more);
    await bench.process().handlers.check(row.isStored ? declared : {}, declared);
    expect(bench.backend.asked).toHaveLength(1);
    expect(bench.said).toEqual([]);
  });

  it("says once why it could not, and the run goes on", async () => {
    bench.backend.exported = "a secret";
    const run = bench.process();
    for (const name of ["a", "b"]) await run.handlers.check({}, bench.replica(name));
    expect(bench.said).toEqual([
      "warning: Pulumi's backend could not be asked for this stack's state and for creates that an earlier run did not end (`pulumi stack export` answered in a form that this version does not know). If a run of this stack was killed, look at the service for computes that it made before you create others. Adopt no compute that another resource has.",
    ]);
    const { id } = await run.create(bench.replica("a"));
    expect(bench.computes()).toEqual([id]);
  });
});

describe("a replica that an earlier run began to create", () => {
  it("names what that create may have made, in the preview and in the update, and creates nothing", async () => {
    const older = left();
    bench.clock.advance(60_000);
    const newer = left({ autoscaling_limit_max_cu: 0.25 });
    begin(bench.replica());
    const { message } = await failureOf(bench.up(bench.replica()));
    expect(message).toMatch(
      new RegExp(
        `creating a read_only compute on branch \\S+ of project \\S+: an earlier run of this stack began to create it and did not end, and the branch has ${newer} \\(0.25 CU, created 2026-\\S+Z\\), ${older} \\(0.25 to 2 CU, created 2026-\\S+Z\\)\\. If that create made one of them, add the line adopt: "${newer}" or adopt: "${older}"`,
      ),
    );
    expect(message).toContain("If not, run `pulumi refresh --clear-pending-creates` once");
    await expect(bench.preview(bench.replica())).resolves.toEqual([message]);
    expect(bench.computes()).toEqual([older, newer]);
  });

  it("is created where its branch has no other compute of its type, which a late list may show first", async () => {
    begin(bench.replica());
    await expect(bench.preview(bench.replica())).resolves.toEqual([]);
    const startMs = bench.clock.now();
    const { id } = await bench.up(bench.replica());
    expect(bench.computes()).toEqual([id]);
    expect(bench.clock.now() - startMs).toBeGreaterThanOrEqual(15_000);
  });

  it("waits for late lists beside the others that were begun with it, also in a locked project", async () => {
    await reopen({ switches: { lock: "project" } });
    const all = ["a", "b", "c", "d", "e", "f"].map((name) => bench.replica(name));
    begin(...all);
    const run = bench.process();
    for (const declared of all) await run.handlers.check({}, declared);
    const startMs = bench.clock.now();
    const made = await Promise.all(all.map((declared) => run.create(declared)));
    expect([...bench.computes()].sort()).toEqual(made.map(({ id }) => id).sort());
    expect(bench.clock.now() - startMs).toBeLessThan(2 * 15_000);
  });

  it("is found among others that killed runs left elsewhere: Pulumi keeps each until a refresh clears it", async () => {
    const id = left();
    const begun = (more: object): object => ({
      type: "creating",
      resource: { urn: bench.replica()["__urn"], inputs: { ...bench.replica(), ...more } },
    });
    const pending = [begun({}), begun({ branchId: "br-elsewhere" })];
    bench.backend.exported = JSON.stringify({ deployment: { pending_operations: pending } });
    await expect(bench.up(bench.replica())).rejects.toThrow(`adopt: "${id}"`);
    expect(bench.computes()).toEqual([id]);
  });

  it("is stopped by a compute that only a later list shows", async () => {
    begin(bench.replica());
    const id = left();
    bench.spoil("listEndpoints", { kind: "stale", times: 2 });
    await expect(bench.up(bench.replica())).rejects.toThrow(`adopt: "${id}"`);
    expect(bench.computes()).toEqual([id]);
  });

  it("names no compute of the state, and none that this run creates beside it", async () => {
    const stored = left();
    const begun = bench.replica();
    bench.backend.exported = exportOf({ ids: [stored], begun: { [urn]: begun } });
    const run = bench.process();
    const names = ["a", "b", "c"];
    await run.handlers.check({}, begun);
    for (const name of names) await run.handlers.check({}, bench.replica(name));
    const made = await Promise.all(
      [begun, ...names.map((name) => bench.replica(name))].map((declared) => run.create(declared)),
    );
    expect([...bench.computes()].sort()).toEqual([stored, ...made.map(({ id }) => id)].sort());
  });

  it("is looked for where its branch was, if the program names another one by now", async () => {
    const id = left();
    begin(bench.replica());
    const { message } = await failureOf(bench.up(bench.replica("db", { branchId: bench.emptyBranch() })));
    expect(message).toContain(`on branch ${bench.branchId} of project`);
    expect(message).toContain(
      `put the earlier project, branch and type back, and add the line adopt: "${id}"`,
    );
  });

  it.each([
    {
      reason: "at the declared place where the backend has a secret one",
      more: { projectId: { ciphertext: "v1:abc" } },
    },
    {
      reason: "after its stack has moved to the other variant",
      more: { __urn: urnAt("native", "db") },
    },
  ])("is looked for $reason", async ({ more }) => {
    const id = left();
    begin(bench.replica("db", more));
    await expect(bench.preview(bench.replica())).resolves.toEqual([
      expect.stringContaining(`adopt: "${id}"`),
    ]);
  });

  it("names at most ten, and how many more there are", async () => {
    const all = Array.from({ length: 12 }, () => left());
    begin(bench.replica());
    const { message } = await failureOf(bench.up(bench.replica()));
    expect(all.filter((id) => message.includes(`adopt: "${id}"`))).toHaveLength(10);
    expect(message).toContain("Z), and 2 more. If that create made one of them");
  });

  it("names no primary, though it is on the branch since", async () => {
    bench.madeByOthers();
    begin(bench.replica());
    await expect(bench.preview(bench.replica())).resolves.toEqual([]);
  });

  it("stops where its project cannot be listed, and can be left", async () => {
    left();
    begin(bench.replica());
    const { projectId, branchId } = bench.otherProject();
    const elsewhere = bench.replica("db", { projectId, branchId });
    const routes = `/projects/${bench.projectId}/`;
    bench.emulator.addFault(answers(500, { path: routes, times: 1_000 }));
    const { inputs } = await bench.process().handlers.check({}, { ...elsewhere, __dryRun: true });
    expect(inputs).toMatchObject({ __verdict: { unasked: true } });
    const { message } = await failureOf(bench.up(elsewhere));
    expect(message).toContain("run `pulumi refresh --clear-pending-creates` once");
    expect(bench.emulator.endpoints(projectId)).toHaveLength(1);
    begin();
    await bench.up(elsewhere);
    expect(bench.emulator.endpoints(projectId)).toHaveLength(2);
  });

  it("may have made a compute that cannot be read: then nothing is created", async () => {
    begin(bench.replica());
    const body = { endpoints: [{ id: "ep-odd" }] };
    bench.spoil("listEndpoints", { kind: "wrongShape", body, times: 100 });
    await expect(bench.preview(bench.replica())).resolves.toEqual([]);
    await failureOf(bench.up(bench.replica()));
    expect(bench.takeRoutes()).not.toContain("createEndpoint");
  });

  it("has its compute named under its new name too: the engine tells no provider the former one", async () => {
    const id = left();
    begin(bench.replica("former"));
    const { message } = await failureOf(bench.up(bench.replica("renamed")));
    expect(message).toContain(
      `an earlier run of this stack began to create resource "former" there and did not end, and this run has not declared that resource so far, and the branch has ${id} (`,
    );
    expect(message).toContain(`adopt: "${id}"`);
    await expect(bench.preview(bench.replica("renamed"))).resolves.toEqual([message]);
    await bench.up(bench.replica("renamed", { adopt: id }));
    expect(bench.computes()).toEqual([id]);
  });

  it.each([
    { reason: "the program still declares it", isDeclared: true, more: {} },
    { reason: "it was begun on another branch", isDeclared: false, more: { branchId: "br-elsewhere" } },
  ])("is not in the way of another resource where $reason", async ({ isDeclared, more }) => {
    left();
    begin(bench.replica("former", more));
    const run = bench.process();
    if (isDeclared) await run.handlers.check({}, bench.replica("former"));
    await run.up(bench.replica("other"));
    expect(bench.computes()).toHaveLength(2);
  });
});

describe("a primary that an earlier run began to create", () => {
  it("says so where the branch has its one primary", async () => {
    const declared = bench.declared({ branchId: bench.defaultBranchId, __urn: urn });
    const plain = `the branch has its one primary already, compute ${bench.defaultPrimaryId}`;
    await expect(bench.preview(declared)).resolves.toEqual([expect.stringContaining(`${plain}. If`)]);
    begin(declared);
    await expect(bench.preview(declared)).resolves.toEqual([
      expect.stringContaining(
        `${plain}, and an earlier run of this stack began to create it and did not end. If`,
      ),
    ]);
  });
});
