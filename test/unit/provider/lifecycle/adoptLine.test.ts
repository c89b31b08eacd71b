import { createMiniEngine, type RunOptions } from "../../../support/miniEngine";
import { variants, type Variant } from "../../../support/variants";
import { closeBenches, openBench, size } from "./bench";

afterEach(closeBenches);

const other = "ep-none-such-12345678";

/** An adopted compute in a stack. @returns what a run with other arguments says, and what it does */
async function adopted(variant: Variant) {
  const { emulator, clock, projectId, branchId } = await openBench();
  const { endpoint } = emulator.createEndpoint(projectId, { branch_id: branchId, type: "read_write" });
  clock.advance(10_000);
  const engine = createMiniEngine({ variant, baseUrl: emulator.url, apiKey: emulator.apiKey, clock });
  const run = async (more: Readonly<Record<string, unknown>>, how: RunOptions = {}) => {
    const before = engine.rows.length;
    const { failures, steps } = await engine.up(
      { db: { args: { projectId, branchId, ...size(1), ...more } } },
      how,
    );
    expect(failures).toEqual([]);
    return { said: engine.rows.slice(before), step: steps["db"] };
  };
  await run({ adopt: endpoint.id });
  return { id: endpoint.id, run };
}

describe.each(variants)("the line with adopt of a compute in the state, with the %s variant", (variant) => {
  it("has no effect where it names another compute, and the row says so", async () => {
    const { id, run } = await adopted(variant);
    const says = [
      `warning: adopt: "${other}" has no effect: this resource has compute ${id} already, and adopt is read at creation only. Put adopt: "${id}" back; to take over ${other} as well, declare another Endpoint with that line.`,
    ];
    expect((await run({ adopt: other }, { isPreview: true })).said).toEqual(says);
    expect(await run({ adopt: other })).toEqual({ said: says, step: "same" });
    expect((await run({ adopt: other })).said).toEqual([]);
  });

  it("may name the compute that the resource has", async () => {
    const { id, run } = await adopted(variant);
    await run({});
    expect((await run({ adopt: id })).said).toEqual([]);
  });

  it("tells where it goes that a destroy deletes the compute from now on", async () => {
    const { id, run } = await adopted(variant);
    const says = [
      `info: The line with adopt is gone, and this resource keeps compute ${id}. A destroy deletes it from now on, unless the option retainOnDelete: true is set.`,
    ];
    expect((await run({}, { isPreview: true })).said).toEqual(says);
    expect(await run({})).toEqual({ said: says, step: "same" });
    expect((await run({})).said).toEqual([]);
  });

  it("says nothing of a compute that is replaced in the same update", async () => {
    const { run } = await adopted(variant);
    const { said } = await run({ type: "read_only" }, { isPreview: true });
    expect(said.filter((line) => line.includes("adopt"))).toEqual([]);
  });
});
