import { messageOf } from "../../../../provider/pure/errors";
import type { MiniEngine, Program } from "../../../support/miniEngine";
import { variants, type Variant } from "../../../support/variants";
import { answers, created, failureOf, openBench, size, type Bench } from "./bench";
import { openEngine } from "./stack";

interface Scene {
  readonly bench: Bench;
  readonly engine: MiniEngine;
  /** A program with the branch of each primary, by name. */
  readonly program: (branches: Readonly<Record<string, string>>) => Program;
}

async function openScene(variant: Variant): Promise<Scene> {
  const bench = await openBench();
  const { projectId } = bench;
  const engine = openEngine(bench, variant);
  const program = (branches: Readonly<Record<string, string>>): Program =>
    Object.fromEntries(
      Object.entries(branches).map(([name, branchId]) => [
        name,
        { args: { projectId, branchId, type: "read_write", ...size(1) } },
      ]),
    );
  return { bench, engine, program };
}

const textOf = (failures: readonly unknown[]): string => failures.map(String).join("\n");

it("a second primary is refused by its reason alone: the engine would print a named argument and its value again", async () => {
  const bench = await openBench();
  const declared = bench.declared({ branchId: bench.defaultBranchId, __dryRun: true });
  const { failures } = await bench.process().handlers.check({}, declared);
  expect(failures).toEqual([
    { property: "", reason: expect.stringContaining(bench.defaultPrimaryId) as string },
  ]);
});

describe.each(variants)("the one primary of a branch, with the %s variant", (variant) => {
  it("is refused to a second resource of the program, in the preview, with both names", async () => {
    const { bench, engine, program } = await openScene(variant);
    const both = program({ one: bench.branchId, two: bench.branchId });
    const { failures } = await engine.up(both, { isPreview: true });
    expect(textOf(failures)).toMatch(/resource "two" and resource "one" of this program both declare it/);
    await engine.up(program({ one: bench.branchId }));
    const later = await engine.up(both, { isPreview: true });
    expect(textOf(later.failures)).toContain("both declare it");
  });

  it("is refused in the preview where the service lists one, with the lines that help", async () => {
    const { bench, engine, program } = await openScene(variant);
    const { failures } = await engine.up(program({ app: bench.defaultBranchId }), { isPreview: true });
    expect(textOf(failures)).toContain(
      `the branch has its one primary already, compute ${bench.defaultPrimaryId}`,
    );
    expect(textOf(failures)).toContain(`adopt: "${bench.defaultPrimaryId}"`);
    expect(textOf(failures)).toContain("if this one was renamed, add the option aliases");
  });

  it("is refused to a move by the service, in words that name the primary and what to do", async () => {
    const { bench, engine, program } = await openScene(variant);
    await engine.up(program({ app: bench.branchId }));
    const { failures } = await engine.up(program({ app: bench.defaultBranchId }));
    const told = failures.map(messageOf).join();
    expect(told).toContain(
      `branch ${bench.defaultBranchId} has its one primary already, compute ${bench.defaultPrimaryId}, request`,
    );
    expect(told).toContain(
      "If another resource of this program moves that compute away, add the option dependsOn with that resource, or run `pulumi up` a second time. Otherwise move this one to a branch without a primary. Nothing was changed.",
    );
    // That line has no effect on a resource with a compute.
    expect(told).not.toContain("adopt");
    expect(bench.live(engine.stored("app")?.id ?? "").branch_id).toBe(bench.branchId);
  });

  it("is had by a new resource after the one that moves away, in a second `pulumi up`, as its preview says", async () => {
    const { bench, engine, program } = await openScene(variant);
    const other = bench.emptyBranch();
    await engine.up(program({ one: bench.branchId }));
    const next = program({ two: bench.branchId, one: other });
    await expect(engine.up(next, { isPreview: true })).resolves.toMatchObject({ failures: [] });
    const id = engine.stored("one")?.id ?? "";
    expect(engine.said).toContain(
      `warning: Branch ${bench.branchId} has its one primary already, compute ${id} of resource "one": this create is refused as long as it is there. If that resource moves to another branch, add the option dependsOn with that resource, or run \`pulumi up\` a second time. If you remove it from the program, do so in an earlier \`pulumi up\`.`,
    );
    await expect(engine.up(next)).resolves.toMatchObject({ failed: { two: expect.anything() as unknown } });
    await expect(engine.up(next)).resolves.toMatchObject({ failures: [] });
    // With dependsOn, the engine carries the move out first.
    const back = { ...program({ one: bench.branchId }), ...program({ two: bench.emptyBranch() }) };
    const { one, two } = back;
    await expect(engine.up({ two: two!, one: one! }, { targets: ["two"] })).resolves.toMatchObject({
      failures: [],
    });
    await expect(engine.up(back)).resolves.toMatchObject({ failures: [] });
  });

  it("cannot be swapped: both moves are refused in time, with the primary that is there", async () => {
    const { bench, engine, program } = await openScene(variant);
    const other = bench.emptyBranch();
    await engine.up(program({ one: bench.branchId, two: other }));
    const startMs = bench.clock.monotonicMs();
    const { failures } = await engine.up(program({ one: other, two: bench.branchId }));
    expect(failures).toHaveLength(2);
    for (const [name, there] of [
      ["one", "two"],
      ["two", "one"],
    ] as const) {
      const primary = engine.stored(there)?.id ?? "";
      expect(failures.map(messageOf).join("\n")).toMatch(
        new RegExp(`updating compute ${engine.stored(name)?.id ?? ""}.* primary already, compute ${primary}`),
      );
    }
    expect(bench.clock.monotonicMs() - startMs).toBeLessThan(60_000);
    // One after the other, as the message says.
    const empty = bench.emptyBranch();
    for (const branches of [
      { one: empty, two: other },
      { one: empty, two: bench.branchId },
      { one: other, two: bench.branchId },
    ])
      expect((await engine.up(program(branches))).failures).toEqual([]);
  });

  it("is announced as occupied to a replica that is replaced by a primary: two that swap their types", async () => {
    const { bench, engine } = await openScene(variant);
    const { projectId, branchId } = bench;
    const typed = (one: string, two: string): Program => ({
      one: { args: { projectId, branchId, type: one, ...size(1) } },
      two: { args: { projectId, branchId, type: two, ...size(1) } },
    });
    await engine.up(typed("read_write", "read_only"));
    const swapped = typed("read_only", "read_write");
    await engine.up(swapped, { isPreview: true });
    const occupied = `Branch ${branchId} has its one primary already, compute ${engine.stored("one")?.id ?? "?"} of resource "one"`;
    expect(engine.said.join("\n")).toContain(`${occupied}: this create is refused as long as it is there`);
    await expect(engine.up(swapped)).resolves.toMatchObject({
      failed: { two: expect.anything() as unknown },
    });
  });

  it("is adopted by a replica that becomes it, as the refusal says: the replica is deleted", async () => {
    const { bench, engine } = await openScene(variant);
    const { projectId, defaultBranchId: branchId, defaultPrimaryId: adopt } = bench;
    const declared = (more: object): Program => ({
      one: { args: { projectId, branchId, ...size(1), ...more } },
    });
    await engine.up(declared({ type: "read_only" }));
    const refused = await engine.up(declared({ type: "read_write" }));
    expect(refused.failures.map(messageOf).join()).toContain(`adopt: "${adopt}"`);
    const told = declared({ type: "read_write", adopt });
    const before = engine.said.length;
    await expect(engine.up(told, { isPreview: true })).resolves.toMatchObject({ failures: [] });
    await expect(engine.up(told)).resolves.toMatchObject({ failures: [], steps: { one: "replaced" } });
    expect(engine.said.slice(before).join("\n")).not.toContain("has its one primary already");
    expect(bench.live(adopt).autoscaling_limit_max_cu).toBe(1);
    expect(bench.computes()).toEqual([]);
    await expect(engine.up(declared({ type: "read_write" }))).resolves.toMatchObject({ failures: [] });
  });
});

describe("a second primary", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await openBench();
  });

  it("is refused before anything is sent, with the line that adopts the first", async () => {
    const error = await failureOf(bench.create({ branchId: bench.defaultBranchId }));
    expect(error.message).toContain(
      `the branch has its one primary already, compute ${bench.defaultPrimaryId}`,
    );
    expect(error.message).toContain(`adopt: "${bench.defaultPrimaryId}"`);
    expect(error.message).toContain("If another resource of this program declares it, remove one of the two");
    expect(bench.takeRoutes()).toEqual(["listEndpoints", "listEndpoints"]);
  });

  it.each([409, 400, 412, 422, 423] as const)(
    "is named where the service refuses it with %d, since it came in between",
    async (secondPrimaryStatus) => {
      bench = await openBench({ switches: { secondPrimaryStatus } });
      // The list of the intent is from before the rival's create.
      bench.spoil("listEndpoints", { kind: "stale" });
      const rival = bench.madeByOthers();
      const error = await failureOf(bench.create());
      expect(error.message).toContain(`compute ${rival}`);
      expect(error.message).toContain(`adopt: "${rival}"`);
      expect(bench.computes()).toEqual([rival]);
    },
  );

  it("is refused with the name of the resource of the program that has the first", async () => {
    const state = await created(bench);
    const run = bench.process();
    const held = bench.declared(size(1));
    await run.handlers.check({ ...held }, { ...held });
    await run.handlers.diff(state.endpointId, { ...state }, held);
    const error = await failureOf(run.create(bench.declared({ __urn: "urn:second" })));
    expect(error.message).toContain(
      `the branch has its one primary already, compute ${state.endpointId} of resource "db". If that resource moves to another branch, add the option dependsOn`,
    );
    expect(error.message).not.toContain("adopt");
  });

  it("is not what a conflict of a replica means: its create is sent again once the operations have ended", async () => {
    const rival = bench.madeByOthers();
    bench.spoil("createEndpoint", answers(409));
    const { id } = await bench.create({ type: "read_only" });
    expect(bench.computes()).toEqual([rival, id]);
  });

  it("does not stand in the way where it has just been deleted and a list still shows it", async () => {
    const old = bench.madeByOthers();
    bench.clock.advance(5_000);
    bench.spoil("listEndpoints", { kind: "stale" });
    bench.emulator.deleteEndpoint(old);
    const { id } = await bench.create();
    expect(bench.computes()).toEqual([id]);
  });
});
