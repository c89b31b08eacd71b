import type { ApiOperation } from "../../../../provider/service/schemas";
import { deadlineIn } from "../../../../provider/clock";
import { ComputeError, RequestError, type RequestErrorKind } from "../../../../provider/model/errors";
import {
  OperationFailedError,
  OperationLostError,
  waitForOperations,
  type ReadOperations,
  type Operations,
  type WaitProgress,
} from "../../../../provider/service/wait";
import { createFakeClock, type FakeClock } from "../../../support/fakeClock";

function operation(id: string, status: string, more: Partial<ApiOperation> = {}): ApiOperation {
  return { id, action: "start_compute", status, failures_count: 0, ...more };
}

const problem = { doing: "reading operation op-1", what: "the service answered", fix: "Try again" };

function failed(kind: RequestErrorKind, transient = true): RequestError {
  return new RequestError(problem, { kind, outcome: "refused", transient });
}

const noAnswer = new RequestError(problem, { kind: "connection", outcome: "unsent", transient: true });
const unreadable = new RequestError(problem, { kind: "unreadable", outcome: "refused" });

interface Waited {
  readonly clock: FakeClock;
  /** Ids of the operations looked at, in order. */
  readonly looks: string[];
  readonly progress: WaitProgress[];
  readonly result: Promise<readonly ApiOperation[]>;
}

/** @param script - by operation id: what each look answers or throws; the last one repeats. */
function waitFor(
  operations: readonly ApiOperation[],
  script: Readonly<Record<string, readonly (string | Error)[]>>,
  limitMs = 600_000,
): Waited {
  const clock = createFakeClock();
  const looks: string[] = [];
  const progress: WaitProgress[] = [];
  const taken = new Map<string, number>();
  const deadline = deadlineIn(limitMs, clock);
  const answered = ({ id }: ApiOperation): ApiOperation => {
    const answers = script[id] ?? [];
    const turn = taken.get(id) ?? 0;
    taken.set(id, turn + 1);
    const answer = answers[Math.min(turn, answers.length - 1)] ?? "finished";
    if (answer instanceof Error) throw answer;
    return operation(id, answer, { failures_count: answer === "failed" ? 2 : 0 });
  };
  const at: ReadOperations = async (seen, projectId, next) => {
    // A look is over when the wait is.
    expect([projectId, next.deadline]).toEqual(["p", deadline]);
    if (next.inMs > 0) await deadline.wait(next.inMs);
    looks.push(seen[0].id);
    return seen.map(answered) as unknown as Operations;
  };
  const result = waitForOperations(operations, at, {
    projectId: "p",
    doing: "creating compute ep-a",
    kind: "change",
    deadline,
    redact: (text) => text.replaceAll("s3cret", "[redacted]"),
    onProgress: (seen) => progress.push(seen),
  });
  return { clock, looks, progress, result };
}

/** Waits for one operation, whose reads answer so. */
const waitForOne = (answers: readonly (string | Error)[], limitMs?: number): Waited =>
  waitFor([operation("op-1", "running")], { "op-1": answers }, limitMs);

describe("waitForOperations", () => {
  it("neither sleeps nor looks for operations that have ended well", async () => {
    const { result, clock, looks } = waitFor(
      [operation("op-1", "finished"), operation("op-2", "skipped")],
      {},
    );
    await expect(result).resolves.toHaveLength(2);
    expect(clock.sleeps).toEqual([]);
    expect(looks).toEqual([]);
  });

  it("looks after half a second, then ever less often, and settles at the suggested five seconds", async () => {
    const { result, clock } = waitFor([operation("op-1", "scheduling")], {
      "op-1": [...Array<string>(7).fill("running"), "finished"],
    });
    await result;
    expect(clock.sleeps).toEqual([500, 500, 1_000, 2_250, 4_250, 5_000, 5_000, 5_000]);
  });

  it("waits in the order given, and reads later ones together with the first", async () => {
    const { result, looks, clock } = waitFor(
      [operation("op-1", "running"), operation("op-2", "scheduling"), operation("op-3", "scheduling")],
      { "op-1": ["finished"], "op-2": ["finished"], "op-3": ["running", "finished"] },
    );
    await expect(result.then((all) => all.map(({ id, status }) => `${id} ${status}`))).resolves.toEqual([
      "op-1 finished",
      "op-2 finished",
      "op-3 finished",
    ]);
    expect(looks).toEqual(["op-1", "op-3"]);
    expect(clock.sleeps).toEqual([500, 500]);
  });

  it.each<{ more: Partial<ApiOperation>; says: string; reason: string }>([
    {
      more: { failures_count: 3, error: "no room, key s3cret" },
      says: " after 3 failures (no room, key [redacted])",
      reason: "how often, and why, without secrets",
    },
    { more: { error: "x".repeat(1_000) }, says: ` (${"x".repeat(300)})`, reason: "300 characters" },
    { more: { failures_count: 1 }, says: "", reason: "one failure is what `failed` means" },
    { more: { failures_count: null }, says: "", reason: "a service may not count" },
    { more: { error: "" }, says: "", reason: "an empty explanation is none" },
    { more: { error: null }, says: "", reason: "nor is null" },
    { more: {}, says: "", reason: "nothing is said of it" },
  ])("says of a failure what the service says: $reason", async ({ more, says }) => {
    const { result } = waitFor([operation("op-1", "failed", more)], {});
    await expect(result).rejects.toMatchObject({ name: "OperationFailedError" });
    await expect(result).rejects.toThrow(
      `operation start_compute (op-1) ended as failed${says}. The compute exists and stays in the state`,
    );
  });

  it("leaves the later operations alone once one has failed", async () => {
    const { result, looks } = waitFor([operation("op-1", "running"), operation("op-2", "scheduling")], {
      "op-1": ["cancelled"],
    });
    await expect(result).rejects.toThrow(OperationFailedError);
    await expect(result).rejects.toThrow("operation start_compute (op-1) ended as cancelled");
    expect(looks).toEqual(["op-1"]);
  });

  it("takes a last look at the deadline itself", async () => {
    const { result, clock } = waitForOne(["running", "finished"], 800);
    await expect(result).resolves.toHaveLength(1);
    expect(clock.sleeps).toEqual([500, 300]);
    expect(clock.monotonicMs()).toBe(800);
  });

  it("reports the last status when the limit passes, and keeps the limit to the millisecond", async () => {
    const { result, clock } = waitFor([operation("op-1", "scheduling")], { "op-1": ["running"] }, 10_000);
    await expect(result).rejects.toThrow(ComputeError);
    await expect(result).rejects.toThrow(
      "operation start_compute (op-1) was still running after 10 s. `pulumi up` goes on waiting",
    );
    expect(clock.sleeps).toEqual([500, 500, 1_000, 2_250, 4_250, 1_500]);
    expect(clock.monotonicMs()).toBe(10_000);
  });

  it("shares one deadline among all operations", async () => {
    const { result, clock } = waitFor(
      [operation("op-1", "running"), operation("op-2", "scheduling")],
      { "op-1": ["finished"], "op-2": ["running"] },
      3_000,
    );
    await expect(result).rejects.toThrow("op-2) was still running after 3 s");
    expect(clock.monotonicMs()).toBe(3_000);
  });

  it.each([
    { failure: failed("busy"), reason: "the service restarts" },
    { failure: failed("throttled"), reason: "too many requests" },
    { failure: noAnswer, reason: "the network is gone for a moment" },
    { failure: unreadable, reason: "a page instead of JSON" },
    { failure: failed("notFound", false), reason: "one replica of the service does not know it yet" },
  ])("forgives two failed looks in a row, each time: $reason", async ({ failure }) => {
    const { result, clock } = waitForOne([failure, failure, "running", failure, failure, "finished"]);
    await expect(result).resolves.toHaveLength(1);
    expect(clock.sleeps.slice(0, 3)).toEqual([500, 1_000, 2_000]);
  });

  it("gives up after three failed looks in a row, with what they said", async () => {
    const { result, looks } = waitForOne([failed("busy")]);
    await expect(result).rejects.toMatchObject({ kind: "busy" });
    expect(looks).toHaveLength(3);
  });

  it("does not look again at the deadline, even where a failed look is forgiven", async () => {
    const { result, looks, clock } = waitForOne([failed("busy")], 1_500);
    await expect(result).rejects.toMatchObject({ kind: "busy" });
    expect(looks).toHaveLength(2);
    expect(clock.sleeps).toEqual([500, 1_000]);
  });

  it.each([
    ["the key is no longer right, or a redirect leads elsewhere", failed("refused", false)],
    ["the request is wrong each time", failed("badInput", false)],
    ["something in between says that it is not there", failed("notFoundBetween", false)],
    ["a bug is no weather", new TypeError("a bug of ours")],
  ])("does not look again where that cannot help: %s", async (_reason, failure) => {
    const { result, looks } = waitForOne([failure]);
    await expect(result).rejects.toBe(failure);
    expect(looks).toHaveLength(1);
  });

  it("names an operation that the service no longer knows", async () => {
    const { result } = waitForOne([failed("notFound", false)]);
    await expect(result).rejects.toThrow(OperationLostError);
    await expect(result).rejects.toMatchObject({ name: "OperationLostError" });
    await expect(result).rejects.toThrow(
      "the service no longer knows operation start_compute (op-1), last seen running",
    );
  });

  it("tells what is awaited with every look", async () => {
    const { result, progress } = waitFor([operation("op-1", "scheduling")], {
      "op-1": ["running", "finished"],
    });
    await result;
    expect(progress.map((seen) => [seen.operation.status, seen.elapsedMs])).toEqual([
      ["scheduling", 0],
      ["running", 500],
      ["finished", 1_000],
    ]);
  });
});
