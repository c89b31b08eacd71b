/** What no diff announces to the provider: a replacement by force, and one that was cut off. */
import { variants } from "../../../support/variants";
import { openBench, size } from "./bench";
import { openEngine, openStack } from "./stack";

describe.each(variants)("a compute in the state, with the %s variant", (variant) => {
  it("is replaced by force after its create failed, and not taken over by its own replacement", async () => {
    const bench = await openBench();
    const { projectId, branchId } = bench;
    const engine = openEngine(bench, variant);
    const args = { projectId, branchId, ...size(1) };
    bench.emulator.setTimeline({ endStatus: "failed", times: 1 });
    await engine.up({ db: { args } });
    const { id: failed } = engine.stored("db")!;
    const forced = await engine.up({ db: { args: { ...args, type: "read_only" } } }, { replace: ["db"] });
    expect(forced).toMatchObject({ steps: { db: "replaced" }, failures: [] });
    expect(bench.computes()).toEqual([engine.stored("db")!.id]);
    expect(bench.computes()).not.toContain(failed);
  });

  it("is kept where the state has it a second time, as replaced and still to be deleted", async () => {
    const { bench, engine, id, up } = await openStack(variant);
    const stored = engine.stored("db")!;
    engine.restore([stored, { ...stored, isToBeDeleted: true }]);
    await up();
    expect(engine.rows.at(-1)).toContain(
      `Compute ${id} is not deleted: this resource has it again, because of its line adopt`,
    );
    expect(engine.state()).toHaveLength(1);
    expect(bench.computes()).toEqual([id]);
  });
});
