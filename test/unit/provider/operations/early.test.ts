import type { Api } from "../../../../provider/api/client";
import type { ApiOperation } from "../../../../provider/api/schemas";
import { deadlineIn } from "../../../../provider/clock";
import { createOperationBatches } from "../../../../provider/operations/batch";
import { createFakeClock, type FakeClock } from "../../../support/fakeClock";

const finished = (id: string): ApiOperation => ({ id, action: "start_compute", status: "finished" });

/** Reads so many operations at once, each due half a second later. @returns how long that takes. */
function openReads(): (count: number, limitMs?: number) => Promise<number> {
  const clock: FakeClock = createFakeClock();
  const api: Pick<Api, "listOperations" | "getOperation"> = {
    listOperations: () =>
      Promise.resolve({
        operations: Array.from({ length: 20 }, (_, at) => finished(`op-${at}`)),
        cursor: undefined,
      }),
    getOperation: (_, id) => Promise.resolve(finished(id)),
  };
  const batches = createOperationBatches(api as Api);
  return async (count, limitMs = 600_000) => {
    const startMs = clock.monotonicMs();
    const next = { inMs: 500, deadline: deadlineIn(limitMs, clock) };
    const reads = Array.from({ length: count }, (_, at) => batches.read([finished(`op-${at}`)], "p", next));
    await Promise.all(reads);
    return clock.monotonicMs() - startMs;
  };
}

describe("early reads of operations", () => {
  it.each([
    { count: 10, then: 10, waits: [500, 500], reason: "few operations are read early" },
    { count: 11, then: 11, waits: [1_000, 1_000], reason: "one list a second serves many" },
    { count: 11, then: 1, waits: [1_000, 1_000], reason: "a large stack's last operations too" },
  ])("reads $count operations, then $then, after $waits: $reason", async ({ count, then, waits }) => {
    const read = openReads();
    expect([await read(count), await read(then)]).toEqual(waits);
  });

  it("keeps the deadline in a large stack", async () => {
    expect(await openReads()(11, 700)).toBe(700);
  });
});
