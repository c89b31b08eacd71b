import { readFileSync } from "node:fs";
import path from "node:path";
import { urnOf as urnAt } from "../../../support/variants";
import { created, urn, urnOf } from "./bench";
import { bench } from "./eachTest";
import { exportOf } from "./killed";

describe("a primary that is replaced by force", () => {
  it("is refused with the page that has the option, since the engine creates first", async () => {
    const state = await created(bench);
    const run = bench.process();
    const declared = bench.declared();
    await bench.process().handlers.diff(state.endpointId, { ...state }, { ...declared });
    // `--replace` and `state taint`: a check without old inputs, no diff, a create.
    await run.handlers.check({ ...declared }, { ...declared });
    await run.handlers.check({}, { ...declared });
    await expect(run.create(declared)).rejects.toThrow(
      'Other cases: "The branch already has a primary" in docs/what-happens-when.md',
    );
    const page = readFileSync(path.join(__dirname, "../../../../docs/what-happens-when.md"), "utf8");
    const [, cases = ""] = /The branch already has a primary\.([^]*?)\n- /.exec(page) ?? [];
    for (const option of ["deleteBeforeReplace: true", "dependsOn", "aliases"])
      expect(cases).toContain(option);
    expect(bench.computes()).toEqual([state.endpointId]);
  });

  it("is refused where the program adopts what it has: a compute cannot replace itself", async () => {
    const state = await created(bench);
    bench.backend.exported = exportOf({ held: { [urn]: state.endpointId } });
    const { failures } = await bench
      .process()
      .handlers.check({}, bench.declared({ adopt: state.endpointId }));
    expect(failures).toEqual([
      { property: "", reason: expect.stringContaining("a compute cannot replace itself") as string },
    ]);
  });

  it("is kept where it adopts what it has, and the backend could not be asked", async () => {
    const state = await created(bench);
    const run = bench.process();
    await run.up(bench.declared({ adopt: state.endpointId }));
    await run.delete(state.endpointId, state);
    expect(bench.computes()).toEqual([state.endpointId]);
    expect(bench.said).toEqual([
      expect.stringMatching(
        /is not deleted: this resource has it again, because of its line adopt, .* first remove the line with adopt/,
      ),
    ]);
  });
});

describe("a compute that another resource of the stack has", () => {
  const other = urnOf("other");

  it.each([
    { reason: "in its state", holder: other },
    { reason: "with the other variant", holder: urnAt("native", "other") },
  ])("cannot be adopted, $reason: the refusal names that resource, and what to do", async ({ holder }) => {
    const { id } = await bench.create(bench.replica("other"));
    bench.backend.exported = exportOf({ held: { [holder]: id } });
    const declared = bench.replica("heir", { adopt: id });
    for (const isPreview of [true, false]) {
      const { failures } = await bench.process().handlers.check({}, { ...declared, __dryRun: isPreview });
      expect(failures).toEqual([
        {
          property: "",
          reason: `adopting compute ${id}: resource "other" of this stack has it in its state. If this is that resource under another name, add the option aliases instead of adopting or importing it, or run \`pulumi state rename\`. Otherwise take it out of the state first: \`pulumi state delete '${holder}'\` leaves the compute as it is, and \`pulumi state move\` brings the resource to another stack.`,
        },
      ]);
    }
  });

  it("can be adopted once the state has it no more, and what the program only reads is nobody's", async () => {
    const { id } = await bench.create(bench.replica("other"));
    const read = { urn: other, id, external: true };
    bench.backend.exported = JSON.stringify({ deployment: { resources: [read] } });
    await expect(bench.up(bench.replica("heir", { adopt: id }))).resolves.toMatchObject({ id });
    expect(bench.said).toEqual([]);
  });

  it("is adopted where the backend cannot be asked, and a row says so", async () => {
    const { id } = await bench.create(bench.replica("other"));
    bench.backend.exported = "no json";
    await expect(bench.up(bench.replica("heir", { adopt: id }))).resolves.toMatchObject({ id });
    expect(bench.said.join()).toContain("Adopt no compute that another resource has");
  });
});
