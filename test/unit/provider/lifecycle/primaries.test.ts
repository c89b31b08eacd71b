import { messageOf } from "../../../../provider/model/errors";
import type { MiniEngine, Program } from "../../../support/miniEngine";
import { variants, type Variant } from "../../../support/variants";
import { created, failureOf, openBench, size, type Bench } from "./bench";
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

it("a second primary is refused by its reason alone: the engine would print a named argument and its value again", async () => {
  const bench = await openBench();
  const declared = bench.declared({ branchId: bench.defaultBranchId, __dryRun: true });
  const { failures } = await bench.process().handlers.check({}, declared);
  expect(failures).toEqual([
    { property: "", reason: expect.stringContaining(bench.defaultPrimaryId) as string },
  ]);
});

describe.each(variants)("the one primary of a branch, with the %s variant", (variant) => {
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
});

describe("a second primary", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await openBench();
  });

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
});
