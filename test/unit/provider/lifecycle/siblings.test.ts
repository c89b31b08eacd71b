import { readConfig } from "../../../../provider/settings/config";
import path from "node:path";
import { createJournal, type JournalEntry } from "../../../../provider/writes/journal";
import { ownerOf } from "../../../../provider/writes/openJournal";
import { answers, closeBenches, failureOf, openBench, withCompute, type Bench } from "./bench";
import { exportOf } from "./killed";

afterEach(closeBenches);

/** A journal that the test can write to, for runs that were killed. */
async function openLives(bench: Bench): Promise<{
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

const replica = (bench: Bench, name: string): Record<string, unknown> =>
  bench.declared({ type: "read_only", __urn: `urn:${name}` });

describe("replicas of one branch", () => {
  it.each([1, 2])(
    "never take over a sibling's compute after a lost create beside %d others",
    async (others) => {
      const bench = await openBench();
      const lives = await openLives(bench);
      const first = bench.process(lives.environment);
      bench.spoil("createEndpoint", answers(500, { after: others }));
      const urns = ["a", "b", "c"].slice(0, others + 1);
      const ends = await Promise.allSettled(urns.map((name) => first.create(replica(bench, name))));
      let lost = "";
      for (const [index, end] of ends.entries()) {
        const name = urns[index]!;
        if (end.status === "fulfilled") await lives.seeStored(`urn:${name}`, end.value.id);
        else lost = name;
      }
      const before = bench.computes();
      bench.backend.exported = exportOf({ ids: before });
      bench.clock.advance(60_000);
      const next = bench.process(lives.environment);
      await next.handlers.check({}, replica(bench, lost));
      const { id } = await next.create(replica(bench, lost));
      expect(before).not.toContain(id);
      expect(bench.computes()).toHaveLength(others + 1);
    },
  );

  it("leave no list of the others on disk once their own is known", async () => {
    const bench = await openBench();
    const lives = await openLives(bench);
    const run = bench.process(lives.environment);
    await run.create(replica(bench, "a"));
    const { id } = await run.create(replica(bench, "b"));
    await expect(lives.find("urn:b")).resolves.toMatchObject({ endpointId: id, baseline: [] });
  });

  it("find their own where one answer is cut while others wait for a locked project", async () => {
    const bench = await openBench({ switches: { lock: "project" } });
    const process = bench.process();
    bench.spoil("createEndpoint", { kind: "cut", when: "after", after: 3 });
    const names = ["a", "b", "c", "d", "e", "f"];
    const made = await Promise.all(names.map((name) => process.create(replica(bench, name))));
    expect(new Set(made.map(({ id }) => id)).size).toBe(names.length);
    expect(bench.computes()).toHaveLength(names.length);
  });

  it("find their own where one answer is cut and another create is refused with 429", async () => {
    const bench = await openBench();
    const process = bench.process();
    bench.spoil("createEndpoint", { kind: "cut", when: "after" });
    bench.spoil("createEndpoint", answers(429));
    const names = ["a", "b", "c"];
    const made = await Promise.all(names.map((name) => process.create(replica(bench, name))));
    expect(new Set(made.map(({ id }) => id)).size).toBe(names.length);
    expect(bench.computes()).toHaveLength(names.length);
  });

  it("are not doubled by a list that is behind the truth, where the answer named the compute", async () => {
    const bench = await openBench();
    const lives = await openLives(bench);
    bench.spoil("listEndpoints", { kind: "stale", times: 2 });
    const { id } = bench.emulator.createEndpoint(bench.projectId, {
      branch_id: bench.branchId,
      type: "read_only",
    }).endpoint;
    await lives.leave("urn:a", { endpointId: id });
    await expect(bench.create(replica(bench, "a"), lives.environment)).rejects.toThrow("is not listed yet");
    const taken = await bench.create(replica(bench, "a"), lives.environment);
    expect(taken.id).toBe(id);
    expect(bench.computes()).toEqual([id]);
  });
});

describe("a stranger's primary that comes while a create waits for its turn", () => {
  it("is refused by name, then and in the next run", async () => {
    const bench = await openBench({ switches: { lock: "project" } });
    const lives = await openLives(bench);
    bench.emulator.setTimeline({ action: "start_compute", runningMs: 30_000, times: 1 });
    const branchId = bench.emptyBranch();
    const process = bench.process(lives.environment);
    const first = process.create(bench.declared({ __urn: "urn:first" }));
    const second = process.create(bench.declared({ __urn: "urn:second", branchId }));
    const refused = failureOf(second);
    while (bench.computes().length === 0) await new Promise((resolve) => setImmediate(resolve));
    const stranger = bench.emulator.createEndpoint(bench.projectId, {
      branch_id: branchId,
      type: "read_write",
    }).endpoint.id;
    await first;
    expect((await refused).message).toContain(`compute ${stranger}`);
    expect(
      (await failureOf(bench.create({ __urn: "urn:second", branchId }, lives.environment))).message,
    ).toContain(`adopt: "${stranger}"`);
  });
});

describe("a compute to adopt", () => {
  it("is looked at in the turn: one that went while it waited is an error", async () => {
    const { bench, state } = await withCompute();
    const process = bench.process();
    bench.spoil("createEndpoint", answers(429, { headers: { "retry-after": "20" } }));
    const first = process.create(bench.declared({ __urn: "urn:first", branchId: bench.emptyBranch() }));
    while (bench.emulator.requests().every(({ route }) => route !== "createEndpoint"))
      await new Promise((resolve) => setImmediate(resolve));
    const adopting = failureOf(
      process.create(bench.declared({ __urn: "urn:second", adopt: state.endpointId })),
    );
    bench.emulator.deleteEndpoint(state.endpointId);
    expect((await adopting).message).toContain("has no such compute");
    await first;
  });

  it("may have failed to start before: its past is its own", async () => {
    const bench = await openBench();
    bench.emulator.setTimeline({ action: "start_compute", endStatus: "failed", times: 1 });
    const { id } = bench.emulator.createEndpoint(bench.projectId, {
      branch_id: bench.branchId,
      type: "read_write",
    }).endpoint;
    bench.clock.advance(60_000);
    const { outs } = await bench.create({ adopt: id });
    expect(outs.endpointId).toBe(id);
  });
});
