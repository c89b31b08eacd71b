import { urn } from "./bench";
import { bench } from "./eachTest";
import { exportOf, killed } from "./killed";

describe("a replacement that the engine makes without a diff", () => {
  it("never adopts the compute that is deleted next", async () => {
    const { id } = await bench.create();
    const process = bench.process();
    const stored = bench.declared();
    await process.handlers.check(stored, stored);
    const { failures } = await process.handlers.check({}, { ...stored, adopt: id });
    expect(failures).toEqual([
      { property: "", reason: expect.stringContaining("a compute cannot replace itself") as string },
    ]);
  });
});

describe("a replacement beside a create that was killed", () => {
  it.each(["the same branch, as with replaceOnChanges", "another branch"])(
    "makes a new compute, and takes nothing of that create for its own: on %s",
    async (place) => {
      const { id } = await bench.create({ type: "read_only" });
      const other = { type: "read_only", __urn: `${urn}2` };
      const left = await killed(bench, bench.declared(other));
      bench.backend.exported = exportOf({
        held: { [urn]: id },
        begun: { [`${urn}2`]: bench.declared(other) },
      });
      const branchId = place === "another branch" ? bench.emptyBranch() : bench.branchId;
      const run = bench.process();
      const stored = bench.declared({ type: "read_only" });
      const { inputs } = await run.handlers.check(stored, stored);
      await run.handlers.diff(id, { ...stored, endpointId: id, __managed: [] }, inputs);
      const made = await run.up(bench.declared({ type: "read_only", branchId }));
      expect(bench.computes()).toEqual([id, left, made.id]);
      expect(bench.said.join()).not.toContain(made.id);
    },
  );
});
