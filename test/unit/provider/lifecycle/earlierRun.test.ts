import path from "node:path";
import { openBench, urnOf, type Bench, type Lifecycle } from "./bench";
import { cutOff, idsOnDisk } from "./killed";

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});

describe("what a killed run created, and another resource has taken over since", () => {
  /**
   * The compute, and the run in which the other resource has it now.
   *
   * @param isNamed - whether the killed run had learned the id.
   */
  async function takenOver(isNamed = true): Promise<{ readonly left: string; readonly run: Lifecycle }> {
    const left = isNamed ? (await bench.create(bench.replica())).id : await cutOff(bench, bench.replica());
    const run = bench.process();
    await run.up(bench.replica("other", { adopt: left }));
    bench.said.length = 0;
    return { left, run };
  }

  it.each([
    { when: "in the same run", isNamed: true },
    { when: "in an earlier run", isNamed: true },
    { when: "in the same run", isNamed: false },
    { when: "in an earlier run", isNamed: false },
  ])(
    "is left to that one, $when: the create makes another compute, and forgets the first; id known: $isNamed",
    async ({ when, isNamed }) => {
      const { left, run } = await takenOver(isNamed);
      const own = when === "in the same run" ? run : bench.process();
      const { inputs } = await own.handlers.check({}, bench.replica("db", { __dryRun: true }));
      expect(inputs).not.toHaveProperty("__verdict");
      const { id } = await own.create(bench.replica());
      expect(bench.computes()).toEqual([left, id]);
      expect(bench.said.join("\n")).not.toContain("taken over");
      expect(idsOnDisk(bench)).not.toContain("?");
      expect(idsOnDisk(bench)).toContain(id);
    },
  );

  it("is forgotten even where the create is then refused, as a branch's second primary", async () => {
    const { id } = await bench.create();
    await bench.create({ __urn: urnOf("other"), adopt: id });
    expect(idsOnDisk(bench)).toEqual([id]);
    await expect(bench.create()).rejects.toThrow(id);
    expect(idsOnDisk(bench)).toEqual([]);
  });

  it("is left to that one where this run knows it from its diff alone", async () => {
    const { id: left } = await bench.create(bench.replica());
    const declared = bench.replica("other", { adopt: left });
    // On another machine: no note of it is here.
    const elsewhere = bench.process({
      COMPUTE_JOURNAL_FOLDER: path.join(bench.journalFolder, "..", "theirs"),
    });
    const { outs } = await elsewhere.up(declared);
    const run = bench.process();
    await run.handlers.check({ ...declared }, { ...declared });
    await run.handlers.diff(left, { ...outs }, declared);
    const { id } = await run.create(bench.replica());
    expect(bench.computes()).toEqual([left, id]);
  });
});
