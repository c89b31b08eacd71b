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

it("the branch is what a second primary is refused for: the engine names that argument", async () => {
  const bench = await openBench();
  const declared = bench.declared({ branchId: bench.defaultBranchId, __dryRun: true });
  const { failures } = await bench.process().handlers.check({}, declared);
  expect(failures).toEqual([
    { property: "branchId", reason: expect.stringContaining(bench.defaultPrimaryId) as string },
  ]);
});

it("the branch is no reason to refuse a new primary that may replace the present one, deleted first", async () => {
  const bench = await openBench();
  const declared = bench.declared({ branchId: bench.defaultBranchId, __dryRun: true, __deletesFirst: true });
  const { inputs, failures } = await bench.process().handlers.check({}, declared);
  expect(failures).toEqual([]);
  expect(inputs).not.toHaveProperty("__deletesFirst");
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

  it("is announced as occupied to a move, and refused where no resource of the stack has it", async () => {
    const { bench, engine, program } = await openScene(variant);
    await engine.up(program({ app: bench.branchId }));
    const moved = program({ app: bench.defaultBranchId });
    const { failures } = await engine.up(moved, { isPreview: true });
    const told = [...engine.said, textOf(failures)].join("\n");
    expect(told).toContain(`has its one primary already, compute ${bench.defaultPrimaryId}`);
    // That line has no effect on a resource with a compute.
    expect(told).not.toContain("adopt");
    // The plugin reads the state first, so it knows that no resource of the stack has that primary.
    expect(failures).toHaveLength(variant === "native" ? 1 : 0);
    // What the warning says is what then happens.
    await expect(engine.up(moved)).resolves.toMatchObject({ failures: [expect.anything()] });
    expect(bench.live(engine.stored("app")?.id ?? "").branch_id).toBe(bench.branchId);
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

  it("is announced as occupied to a replica that becomes a primary: two that swap their types", async () => {
    const { bench, engine } = await openScene(variant);
    const { projectId, branchId } = bench;
    const typed = (one: string, two: string): Program => ({
      one: { args: { projectId, branchId, type: one, ...size(1) } },
      two: { args: { projectId, branchId, type: two, ...size(1) } },
    });
    await engine.up(typed("read_write", "read_only"));
    const swapped = typed("read_only", "read_write");
    await engine.up(swapped, { isPreview: true });
    const occupied = `Branch ${branchId} has its one primary already, compute ${engine.stored("one")?.id ?? "?"}`;
    expect(engine.said.join("\n")).toContain(`${occupied}: this change is refused as long as it is there`);
    await expect(engine.up(swapped)).resolves.toMatchObject({
      failed: { two: expect.anything() as unknown },
    });
  });

  it("is not announced as occupied by what a killed replacement has made: it is taken over", async () => {
    const { bench, engine } = await openScene(variant);
    const { projectId, branchId } = bench;
    const typed = (type: string): Program => ({ one: { args: { projectId, branchId, type, ...size(1) } } });
    await engine.up(typed("read_only"));
    await engine.up(typed("read_write"), { isKilled: true });
    const preview = await engine.up(typed("read_write"), { isPreview: true });
    expect([...engine.said, textOf(preview.failures)].join("\n")).not.toContain(
      "has its one primary already",
    );
    await expect(engine.up(typed("read_write"))).resolves.toMatchObject({ failures: [] });
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

  it.each([
    { order: ["one", "two", "three"], reason: "each is declared before the one that makes room for it" },
    { order: ["three", "two", "one"], reason: "each is declared after it" },
  ])("is handed on along a chain, in the order that works: $reason", async ({ order }) => {
    const { bench, engine, program } = await openScene(variant);
    const branches = [bench.branchId, bench.emptyBranch(), bench.emptyBranch(), bench.emptyBranch()];
    const placed = (shift: number): Program =>
      program(
        Object.fromEntries(
          order.map((name) => [name, branches[["one", "two", "three"].indexOf(name) + shift] ?? ""]),
        ),
      );
    await engine.up(placed(0));
    await expect(engine.up(placed(1), { isPreview: true })).resolves.toMatchObject({ failures: [] });
    bench.takeRoutes();
    await expect(engine.up(placed(1))).resolves.toMatchObject({ failures: [] });
    expect(bench.live(engine.stored("one")?.id ?? "").branch_id).toBe(branches[1]);
    const ahead = engine.stored("two")?.id ?? "";
    expect(engine.shown.join("\n")).toContain(`waiting for compute ${ahead} to leave the branch`);
    // None was refused and tried again.
    expect(bench.sent("updateEndpoint")).toBe(3);
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
      `the branch has its one primary already, compute ${state.endpointId} of resource "db". Remove one of the two resources`,
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
