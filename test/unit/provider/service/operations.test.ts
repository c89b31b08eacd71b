import { deadlineIn } from "../../../../provider/clock";
import { RequestError, type RequestErrorKind } from "../../../../provider/model/errors";
import type { Api, OperationPage } from "../../../../provider/service/client";
import { createOperationBatches } from "../../../../provider/service/operations";
import type { ApiOperation } from "../../../../provider/service/schemas";
import { createFakeClock } from "../../../support/fakeClock";

function operation(id: string, status = "running"): ApiOperation {
  return { id, action: "start_compute", status };
}

const failed = (kind: RequestErrorKind): RequestError =>
  new RequestError({ doing: "listing", what: "no", fix: "Try later" }, { kind, outcome: "not done" });
const [refusal, troubled] = [failed("badInput"), failed("broken")];
const ids = (count: number, prefix = "op-"): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`);

type ListPage = (page: Parameters<Api["listOperations"]>[1]) => OperationPage;

function pageOf(operationIds: readonly string[], cursor?: string): OperationPage {
  return { operations: operationIds.map((id) => operation(id)), cursor };
}

/** Reads of operations, and what was asked for, in order: `list p limit=100` or `get p op-1`. */
function openReads(list: ListPage = () => pageOf(ids(100))) {
  const requests: string[] = [];
  const calls: unknown[] = [];
  const clock = createFakeClock();
  const api: Pick<Api, "listOperations" | "getOperation"> = {
    listOperations: async (projectId, page, call) => {
      calls.push(call);
      const given = Object.entries(page).filter(([, value]) => value !== undefined);
      requests.push(`list ${projectId} ${new URLSearchParams(given as [string, string][]).toString()}`);
      return Promise.resolve(list(page));
    },
    getOperation: async (projectId, id, call) => {
      calls.push(call);
      requests.push(`get ${projectId} ${id}`);
      return id === "op-bad" ? Promise.reject(refusal) : Promise.resolve(operation(id, "finished"));
    },
  };
  const { read, listNewest } = createOperationBatches(api as Api);
  /** Reads one operation, which is due in so many milliseconds. */
  const look = async (id: string, { projectId = "p", inMs = 0, limitMs = 600_000 } = {}) =>
    (await read([operation(id)], projectId, { inMs, deadline: deadlineIn(limitMs, clock) }))[0];
  const lookAll = (names: readonly string[], how = {}) => Promise.all(names.map((id) => look(id, how)));
  return { read, listNewest, look, lookAll, requests, calls, clock };
}

describe("a read of operations", () => {
  it.each([
    { count: 1, asks: ["get p op-0"], reason: "a single one by itself" },
    { count: 50, asks: ["list p limit=100"], reason: "many with one list" },
  ])("asks once for $count: $reason", async ({ count, asks }) => {
    const { lookAll, requests } = openReads();
    const seen = await lookAll(ids(count));
    expect(requests).toEqual(asks);
    expect(seen.map(({ id }) => id)).toEqual(ids(count));
  });

  it("asks once for all operations of one wait, and keeps those that the list does not show", async () => {
    const { read, requests, clock } = openReads(() => ({
      operations: [operation("op-0", "finished"), operation("op-1", "finished")],
      cursor: undefined,
    }));
    const waited = [operation("op-0"), operation("op-1"), operation("op-2", "scheduling")] as const;
    const seen = await read(waited, "p", { inMs: 0, deadline: deadlineIn(1_000, clock) });
    expect(seen.map(({ status }) => status)).toEqual(["finished", "finished", "scheduling"]);
    expect(requests).toEqual(["list p limit=100"]);
  });

  it("asks once for all waits of a project, when the first of them is due", async () => {
    const { look, clock, requests } = openReads();
    const atMs = await Promise.all(
      [5_000, 1_000, 3_500].map((inMs, at) => look(`op-${at}`, { inMs }).then(() => clock.monotonicMs())),
    );
    expect(atMs).toEqual([1_000, 1_000, 1_000]);
    await Promise.all([...ids(4), ...ids(4)].map((id, at) => look(id, { projectId: at < 4 ? "p" : "q" })));
    expect(requests).toEqual(["list p limit=100", "list p limit=100", "list q limit=100"]);
  });

  it("asks once a second for waits that never cease", async () => {
    const { look, clock, requests } = openReads();
    const later = ids(100).map((id, at) => clock.sleep(at * 100).then(() => look(id, { inMs: 1_000 })));
    await Promise.all(later);
    expect(requests).toHaveLength(10);
  });

  it.each([
    { first: 10, then: 10, waits: [500, 500], reason: "few operations are read early" },
    { first: 11, then: 11, waits: [1_000, 1_000], reason: "one list a second serves many" },
    { first: 11, then: 1, waits: [1_000, 1_000], reason: "a large stack's last operations too" },
    { first: 11, then: 11, limitMs: 700, waits: [700, 700], reason: "not beyond a deadline" },
  ])("asks for $first operations, then $then, after $waits: $reason", async ({ waits, ...row }) => {
    const { lookAll, clock } = openReads();
    for (const [at, count] of [row.first, row.then].entries()) {
      const startMs = clock.monotonicMs();
      await lookAll(ids(count), { inMs: 500, ...(row.limitMs && { limitMs: row.limitMs }) });
      expect(clock.monotonicMs() - startMs).toBe(waits[at]);
    }
  });

  it("asks at once where the run is interrupted", async () => {
    const { read, clock, requests } = openReads();
    const interrupted = new AbortController();
    const deadline = deadlineIn(60_000, clock, interrupted.signal);
    const seen = read([operation("op-0")], "p", { inMs: 5_000, deadline });
    interrupted.abort(new Error("Ctrl-C"));
    await seen;
    expect([clock.monotonicMs(), requests]).toEqual([0, ["get p op-0"]]);
  });

  it("hands its time on to its own request, and nobody's to a list that many share", async () => {
    const { read, listNewest, calls, clock } = openReads();
    const deadline = deadlineIn(1_000, clock);
    await read([operation("op-9")], "p", { inMs: 0, deadline });
    await Promise.all(ids(4).map((id) => read([operation(id)], "p", { inMs: 0, deadline })));
    await listNewest("p", { deadline });
    expect(calls).toEqual([{ deadline }, undefined, { deadline }]);
  });

  it("fails alone where its own request fails", async () => {
    const { look } = openReads(() => pageOf([]));
    const looks = await Promise.allSettled(["op-0", "op-bad"].map((id) => look(id)));
    expect(looks.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  });

  const singly = ids(4).map((id) => `get p ${id}`);
  const [first, second, third] = ["", "&cursor=c1", "&cursor=c2"].map((at) => `list p limit=100${at}`);

  it.each<{ reason: string; list: ListPage; asks: readonly (string | undefined)[] }>([
    {
      reason: "three pages at most, the rest is read singly",
      list: ({ cursor = "c0" }) => pageOf([`op-${cursor.slice(1)}`], `c${Number(cursor.slice(1)) + 1}`),
      asks: [first, second, third, singly[3]],
    },
    {
      reason: "a cursor that repeats leads no further",
      list: () => pageOf(ids(3), "c1"),
      asks: [first, second, singly[3]],
    },
    {
      reason: "the place in the list stays where a later page is refused for its limit",
      list: ({ cursor, limit }) => {
        if (cursor !== undefined && limit !== undefined) throw refusal;
        return cursor === undefined ? pageOf([], "c1") : pageOf(ids(4));
      },
      asks: [first, second, "list p cursor=c1"],
    },
    { reason: "no further than what is looked for", list: () => pageOf(ids(4), "c1"), asks: [first] },
    {
      reason: "others do not count among those found",
      list: ({ cursor }) => (cursor === undefined ? pageOf(ids(4, "other-"), "c1") : pageOf(ids(4))),
      asks: [first, second],
    },
    {
      reason: "a page without a cursor is the last",
      list: ({ cursor }) => (cursor === undefined ? pageOf([], "c1") : pageOf(ids(3))),
      asks: [first, second, singly[3]],
    },
    {
      reason: "each is read singly where the list fails",
      list: () => {
        throw troubled;
      },
      asks: [first, ...singly],
    },
  ])("follows the cursor to older operations: $reason", async ({ list, asks }) => {
    const { lookAll, requests } = openReads(list);
    await lookAll(ids(4));
    expect(requests).toEqual(asks);
  });

  it.each<[reason: string, failure: Error, asks: readonly string[]]>([
    ["trouble at the service says nothing of the limit", troubled, Array<string>(2).fill(first!)],
    ["a bug of ours neither", Object.assign(new Error("a bug"), { kind: "badInput" }), [first!, first!]],
    ["a limit that is refused is left out from then on", refusal, [first!, "list p ", "list p "]],
  ])("passes a failure on: %s", async (_reason, failure, asks) => {
    const { listNewest, requests } = openReads(() => {
      throw failure;
    });
    for (let times = 0; times < 2; times++) await expect(listNewest("p")).rejects.toBe(failure);
    expect(requests).toEqual(asks);
  });
});
