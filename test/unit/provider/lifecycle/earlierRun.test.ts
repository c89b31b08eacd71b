import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { answers, closeBenches, openBench, type Bench, type Lifecycle } from "./bench";
import { cutOff, killedAfterAnswer } from "./killed";

afterEach(closeBenches);

const urnOf = (name: string): string =>
  `urn:pulumi:dev::app::pulumi-nodejs:dynamic/compute:Endpoint::${name}`;

const replica = (bench: Bench, name = "db", more: object = {}): Record<string, unknown> =>
  bench.declared({ type: "read_only", __urn: urnOf(name), ...more });

/** What the journal on disk knows of creates: the ids of computes, in any order; `?` for one that is not known. */
function idsOnDisk(bench: Bench): readonly string[] {
  return readdirSync(bench.journalFolder)
    .filter((name) => /^[0-9a-f]{32}\.json$/.test(name))
    .map(
      (name) =>
        JSON.parse(readFileSync(path.join(bench.journalFolder, name), "utf8")) as { endpointId?: string },
    )
    .map(({ endpointId = "?" }) => endpointId);
}

describe("what a killed run created, and another resource has taken over since", () => {
  /**
   * The compute, and the run in which the other resource has it now.
   *
   * @param isNamed - whether the killed run had learned the id.
   */
  async function takenOver(
    bench: Bench,
    isNamed = true,
  ): Promise<{ readonly left: string; readonly run: Lifecycle }> {
    const left = isNamed ? (await bench.create(replica(bench))).id : await cutOff(bench, replica(bench));
    const run = bench.process();
    const adopting = replica(bench, "other", { adopt: left });
    await run.handlers.check({}, adopting);
    await run.create(adopting);
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
      const bench = await openBench();
      const { left, run } = await takenOver(bench, isNamed);
      const own = when === "in the same run" ? run : bench.process();
      const { id } = await own.create(replica(bench));
      expect(bench.computes()).toEqual([left, id]);
      expect(bench.said.join("\n")).not.toContain("taken over");
      expect(idsOnDisk(bench)).not.toContain("?");
      expect(idsOnDisk(bench)).toContain(id);
    },
  );

  it("is forgotten even where the create is then refused, as a branch's second primary", async () => {
    const bench = await openBench();
    const { id } = await bench.create();
    await bench.create({ __urn: urnOf("other"), adopt: id });
    expect(idsOnDisk(bench)).toEqual([id]);
    await expect(bench.create()).rejects.toThrow(id);
    expect(idsOnDisk(bench)).toEqual([]);
  });

  it.each([{ when: "in the same run" }, { when: "in an earlier run" }])(
    "is not announced as what the create will take over, $when",
    async ({ when }) => {
      const bench = await openBench();
      const { run } = await takenOver(bench);
      const own = when === "in the same run" ? run : bench.process();
      const { inputs } = await own.handlers.check({}, replica(bench, "db", { __dryRun: true }));
      expect(bench.said.join("\n")).not.toContain("will be taken over");
      expect(inputs).not.toHaveProperty("__verdict");
    },
  );

  it("is left to that one where this run knows it from its diff alone", async () => {
    const bench = await openBench();
    const { id: left } = await bench.create(replica(bench));
    const declared = replica(bench, "other", { adopt: left });
    // On another machine: no note of it is here.
    const elsewhere = bench.process({
      COMPUTE_JOURNAL_FOLDER: path.join(bench.journalFolder, "..", "theirs"),
    });
    await elsewhere.handlers.check({}, declared);
    const { outs } = await elsewhere.create(declared);
    const run = bench.process();
    await run.handlers.check({ ...declared }, { ...declared });
    await run.handlers.diff(left, { ...outs }, declared);
    const { id } = await run.create(replica(bench));
    expect(bench.computes()).toEqual([left, id]);
  });
});

describe("the preview of a create after a killed run", () => {
  it("says nothing of it where the list cannot be had", async () => {
    const bench = await openBench();
    await cutOff(bench, replica(bench));
    bench.spoil("listEndpoints", answers(500, { times: 1_000 }));
    await bench.process().handlers.check({}, replica(bench, "db", { __dryRun: true }));
    expect(bench.said.join("\n")).not.toContain("will be taken over");
  });

  it("names the compute by its id once a run has written it down, though the list is not sure of it", async () => {
    const bench = await openBench();
    const id = await killedAfterAnswer(bench, replica(bench));
    await bench.process().handlers.check({}, replica(bench, "db", { __dryRun: true }));
    expect(bench.said.join("\n")).toContain(`compute ${id} for this resource: it will be taken over`);
  });
});
