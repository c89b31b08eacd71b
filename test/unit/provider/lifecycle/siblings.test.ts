import { readFileSync } from "node:fs";
import { answers, failureOf, openBench, created, lost, type Bench } from "./bench";
import { notesOf } from "./killed";

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});

describe("replicas of one branch", () => {
  it("leave no list of the others on disk once their own is known", async () => {
    await bench.create(bench.replica("a"));
    bench.loseJournal();
    await bench.create(bench.replica("b"));
    const [note = ""] = notesOf(bench);
    expect(JSON.parse(readFileSync(note, "utf8"))).toMatchObject({ baseline: [] });
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
});

describe("a stranger's primary that comes while a create waits for its turn", () => {
  it("is refused by name, then and in the next run", async () => {
    bench = await openBench({ switches: { lock: "project" } });
    bench.emulator.setTimeline({ action: "start_compute", runningMs: 30_000, times: 1 });
    const branchId = bench.emptyBranch();
    const process = bench.process();
    const first = process.create(bench.declared({ __urn: "urn:first" }));
    const second = process.create(bench.declared({ __urn: "urn:second", branchId }));
    const refused = failureOf(second);
    await bench.untilSent("createEndpoint");
    const stranger = bench.madeByOthers({ branch_id: branchId });
    await first;
    expect((await refused).message).toContain(`compute ${stranger}`);
    await expect(bench.create({ __urn: "urn:second", branchId })).rejects.toThrow(`adopt: "${stranger}"`);
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
});
