import { answers, created, failureOf, lost } from "./bench";
import { bench, reopen } from "./eachTest";

/** Creates replicas of one branch, side by side in one process. */
async function createMany(count: number): Promise<readonly string[]> {
  const provider = bench.process();
  const made = await Promise.all(
    Array.from({ length: count }, (_, index) => provider.create(bench.replica(`replica-${index}`))),
  );
  return made.map(({ id }) => id);
}

describe("many creates at once", () => {
  it("make one compute each, and share their looks: few more requests than creates", async () => {
    const ids = await createMany(50);
    expect([...bench.computes()].sort()).toEqual([...ids].sort());
    expect(bench.sent("createEndpoint")).toBe(50);
    expect(bench.takeRoutes().length).toBeLessThan(50 + 40);
  });

  it.each(["missing-cursor", "missing-pagination", "empty-page", "empty-string", "repeat-cursor"] as const)(
    "come to their end however the list of operations ends: %s",
    async (endOfList) => {
      await reopen({ switches: { endOfList, defaultLimit: 3, maxLimit: 3 } });
      await expect(createMany(8)).resolves.toHaveLength(8);
    },
  );
});

describe("a project that is locked while an operation runs", () => {
  it("takes many creates one after the other, without hammering", async () => {
    await reopen({ switches: { lock: "project" } });
    const ids = await createMany(10);
    expect(new Set(ids).size).toBe(10);
    const refused = bench.emulator.requests().filter(({ status }) => status === 423);
    expect(refused.length).toBeLessThanOrEqual(2);
  });

  it.each([
    { limitStatus: 422, reason: "a page of ours is refused with 422" },
    { limitStatus: 500, reason: "its operations cannot be listed" },
  ])("is written to once it is free, though $reason", async ({ limitStatus }) => {
    await reopen({ switches: { lock: "project" } });
    bench.emulator.setTimeline({ action: "check_availability", runningMs: 5_000 });
    bench.spoil("listOperations", answers(limitStatus, { times: 1_000 }));
    bench.emulator.checkAvailability(bench.projectId);
    const startMs = bench.clock.monotonicMs();
    await bench.create();
    expect(bench.clock.monotonicMs() - startMs).toBeLessThan(60_000);
  });

  it("is written to though an operation that locks nothing never ends", async () => {
    bench.emulator.setTimeline({ action: "check_availability", stuck: "running" });
    bench.emulator.checkAvailability(bench.projectId);
    bench.spoil("createEndpoint", answers(423));
    const startMs = bench.clock.monotonicMs();
    await bench.create();
    expect(bench.clock.monotonicMs() - startMs).toBeLessThan(60_000);
  });

  it("does not hold up a create with less time than another one's Retry-After", async () => {
    bench.emulator.setTimeline({ action: "start_compute", runningMs: 600_000 });
    const headers = { "retry-after": "60" };
    bench.spoil("getOperation", answers(429, { headers }));
    const process = bench.process();
    const patient = process.create(bench.declared({ __urn: "urn:a", timeouts: { create: 300 } }));
    const branchId = bench.emptyBranch();
    const startMs = bench.clock.monotonicMs();
    const hurried = bench.declared({ __urn: "urn:b", branchId, timeouts: { create: 10 } });
    await failureOf(process.create(hurried));
    expect(bench.clock.monotonicMs() - startMs).toBeLessThan(16_000);
    await failureOf(patient);
  });
});

describe("replicas of one branch", () => {
  it("take none of two that fit, where another team makes the same while an answer is lost", async () => {
    bench.spoil("createEndpoint", lost);
    const creating = failureOf(bench.create(bench.replica()));
    await bench.untilSent("createEndpoint");
    bench.madeByOthers({ type: "read_only" });
    const { message } = await creating;
    expect(bench.computes().filter((id) => message.includes(`adopt: "${id}"`))).toHaveLength(2);
  });

  it("take nothing while another of them waits for its answer, whose it may be", async () => {
    const process = bench.process();
    bench.spoil("createEndpoint", { kind: "cut" }, lost);
    const ends = ["a", "b"].map((name) => failureOf(process.create(bench.replica(name))));
    for (const { message } of await Promise.all(ends))
      expect(message).toContain(`adopt: "${bench.computes()[0] ?? ""}"`);
    expect(bench.computes()).toHaveLength(1);
  });

  it.each([
    { reason: "alone", lock: "off", faults: [{ ...lost, after: 2 }], sent: 6 },
    { reason: "while others wait for a lock", lock: "project", faults: [{ ...lost, after: 3 }], sent: 8 },
    { reason: "and another is refused with 429", lock: "off", faults: [lost, answers(429)], sent: 7 },
  ] as const)("find their own where one answer is cut, $reason", async ({ lock, faults, sent }) => {
    await reopen({ switches: { lock } });
    const process = bench.process();
    bench.spoil("createEndpoint", ...faults);
    const names = ["a", "b", "c", "d", "e", "f"];
    const made = await Promise.all(names.map((name) => process.create(bench.replica(name))));
    expect([...bench.computes()].sort()).toEqual(made.map(({ id }) => id).sort());
    expect(bench.sent("createEndpoint")).toBeLessThanOrEqual(sent);
  });
});

describe("replicas of one branch that two providers of a program create", () => {
  it("are told by name of the one that either may have made, where neither got an answer", async () => {
    bench.spoil("createEndpoint", lost, answers(502));
    const made = await Promise.all(["a", "b"].map((name) => bench.create(bench.replica(name))));
    const [id = ""] = bench.computes();
    expect(bench.computes()).toEqual([id]);
    expect(made.map((one) => one.id)).toEqual([id, id]);
    // Provider processes do not know each other: each row says what to do.
    expect(bench.said).toHaveLength(2);
    for (const text of bench.said)
      expect(text).toMatch(
        new RegExp(`Compute ${id} is on the branch since then, .*run \`pulumi state delete\``),
      );
    // One of the two does.
    expect((await bench.create(bench.replica("b"))).id).not.toBe(id);
  });
});

describe("a stranger's primary that comes while a create waits for its turn", () => {
  it("is refused by name, then and in the next run", async () => {
    await reopen({ switches: { lock: "project" } });
    bench.emulator.setTimeline({ action: "start_compute", runningMs: 30_000, times: 1 });
    const branchId = bench.emptyBranch();
    const process = bench.process();
    const first = process.create(bench.declared({ __urn: "urn:first" }));
    await bench.untilSent("createEndpoint");
    // The list of its intent is from before the stranger came.
    bench.spoil("listEndpoints", { kind: "stale" });
    const refused = failureOf(process.create(bench.declared({ __urn: "urn:second", branchId })));
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
