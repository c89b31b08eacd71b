import { deadlineIn } from "../../../../provider/clock";
import { hasEnded, outcomeOf } from "../../../../provider/service/observation";
import type { ApiOperation } from "../../../../provider/service/schemas";
import { waitForOperations, type Operations } from "../../../../provider/service/wait";
import { createFakeClock } from "../../../support/fakeClock";
import { failureAs } from "./scripted";

function operation(id: string, status = "running", more: Partial<ApiOperation> = {}): ApiOperation {
  return { id, action: "start_compute", status, failures_count: 0, ...more };
}

/** @param script - what each read of an operation answers or throws, by operation id; the last one repeats. */
function waitFor(
  operations: readonly ApiOperation[],
  script: Readonly<Record<string, readonly (string | Error)[]>> = {},
  limitMs = 600_000,
) {
  const clock = createFakeClock();
  const reads: string[] = [];
  const left = new Map(Object.entries(script).map(([id, answers]) => [id, [...answers]]));
  const deadline = deadlineIn(limitMs, clock);
  const answered = ({ id }: ApiOperation): ApiOperation => {
    const [next = "finished", ...later] = left.get(id) ?? [];
    if (later.length > 0) left.set(id, later);
    if (next instanceof Error) throw next;
    return operation(id, next, { failures_count: next === "failed" ? 2 : 0 });
  };
  const result = waitForOperations(
    operations,
    async (seen, projectId, next) => {
      // A read shares the deadline of the wait.
      expect([projectId, next.deadline]).toEqual(["p", deadline]);
      if (next.inMs > 0) await deadline.wait(next.inMs);
      reads.push(seen[0].id);
      return seen.map(answered) as unknown as Operations;
    },
    {
      projectId: "p",
      doing: "creating compute ep-a",
      kind: "change",
      deadline,
      redact: (text) => text.replaceAll("s3cret", "[redacted]"),
      onProgress: () => undefined,
    },
  );
  return { clock, reads, result };
}

/** Waits for one operation whose reads give these answers. */
const waitForOne = (answers: readonly (string | Error)[], limitMs?: number) =>
  waitFor([operation("op-1")], { "op-1": answers }, limitMs);

describe("a wait", () => {
  it.each<[says: string, reason: string, more: Partial<ApiOperation>]>([
    [
      " after 3 attempts (no room, key [redacted])",
      "how often, and why, without secrets",
      { failures_count: 3, error: "no room, key s3cret" },
    ],
    [` (${"x".repeat(300)})`, "the first 300 characters of the error", { error: "x".repeat(1_000) }],
    ["", "a single failure is not counted: `failed` says it", { failures_count: 1 }],
  ])("reports a failure%s: %s", async (says, _reason, more) => {
    const { result } = waitFor([operation("op-1", "failed", more)]);
    await expect(result).rejects.toMatchObject({ name: "OperationFailedError" });
    await expect(result).rejects.toThrow(
      `operation start_compute (op-1) failed${says}. The compute exists and stays in the state`,
    );
  });

  it.each([
    ["the service restarts", failureAs("busy", { transient: true })],
    ["the network fails for a moment", failureAs("connection")],
    ["a page instead of JSON", failureAs("unreadable")],
    ["nothing instead of JSON", failureAs("empty")],
    ["one replica of the service does not know the operation yet", failureAs("notFound")],
  ])("tolerates two failed reads in a row, again and again: %s", async (_reason, failure) => {
    const { result, clock } = waitForOne([failure, failure, "running", failure, failure, "finished"]);
    await expect(result).resolves.toHaveLength(1);
    expect(clock.sleeps.slice(0, 3)).toEqual([500, 1_000, 2_000]);
  });

  it.each([
    { failure: failureAs("busy", { transient: true }), reads: 3, reason: "the third in a row is the last" },
    { failure: failureAs("busy", { transient: true }), limitMs: 1_500, reads: 2, reason: "its time is over" },
    { failure: failureAs("notFoundBetween"), reads: 1, reason: "a gateway in between has no such page" },
  ])("gives up after $reads failed reads: $reason", async ({ failure, reads, limitMs }) => {
    const wait = waitForOne([failure], limitMs);
    await expect(wait.result).rejects.toBe(failure);
    expect(wait.reads).toHaveLength(reads);
  });
});

it.each([
  ["cancelling", "pending", "published: still under way"],
  ["skipped", "succeeded", "published: there was nothing to do"],
  ["error", "failed", "published: a failure"],
  ["cancelled", "failed", "published: the request was not carried out"],
  ["archived", "unknown", "an undocumented status: neither a success nor an end"],
  ["constructor", "unknown", "a name that every object has"],
])("the status %j means %s: %s", (status, outcome) => {
  expect(outcomeOf(status)).toBe(outcome);
  expect(hasEnded(status)).toBe(outcome === "succeeded" || outcome === "failed");
});
