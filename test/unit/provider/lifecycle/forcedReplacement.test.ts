/** What no diff announces to the provider: a replacement by force, and one that was cut off. */
import { createMiniEngine } from "../../../support/miniEngine";
import { variants } from "../../../support/variants";
import { closeBenches, openBench, size } from "./bench";

afterEach(closeBenches);

describe.each(variants)("a compute whose create failed, with the %s variant", (variant) => {
  it("is replaced by force, and not taken over by its own replacement", async () => {
    const bench = await openBench();
    const { emulator, clock, projectId, branchId } = bench;
    const engine = createMiniEngine({ variant, baseUrl: emulator.url, apiKey: emulator.apiKey, clock });
    const program = { db: { args: { projectId, branchId, ...size(1) } } };
    emulator.setTimeline({ endStatus: "failed", times: 1 });
    await engine.up(program);
    const { id: failed } = engine.stored("db")!;
    const { steps, failures } = await engine.up(
      { ...program, db: { args: { ...program.db.args, type: "read_only" } } },
      {
        replace: ["db"],
      },
    );
    expect({ steps, failures }).toEqual({ steps: { db: "replaced" }, failures: [] });
    expect(bench.computes()).toEqual([engine.stored("db")!.id]);
    expect(bench.computes()).not.toContain(failed);
  });

  it("is kept where the state has it a second time, as replaced and still to be deleted", async () => {
    const bench = await openBench();
    const { emulator, clock, projectId, branchId } = bench;
    const engine = createMiniEngine({ variant, baseUrl: emulator.url, apiKey: emulator.apiKey, clock });
    const program = { db: { args: { projectId, branchId, ...size(1) } } };
    await engine.up(program);
    const stored = engine.stored("db")!;
    engine.restore([stored, { ...stored, isToBeDeleted: true }]);
    await engine.up(program);
    expect(engine.rows.at(-1)).toContain(
      `Compute ${stored.id} is not deleted: a replacement of this resource that was cut off`,
    );
    expect(engine.state()).toHaveLength(1);
    expect(bench.computes()).toEqual([stored.id]);
  });
});
