import { answers, created, failureOf, lost, partialFailureOf, size } from "./bench";
import { bench, reopen } from "./eachTest";

/** What something comes to, which takes less than so long on the clock of the bench. */
async function within<T>(seconds: number, act: () => Promise<T>): Promise<T> {
  const startMs = bench.clock.monotonicMs();
  const result = await act();
  expect(bench.clock.monotonicMs() - startMs).toBeLessThan(seconds * 1_000);
  return result;
}

/** An operation of the project that never ends, and has nothing to do with what we want. */
function neverEnding(): void {
  bench.emulator.setTimeline({ stuck: "running", times: 1 });
  bench.emulator.updateEndpoint(bench.defaultPrimaryId, { autoscaling_limit_max_cu: 4 });
}

describe("a move to a branch that has its primary, while another operation of the project never ends", () => {
  it.each([409, 400, 412, 422] as const)(
    "is refused at once with that primary's name, not after its timeout: answered %d",
    async (secondPrimaryStatus) => {
      await reopen({ switches: { secondPrimaryStatus } });
      const state = await created(bench);
      neverEnding();
      const { message } = await within(5, () =>
        failureOf(bench.update(state, { ...size(1), branchId: bench.defaultBranchId })),
      );
      expect(message).toContain(`compute ${bench.defaultPrimaryId}`);
    },
  );

  it("gives its turn in the project back: a sibling's write does not wait for it", async () => {
    const state = await created(bench);
    const branchId = bench.emptyBranch();
    neverEnding();
    const run = bench.process();
    const moved = bench.declared({ ...size(1), branchId: bench.defaultBranchId });
    await within(10, () =>
      Promise.all([
        failureOf(run.update(state, moved)),
        run.create(bench.declared({ __urn: "urn:sibling", branchId })),
      ]),
    );
  });

  it("is refused by a create as soon", async () => {
    neverEnding();
    bench.spoil("listEndpoints", { kind: "stale" });
    bench.madeByOthers();
    const { message } = await within(10, () => failureOf(bench.create()));
    expect(message).toContain("has its one primary already");
  });
});

describe("a conflict that is no lock", () => {
  it("ends the write after a few tries, though an operation runs for ever", async () => {
    const state = await created(bench);
    neverEnding();
    const body = { code: "CONFLICT", message: "not now" };
    bench.spoil("updateEndpoint", answers(409, { body, times: 1_000 }));
    const { message } = await within(150, () => failureOf(bench.update(state, size(2))));
    expect(message).toContain("the service answered 409 (CONFLICT: not now)");
    expect(bench.sent("updateEndpoint")).toBeLessThanOrEqual(6);
  });
});

describe("a service that says to come back tomorrow", () => {
  const tomorrow = answers(429, { headers: { "Retry-After": "86400" }, times: 1_000 });

  it.each([1, 10])("ends a refresh of %d projects at once, with the time to come back", async (count) => {
    bench.emulator.addFault(tomorrow);
    const run = bench.process();
    const refresh = Array.from({ length: count }, (_, index) =>
      failureOf(run.read("ep-a", { endpointId: "ep-a", projectId: `project-${index}`, __managed: [] })),
    );
    const failures = await within(10, () => Promise.all(refresh));
    for (const { message } of failures) expect(message).toMatch(/un the same command again in 24 h/);
  });

  it.each([
    { reason: "of a second", retryAfter: "86400", says: "in 24 h" },
    { reason: "a date", retryAfter: "Wed, 07 Jan 2026 08:00:05 GMT", says: "in 48 h" },
  ])("ends a create at once too, with one request: $reason", async ({ retryAfter, says }) => {
    bench.spoil("createEndpoint", { ...tomorrow, headers: { "Retry-After": retryAfter } });
    const { message } = await within(10, () => failureOf(bench.create()));
    expect(message).toContain(says);
    expect(bench.sent("createEndpoint")).toBe(1);
    expect(bench.computes()).toEqual([]);
  });

  it.each([503, 423])("ends a change at once where it says so with %d", async (status) => {
    const state = await created(bench);
    bench.spoil("updateEndpoint", { ...tomorrow, status });
    const { message } = await within(60, () => failureOf(bench.update(state, size(2))));
    expect(message).toMatch(/again in 24 h/);
  });

  it("is waited for where it asks for less than a minute", async () => {
    bench.spoil("createEndpoint", { ...tomorrow, headers: { "Retry-After": "30" }, times: 1 });
    const startMs = bench.clock.monotonicMs();
    await bench.create();
    expect(bench.clock.monotonicMs() - startMs).toBeGreaterThanOrEqual(30_000);
  });
});

describe("timeouts", () => {
  const short = { timeouts: { create: 5, update: 5, delete: 5 } };

  it.each([
    { reason: "503", fault: answers(503) },
    { reason: "429", fault: answers(429) },
    { reason: "429 with a Retry-After of 40 s", fault: answers(429, { headers: { "Retry-After": "40" } }) },
  ])("bound each write that is answered $reason for good", async ({ fault }) => {
    const state = await created(bench, short);
    const declared = bench.declared({ ...size(2), ...short });
    const sibling = bench.declared({ ...short, type: "read_only", __urn: "urn:sibling" });
    for (const method of ["POST", "PATCH", "DELETE"])
      bench.emulator.addFault({ ...fault, method, times: 10_000 });
    for (const step of [
      () => bench.create(sibling),
      () => bench.update(state, declared),
      () => bench.destroy(state),
    ]) {
      const { message } = await within(30, () => failureOf(step()));
      expect(message).toMatch(/the service answered (503|429)|the rate limit leaves no room/);
    }
    expect(bench.computes()).toEqual([state.endpointId]);
  });

  it("bound the look before a create, though it is shared with others: a service that hangs", async () => {
    bench.emulator.addFault({ kind: "delay", delayMs: 60_000, times: 1_000 });
    // What is bounded is the wait for an answer, on the real clock: a second, and five for the last answer.
    const startMs = performance.now();
    await expect(bench.create({ timeouts: { create: 1 } })).rejects.toThrow(
      /listing the computes of project \S+: no answer within the time limit\. .*a longer wait is set with `timeouts`/,
    );
    expect(performance.now() - startMs).toBeLessThan(9_000);
  });
});

it("a read shows on its row that it tries again", async () => {
  const state = await created(bench);
  bench.spoil("listEndpoints", answers(503));
  await bench.read(state);
  expect(bench.progress).toContainEqual(expect.stringMatching(/^no good answer; attempt 2 in \d+\.\d s$/));
});

it("a failed list of operations says that the compute is in the state", async () => {
  await reopen({ switches: { restartBody: "empty" } });
  bench.spoil("createEndpoint", lost);
  bench.spoil("listOperations", answers(403, { times: 99 }));
  const { id, reason } = await partialFailureOf(bench.create());
  expect(bench.computes()).toEqual([id]);
  expect(reason).toMatch(
    /the compute exists and stays in the state, but its operations cannot be listed \(the service answered 403.*`pulumi up` goes on waiting/,
  );
});
