import { readConfig } from "../../../../provider/settings/config";
import path from "node:path";
import { createJournal, type JournalEntry } from "../../../../provider/writes/journal";
import { ownerOf } from "../../../../provider/writes/openJournal";
import { answers, failureOf, openBench, created, urnOf, lost, type Bench } from "./bench";
import { exportOf } from "./killed";

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});

/** A journal that the test can write to, for runs that were killed. */
async function openLives(): Promise<{
  readonly environment: NodeJS.ProcessEnv;
  /** What a killed run left of a create. */
  leave(urn: string, more?: Partial<JournalEntry>): Promise<void>;
  /** What check and diff do once the state holds a compute. */
  seeStored(urn: string, endpointId: string): Promise<unknown>;
  find(urn: string): Promise<JournalEntry | undefined>;
}> {
  const folder = path.join(path.dirname(bench.journalFolder), "siblings");
  const journal = createJournal(folder, () => bench.clock.now());
  const ownerFor = (urn: string): string =>
    ownerOf(urn, {
      baseUrl: bench.emulator.url,
      backend: readConfig(() => undefined).backend,
    });
  return Promise.resolve({
    environment: { COMPUTE_JOURNAL_FOLDER: folder },
    leave: (urn, more = {}) =>
      journal.write({
        owner: ownerFor(urn),
        projectId: bench.projectId,
        branchId: bench.branchId,
        type: "read_only",
        baseline: [],
        intentAtMs: bench.clock.now(),
        ...more,
      }),
    seeStored: (urn, endpointId) => journal.forget(ownerFor(urn), endpointId),
    find: (urn) => journal.find(ownerFor(urn)),
  });
}

describe("replicas of one branch", () => {
  it.each([1, 2])(
    "never take over a sibling's compute after a lost create beside %d others",
    async (others) => {
      const lives = await openLives();
      const first = bench.process(lives.environment);
      bench.spoil("createEndpoint", answers(500, { after: others }));
      const urns = ["a", "b", "c"].slice(0, others + 1);
      const ends = await Promise.allSettled(urns.map((name) => first.create(bench.replica(name))));
      let lost = "";
      for (const [index, end] of ends.entries()) {
        const name = urns[index]!;
        if (end.status === "fulfilled") await lives.seeStored(urnOf(name), end.value.id);
        else lost = name;
      }
      const before = bench.computes();
      bench.backend.exported = exportOf({ ids: before });
      bench.clock.advance(60_000);
      const { id } = await bench.process(lives.environment).up(bench.replica(lost));
      expect(before).not.toContain(id);
      expect(bench.computes()).toHaveLength(others + 1);
    },
  );

  it("leave no list of the others on disk once their own is known", async () => {
    const lives = await openLives();
    const run = bench.process(lives.environment);
    await run.create(bench.replica("a"));
    const { id } = await run.create(bench.replica("b"));
    await expect(lives.find(urnOf("b"))).resolves.toMatchObject({ endpointId: id, baseline: [] });
  });

  it.each([
    { reason: "alone", lock: "off", faults: [{ ...lost, after: 2 }], sent: 6 },
    { reason: "while others wait for a lock", lock: "project", faults: [{ ...lost, after: 3 }], sent: 8 },
    { reason: "and another is refused with 429", lock: "off", faults: [lost, answers(429)], sent: 7 },
  ] as const)("find their own where one answer is cut, $reason", async ({ lock, faults, sent }) => {
    bench = await openBench({ switches: { lock } });
    const process = bench.process();
    bench.spoil("createEndpoint", ...faults);
    const names = ["a", "b", "c", "d", "e", "f"];
    const made = await Promise.all(names.map((name) => process.create(bench.replica(name))));
    expect([...bench.computes()].sort()).toEqual(made.map(({ id }) => id).sort());
    expect(bench.sent("createEndpoint")).toBeLessThanOrEqual(sent);
  });

  it("are not doubled by a list that is behind the truth, where the answer named the compute", async () => {
    const lives = await openLives();
    bench.spoil("listEndpoints", { kind: "stale", times: 2 });
    const id = bench.madeByOthers({ type: "read_only" });
    await lives.leave(urnOf("a"), { endpointId: id });
    await expect(bench.create(bench.replica("a"), lives.environment)).rejects.toThrow("is not listed yet");
    const taken = await bench.create(bench.replica("a"), lives.environment);
    expect(taken.id).toBe(id);
    expect(bench.computes()).toEqual([id]);
  });
});

describe("a stranger's primary that comes while a create waits for its turn", () => {
  it("is refused by name, then and in the next run", async () => {
    bench = await openBench({ switches: { lock: "project" } });
    const lives = await openLives();
    bench.emulator.setTimeline({ action: "start_compute", runningMs: 30_000, times: 1 });
    const branchId = bench.emptyBranch();
    const process = bench.process(lives.environment);
    const first = process.create(bench.declared({ __urn: "urn:first" }));
    const second = process.create(bench.declared({ __urn: "urn:second", branchId }));
    const refused = failureOf(second);
    await bench.untilSent("createEndpoint");
    const stranger = bench.madeByOthers({ branch_id: branchId });
    await first;
    expect((await refused).message).toContain(`compute ${stranger}`);
    expect(
      (await failureOf(bench.create({ __urn: "urn:second", branchId }, lives.environment))).message,
    ).toContain(`adopt: "${stranger}"`);
  });
});

describe("a compute to adopt", () => {
  it("is looked at in the turn: one that went while it waited is an error", async () => {
    const state = await created(bench);
    const process = bench.process();
    bench.spoil("createEndpoint", answers(429, { headers: { "retry-after": "20" } }));
    const first = process.create(bench.declared({ __urn: "urn:first", branchId: bench.emptyBranch() }));
    await bench.untilSent("createEndpoint");
    const adopting = failureOf(
      process.create(bench.declared({ __urn: "urn:second", adopt: state.endpointId })),
    );
    bench.emulator.deleteEndpoint(state.endpointId);
    expect((await adopting).message).toContain("has no such compute");
    await first;
  });

  it("may have failed to start before: its past is its own", async () => {
    bench.emulator.setTimeline({ action: "start_compute", endStatus: "failed", times: 1 });
    const id = bench.madeByOthers();
    bench.clock.advance(60_000);
    const { outs } = await bench.create({ adopt: id });
    expect(outs.endpointId).toBe(id);
  });
});
