import type { RunOptions } from "../../../support/miniEngine";
import { variants, type Variant } from "../../../support/variants";
import { openBench, size } from "./bench";
import { openEngine } from "./stack";

const other = "ep-none-such-12345678";

/** An adopted compute in a stack. @returns what a run with other arguments says, and what it does */
async function adopted(variant: Variant) {
  const bench = await openBench();
  const { emulator, clock, projectId, branchId } = bench;
  const { id } = emulator.createEndpoint(projectId, { branch_id: branchId, type: "read_write" }).endpoint;
  clock.advance(10_000);
  const engine = openEngine(bench, variant);
  const run = async (more: object, how: RunOptions = {}) => {
    const before = engine.rows.length;
    const db = { args: { projectId, branchId, ...size(1), ...more } };
    const { failures, steps } = await engine.up({ db }, how);
    expect(failures).toEqual([]);
    return { said: engine.rows.slice(before), step: steps["db"] };
  };
  await run({ adopt: id });
  return { id, run };
}

describe.each(variants)("the line with adopt of a compute in the state, with the %s variant", (variant) => {
  it.each([
    {
      reason: "it names another compute, and has no effect",
      line: { adopt: other },
      says: (id: string) =>
        `warning: adopt: "${other}" has no effect: this resource has compute ${id} already, and adopt is read at creation only. Put adopt: "${id}" back; to take over ${other} as well, declare another Endpoint with that line.`,
    },
    {
      reason: "it is gone: a destroy deletes the compute from now on",
      line: {},
      says: (id: string) =>
        `info: The line with adopt is gone, and this resource keeps compute ${id}. A destroy deletes it from now on, unless the option retainOnDelete: true is set.`,
    },
  ])("is spoken of on the row, in one update, where $reason", async ({ line, says }) => {
    const { id, run } = await adopted(variant);
    const said = [says(id)];
    expect((await run(line, { isPreview: true })).said).toEqual(said);
    expect(await run(line)).toEqual({ said, step: "same" });
    expect((await run(line)).said).toEqual([]);
    // It may name the compute that the resource has.
    expect((await run({ adopt: id })).said).toEqual([]);
  });

  it("says nothing of a compute that is replaced in the same update", async () => {
    const { run } = await adopted(variant);
    const { said } = await run({ type: "read_only" }, { isPreview: true });
    expect(said.filter((line) => line.includes("adopt"))).toEqual([]);
  });
});
