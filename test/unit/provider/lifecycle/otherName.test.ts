import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { hashOf } from "../../../../provider/writes/flushedFile";
import type { JournalEntry } from "../../../../provider/writes/journal";
import { closeBenches, cutOff, failureOf, openBench, type Bench, type StateValues } from "./bench";

afterEach(closeBenches);

const urnOf = (name: string, stack = "dev"): string =>
  `urn:pulumi:${stack}::app::pulumi-nodejs:dynamic/compute:Endpoint::${name}`;

const replica = (bench: Bench, name: string, more: object = {}): Record<string, unknown> =>
  bench.declared({ type: "read_only", __urn: urnOf(name), ...more });

/** A create that is killed after its answer arrived: the journal has the id, and the engine was told nothing. */
async function killedAfterAnswer(bench: Bench, declared: Record<string, unknown>): Promise<string> {
  const { id } = await bench.process().create(declared);
  change(bench, id, ({ told: _, ...entry }) => entry);
  bench.said.length = 0;
  return id;
}

/** Rewrites the entry of a compute. */
function change(bench: Bench, id: string, to: (entry: JournalEntry) => JournalEntry): void {
  for (const name of readdirSync(bench.journalFolder)) {
    const file = path.join(bench.journalFolder, name);
    const entry = JSON.parse(readFileSync(file, "utf8")) as JournalEntry;
    if (entry.endpointId === id) writeFileSync(file, JSON.stringify(to(entry)));
  }
}

const previewOf = (bench: Bench, declared: Record<string, unknown>): Promise<unknown> =>
  bench.process().handlers.check({}, { ...declared, __dryRun: true });

describe("a replica whose create was killed after its answer, and whose resource has another name by now", () => {
  it("is named in the preview, with the name of its resource", async () => {
    const bench = await openBench();
    const left = await killedAfterAnswer(bench, replica(bench, "db"));
    await previewOf(bench, replica(bench, "renamed"));
    expect(bench.said).toEqual([
      expect.stringMatching(
        new RegExp(
          `^warning: Compute ${left} is a replica of branch ${bench.branchId} too, made \\d+ min ago for resource "db"\\. Unless another resource holds it, a killed run may have left it behind\\. .*adopt: "${left}"`,
        ),
      ),
    ]);
  });

  it.each([{ isTold: false }, { isTold: true }])(
    "is named by the create of the new one, whether the engine was told: $isTold",
    async ({ isTold }) => {
      const bench = await openBench();
      const left = isTold
        ? (await bench.process().create(replica(bench, "db"))).id
        : await killedAfterAnswer(bench, replica(bench, "db"));
      const { id } = await bench.process().create(replica(bench, "renamed"));
      expect(bench.computes()).toEqual([left, id]);
      expect(bench.said).toEqual([
        expect.stringMatching(
          new RegExp(
            `^warning: Compute ${left} is a replica of branch .* for resource "db", and no resource of this run is known to hold it\\.`,
          ),
        ),
      ]);
    },
  );

  it("is not named in a preview where the engine was told of it: the state has it, most likely", async () => {
    const bench = await openBench();
    await bench.process().create(replica(bench, "db"));
    await previewOf(bench, replica(bench, "other"));
    expect(bench.said).toEqual([]);
  });

  it("is not named in a preview where a failed create left it in the state", async () => {
    const bench = await openBench();
    bench.emulator.addFault({ kind: "status", status: 500, route: "getOperation", times: 1_000 });
    await failureOf(bench.process().create(replica(bench, "db")));
    bench.emulator.clearFaults();
    expect(bench.computes()).toHaveLength(1);
    bench.said.length = 0;
    await previewOf(bench, replica(bench, "other"));
    expect(bench.said).toEqual([]);
  });

  it("is not named while a sibling of the same run takes it over, nor in the preview of that run", async () => {
    const bench = await openBench();
    const first = await killedAfterAnswer(bench, replica(bench, "first"));
    const second = await killedAfterAnswer(bench, replica(bench, "second"));
    const preview = bench.process();
    for (const name of ["first", "second"])
      await preview.handlers.check({}, replica(bench, name, { __dryRun: true }));
    const run = bench.process();
    for (const name of ["first", "second", "third"]) await run.handlers.check({}, replica(bench, name));
    await Promise.all(["third", "first", "second"].map((name) => run.create(replica(bench, name))));
    expect(bench.computes().slice(0, 2)).toEqual([first, second]);
    expect(bench.computes()).toHaveLength(3);
    expect(bench.said.join("\n")).not.toContain("is a replica of branch");
  });

  it.each([
    { reason: "of another stack", entry: {}, urn: urnOf("db", "prod") },
    {
      reason: "of a run that goes on",
      entry: { run: { pid: process.ppid, host: hashOf([hostname()]) } },
      urn: urnOf("db"),
    },
  ])("is not named where the create is $reason", async ({ entry, urn }) => {
    const bench = await openBench();
    const id = await killedAfterAnswer(bench, replica(bench, "db", { __urn: urn }));
    change(bench, id, (written) => ({ ...written, ...entry }));
    await previewOf(bench, replica(bench, "renamed"));
    await bench.process().create(replica(bench, "renamed"));
    expect(bench.said).toEqual([]);
  });

  it("is named where a run on another machine has the process number of a live one", async () => {
    const bench = await openBench();
    const id = await killedAfterAnswer(bench, replica(bench, "db"));
    change(bench, id, (written) => ({ ...written, run: { pid: process.ppid, host: hashOf(["other"]) } }));
    await previewOf(bench, replica(bench, "renamed"));
    expect(bench.said).toHaveLength(1);
  });
});

describe("a replacement that was cut off, and a program that asks for none any more", () => {
  /** What the state has, and the run that takes the change back. */
  async function reverted(
    bench: Bench,
    isAnswered: boolean,
  ): Promise<{ readonly stored: StateValues; readonly left: string }> {
    const run = bench.process();
    const { outs: stored } = await run.create(replica(bench, "db"));
    run.end();
    bench.clock.advance(120_000);
    const next = replica(bench, "db", { regionId: "region-2" });
    const left = isAnswered ? await killedAfterAnswer(bench, next) : await cutOff(bench, next);
    return { stored, left };
  }

  async function diff(bench: Bench, stored: StateValues): Promise<ReturnType<Bench["process"]>> {
    const run = bench.process();
    await run.handlers.check(replica(bench, "db"), replica(bench, "db"));
    await run.handlers.diff(stored.endpointId, { ...stored }, replica(bench, "db"));
    return run;
  }

  it.each([{ isAnswered: true }, { isAnswered: false }])(
    "names the compute on the row that keeps its own; answered: $isAnswered",
    async ({ isAnswered }) => {
      const bench = await openBench();
      const { stored, left } = await reverted(bench, isAnswered);
      await diff(bench, stored);
      expect(bench.said).toEqual([
        expect.stringMatching(
          new RegExp(
            `^warning: An earlier run created compute ${left} for this resource, which keeps ${stored.endpointId}: ${left} is in no state\\. If nobody needs it, delete it at the service`,
          ),
        ),
      ]);
    },
  );

  it("says nothing once it was deleted at the service, or is under another resource", async () => {
    const bench = await openBench();
    const { stored, left } = await reverted(bench, true);
    const adopting = replica(bench, "other", { adopt: left });
    const run = bench.process();
    await run.handlers.check({}, adopting);
    await run.create(adopting);
    bench.said.length = 0;
    await diff(bench, stored);
    bench.emulator.deleteEndpoint(left);
    await diff(bench, stored);
    expect(bench.said).toEqual([]);
  });

  it("names it beside a replica that the same run creates", async () => {
    const bench = await openBench();
    const { stored, left } = await reverted(bench, true);
    const run = await diff(bench, stored);
    bench.said.length = 0;
    await run.create(replica(bench, "new"));
    expect(bench.said.join("\n")).toContain(`Compute ${left} is a replica of branch`);
  });

  it("sends no request for it where the service is not asked", async () => {
    const bench = await openBench();
    const { stored } = await reverted(bench, true);
    bench.takeRoutes();
    const run = bench.process({ COMPUTE_LIVE_FACTS: "false" });
    await run.handlers.check(replica(bench, "db"), replica(bench, "db"));
    await run.handlers.diff(stored.endpointId, { ...stored }, replica(bench, "db"));
    expect(bench.takeRoutes()).toEqual([]);
  });
});
