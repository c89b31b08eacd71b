import type { Api, OperationPage } from "../../../../provider/service/client";
import type { ApiOperation } from "../../../../provider/service/schemas";
import { deadlineIn } from "../../../../provider/clock";
import { RequestError, type RequestErrorKind } from "../../../../provider/model/errors";
import { createOperationBatches, type OperationBatches } from "../../../../provider/service/operations";
import { createFakeClock, type FakeClock } from "../../../support/fakeClock";

function operation(id: string, status = "running"): ApiOperation {
  return { id, action: "start_compute", status };
}

const failed = (kind: RequestErrorKind): RequestError =>
  new RequestError({ doing: "listing", what: "no", fix: "Try later" }, { kind, outcome: "refused" });
const [refusal, troubled] = [failed("badInput"), failed("broken")];

interface Fake {
  readonly batches: OperationBatches;
  /** What was asked for, in order: `list limit=100` or `get op-1`. */
  readonly requests: string[];
  /** The call options of each request. */
  readonly calls: unknown[];
  readonly clock: FakeClock;
}

type ListOperations = (page: Parameters<Api["listOperations"]>[1]) => OperationPage;

function createBatches(list: ListOperations): Fake {
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
      return Promise.resolve(operation(id, "finished"));
    },
  };
  return { batches: createOperationBatches(api as Api), requests, calls, clock };
}

/** One look at an operation, due in so many milliseconds. */
async function look(
  { batches, clock }: Pick<Fake, "batches" | "clock">,
  id: string,
  { projectId = "p", inMs = 0, limitMs = 600_000 } = {},
): Promise<ApiOperation> {
  const deadline = deadlineIn(limitMs, clock);
  const [seen] = await batches.read([operation(id)], projectId, { inMs, deadline });
  return seen;
}

const ids = (count: number, prefix = "op-"): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`);

/** All these operations on one page. */
function onePage(...listed: readonly string[]): ListOperations {
  return () => ({ operations: listed.map((id) => operation(id)), cursor: undefined });
}

describe("look", () => {
  it("reads a single operation by itself", async () => {
    const fake = createBatches(onePage());
    await Promise.all([look(fake, "op-0"), look(fake, "op-0")]);
    expect(fake.requests).toEqual(["get p op-0", "get p op-0"]);
  });

  it.each([2, 50])("reads %i operations with one listing", async (count) => {
    const fake = createBatches(onePage(...ids(count)));
    const seen = await Promise.all(ids(count).map((id) => look(fake, id)));
    expect(fake.requests).toEqual(["list p limit=100"]);
    expect(seen.map(({ id }) => id)).toEqual(ids(count));
  });

  it("reads all operations of one wait with one listing, and keeps those that it does not show", async () => {
    const { batches, requests, clock } = createBatches(() => ({
      operations: [operation("op-0", "finished"), operation("op-1", "finished")],
      cursor: undefined,
    }));
    const waited = [operation("op-0"), operation("op-1"), operation("op-2", "scheduling")] as const;
    const seen = await batches.read(waited, "p", { inMs: 0, deadline: deadlineIn(1_000, clock) });
    expect(seen.map(({ status }) => status)).toEqual(["finished", "finished", "scheduling"]);
    expect(requests).toEqual(["list p limit=100"]);
  });

  it("reads once for all waits of a project, when the first of them is due", async () => {
    const fake = createBatches(onePage(...ids(3)));
    const { clock, requests } = fake;
    const atMs = await Promise.all(
      [5_000, 1_000, 3_500].map(async (inMs, at) => {
        await look(fake, `op-${at}`, { inMs });
        return clock.monotonicMs();
      }),
    );
    expect(atMs).toEqual([1_000, 1_000, 1_000]);
    expect(requests).toEqual(["list p limit=100"]);
  });

  it("reads once a second for waits that never cease", async () => {
    const fake = createBatches(() => onePage(...ids(100))({}));
    const looks = ids(100).map(async (id, at) => {
      await fake.clock.sleep(at * 100);
      await look(fake, id, { inMs: 1_000 });
    });
    await Promise.all(looks);
    expect(fake.requests).toHaveLength(10);
  });

  it("reads at once where the run is interrupted", async () => {
    const { batches, clock, requests } = createBatches(onePage());
    const interrupted = new AbortController();
    const deadline = deadlineIn(60_000, clock, interrupted.signal);
    const seen = batches.read([operation("op-0")], "p", { inMs: 5_000, deadline });
    interrupted.abort(new Error("Ctrl-C"));
    await seen;
    expect(clock.monotonicMs()).toBe(0);
    expect(requests).toEqual(["get p op-0"]);
  });

  it("hands a look's time on to its own request, and nobody's to a listing that many share", async () => {
    const { batches, calls, clock } = createBatches(onePage(...ids(4)));
    const deadlines = ids(5).map((_, at) => deadlineIn(at, clock));
    await batches.read([operation("op-9")], "p", { inMs: 0, deadline: deadlines[4]! });
    await Promise.all(
      ids(4).map((id, at) => batches.read([operation(id)], "p", { inMs: 0, deadline: deadlines[at]! })),
    );
    await batches.listNewest("p", { deadline: deadlines[2] });
    expect(calls).toEqual([{ deadline: deadlines[4] }, undefined, { deadline: deadlines[2] }]);
  });

  it("keeps the projects apart", async () => {
    const fake = createBatches(onePage(...ids(4)));
    await Promise.all(
      [...ids(4), ...ids(4)].map((id, at) => look(fake, id, { projectId: at < 4 ? "p" : "q" })),
    );
    expect(fake.requests).toEqual(["list p limit=100", "list q limit=100"]);
  });

  it.each<{ reason: string; list: () => ListOperations; lists: readonly string[] }>([
    {
      reason: "three pages at most, the rest is read singly",
      list: () => {
        let pages = 0;
        return () => ({ operations: [operation(`op-${pages++}`)], cursor: `c${pages}` });
      },
      lists: ["list p limit=100", "list p limit=100&cursor=c1", "list p limit=100&cursor=c2", "get p op-3"],
    },
    {
      reason: "a cursor that repeats leads no further",
      list: () => () => ({ operations: ids(3).map((id) => operation(id)), cursor: "same" }),
      lists: ["list p limit=100", "list p limit=100&cursor=same", "get p op-3"],
    },
    {
      reason: "the place in the list stays where a later page is refused for its limit",
      list: () => (page) => {
        if (page.cursor === undefined) return { operations: [], cursor: "c1" };
        if (page.limit !== undefined) throw refusal;
        return onePage(...ids(4))(page);
      },
      lists: ["list p limit=100", "list p limit=100&cursor=c1", "list p cursor=c1"],
    },
    {
      reason: "no further than the last of those that are looked for",
      list: () => () => ({ operations: ids(4).map((id) => operation(id)), cursor: "c1" }),
      lists: ["list p limit=100"],
    },
    {
      reason: "others do not count among those found",
      list: () => (page) =>
        page.cursor === undefined
          ? { operations: ids(4, "other-").map((id) => operation(id)), cursor: "c1" }
          : onePage(...ids(4))(page),
      lists: ["list p limit=100", "list p limit=100&cursor=c1"],
    },
    {
      reason: "a last page without a cursor is the end",
      list: () => (page) => ({
        operations: ids(3).map((id) => operation(id)),
        cursor: page.cursor === undefined ? "c1" : undefined,
      }),
      lists: ["list p limit=100", "list p limit=100&cursor=c1", "get p op-3"],
    },
    {
      reason: "each is read singly where the listing fails",
      list: () => () => {
        throw troubled;
      },
      lists: ["list p limit=100", ...ids(4).map((id) => `get p ${id}`)],
    },
  ])("follows the cursor to older operations: $reason", async ({ list, lists }) => {
    const fake = createBatches(list());
    await Promise.all(ids(4).map((id) => look(fake, id)));
    expect(fake.requests).toEqual(lists);
  });

  it("asks for no limit from a service that refuses the number, and does not ask twice", async () => {
    const fake = createBatches((page) => {
      if (page.limit !== undefined) throw refusal;
      return onePage(...ids(4))(page);
    });
    await Promise.all(ids(4).map((id) => look(fake, id)));
    await Promise.all(ids(4).map((id) => look(fake, id)));
    expect(fake.requests).toEqual(["list p limit=100", "list p ", "list p "]);
  });

  it("rejects the look whose own read fails, and no other", async () => {
    const api: Pick<Api, "getOperation"> = {
      getOperation: (_projectId, id) =>
        id === "op-1" ? Promise.reject(refusal) : Promise.resolve(operation(id)),
    };
    const fake = { batches: createOperationBatches(api as Api), clock: createFakeClock() };
    const looks = await Promise.allSettled(ids(2).map((id) => look(fake, id)));
    expect(looks.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  });
});

describe("looks that are due in half a second", () => {
  /** @returns how long these looks take together. */
  async function lookAt(fake: Fake, count: number, limitMs?: number): Promise<number> {
    const startMs = fake.clock.monotonicMs();
    await Promise.all(ids(count).map((id) => look(fake, id, { inMs: 500, ...(limitMs && { limitMs }) })));
    return fake.clock.monotonicMs() - startMs;
  }

  it.each([
    { count: 10, then: 10, waits: [500, 500], reason: "few operations are read early" },
    { count: 11, then: 11, waits: [1_000, 1_000], reason: "one list a second serves many" },
    { count: 11, then: 1, waits: [1_000, 1_000], reason: "a large stack's last operations too" },
  ])("read $count operations, then $then, after $waits: $reason", async ({ count, then, waits }) => {
    const fake = createBatches(onePage(...ids(20)));
    expect([await lookAt(fake, count), await lookAt(fake, then)]).toEqual(waits);
  });

  it("keep the deadline in a large stack", async () => {
    expect(await lookAt(createBatches(onePage(...ids(20))), 11, 700)).toBe(700);
  });
});

describe("a list", () => {
  it.each([
    { failure: troubled, reason: "trouble at the service says nothing of the limit" },
    { failure: new TypeError("a bug of ours"), reason: "neither does a bug" },
    {
      failure: Object.assign(new Error("not ours"), { kind: "badInput" }),
      reason: "only an answer of the service can refuse a limit",
    },
  ])("passes a failure on without asking again: $reason", async ({ failure }) => {
    const { batches, requests } = createBatches(() => {
      throw failure;
    });
    await expect(batches.listNewest("p")).rejects.toBe(failure);
    expect(requests).toEqual(["list p limit=100"]);
  });

  it("passes on a refusal that is not about the limit after one more request", async () => {
    const { batches, requests } = createBatches(() => {
      throw refusal;
    });
    await expect(batches.listNewest("p")).rejects.toBe(refusal);
    await expect(batches.listNewest("p")).rejects.toBe(refusal);
    expect(requests).toEqual(["list p limit=100", "list p ", "list p "]);
  });
});
