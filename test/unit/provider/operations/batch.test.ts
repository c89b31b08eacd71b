import type { Api, OperationPage } from "../../../../provider/api/client";
import type { ApiOperation } from "../../../../provider/api/schemas";
import { deadlineIn } from "../../../../provider/clock";
import { RequestError } from "../../../../provider/errors";
import { createOperationBatches, type OperationBatches } from "../../../../provider/operations/batch";
import { createFakeClock, type FakeClock } from "../../../support/fakeClock";

function operation(id: string, status = "running"): ApiOperation {
  return { id, action: "start_compute", status };
}

const refusal = new RequestError(
  { doing: "listing", what: "limit is too large", fix: "Ask for less" },
  { kind: "badInput", outcome: "refused" },
);

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
  return { batches: createOperationBatches(api as Api, clock), requests, calls, clock };
}

const ids = (count: number, prefix = "op-"): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`);

/** All these operations on one page. */
function onePage(...listed: readonly string[]): ListOperations {
  return () => ({ operations: listed.map((id) => operation(id)), cursor: undefined });
}

describe("look", () => {
  it("reads two operations singly: a listing would not pay", async () => {
    const { batches, requests } = createBatches(onePage());
    await Promise.all(ids(2).map((id) => batches.look(operation(id), "p")));
    expect(requests).toEqual(["get p op-0", "get p op-1"]);
  });

  it("reads three operations with one listing", async () => {
    const { batches, requests } = createBatches(onePage(...ids(3)));
    await Promise.all(ids(3).map((id) => batches.look(operation(id), "p")));
    expect(requests).toEqual(["list p limit=100"]);
  });

  it("waits 5 ms for company, or 50 ms for each round of the last second", async () => {
    const { batches, clock } = createBatches(onePage());
    for (const id of ids(4)) await batches.look(operation(id), "p");
    expect(clock.sleeps).toEqual([5, 50, 100, 150]);
  });

  it.each([
    { sinceMs: 999, waitMs: 50 },
    { sinceMs: 1_000, waitMs: 5 },
  ])("waits $waitMs ms for company $sinceMs ms after the last round", async ({ sinceMs, waitMs }) => {
    const { batches, clock } = createBatches(onePage());
    await batches.look(operation("op-0"), "p");
    clock.advance(sinceMs - clock.monotonicMs());
    await batches.look(operation("op-1"), "p");
    expect(clock.sleeps).toEqual([5, waitMs]);
  });

  it("answers waits that never cease in five rounds a second at most", async () => {
    const { batches, clock, requests } = createBatches(() => onePage(...ids(100))({}));
    const looks = ids(100).map(async (id, at) => {
      await clock.sleep(at * 100);
      await Promise.all(ids(3).map(() => batches.look(operation(id), "p")));
    });
    await Promise.all(looks);
    expect(requests.length / (clock.monotonicMs() / 1_000)).toBeLessThanOrEqual(5);
  });

  it("takes a look in another project for no company", async () => {
    const { batches, clock } = createBatches(onePage());
    await batches.look(operation("op-0"), "p");
    await batches.look(operation("op-1"), "q");
    expect(clock.sleeps).toEqual([5, 5]);
  });

  it("hands a look's time on to its own request, and nobody's to a listing that many share", async () => {
    const { batches, calls, clock } = createBatches(onePage(...ids(4)));
    const options = ids(5).map((_, at) => ({ deadline: deadlineIn(at, clock) }));
    await batches.look(operation("op-9"), "p", options[4]);
    await Promise.all(ids(4).map((id, at) => batches.look(operation(id), "p", options[at])));
    await batches.listUnended("p", options[2]);
    expect(calls).toEqual([options[4], undefined, options[2]]);
  });

  it("serves many looks with one listing", async () => {
    const { batches, requests } = createBatches(onePage(...ids(50)));
    const seen = await Promise.all(ids(50).map((id) => batches.look(operation(id), "p")));
    expect(requests).toEqual(["list p limit=100"]);
    expect(seen.map(({ id }) => id)).toEqual(ids(50));
  });

  it("keeps the projects apart", async () => {
    const { batches, requests } = createBatches(onePage(...ids(4)));
    await Promise.all(
      [...ids(4), ...ids(4)].map((id, at) => batches.look(operation(id), at < 4 ? "p" : "q")),
    );
    expect(requests).toEqual(["list p limit=100", "list q limit=100"]);
  });

  it("follows the cursor to older operations, three pages at most, and reads the rest singly", async () => {
    let pages = 0;
    const { batches, requests } = createBatches(() => {
      pages++;
      return { operations: [operation(`op-${pages}`)], cursor: `c${pages}` };
    });
    await Promise.all(["op-1", "op-2", "op-3", "op-9"].map((id) => batches.look(operation(id), "p")));
    expect(requests).toEqual([
      "list p limit=100",
      "list p limit=100&cursor=c1",
      "list p limit=100&cursor=c2",
      "get p op-9",
    ]);
  });

  it("stops at a cursor that repeats", async () => {
    const { batches, requests } = createBatches(() => ({ operations: [operation("op-0")], cursor: "same" }));
    await Promise.all(ids(4).map((id) => batches.look(operation(id), "p")));
    expect(requests.filter((request) => request.startsWith("list"))).toHaveLength(2);
  });

  it("asks for no limit from a service that refuses the number, and does not ask twice", async () => {
    const { batches, requests } = createBatches((page) => {
      if (page.limit !== undefined) throw refusal;
      return onePage(...ids(4))(page);
    });
    await Promise.all(ids(4).map((id) => batches.look(operation(id), "p")));
    await Promise.all(ids(4).map((id) => batches.look(operation(id), "p")));
    expect(requests).toEqual(["list p limit=100", "list p ", "list p "]);
  });

  it("keeps its place in the list where the service refuses the limit on a later page", async () => {
    const { batches, requests } = createBatches((page) => {
      if (page.cursor === undefined) return { operations: [], cursor: "c1" };
      if (page.limit !== undefined) throw refusal;
      return onePage(...ids(4))(page);
    });
    await Promise.all(ids(4).map((id) => batches.look(operation(id), "p")));
    expect(requests).toEqual(["list p limit=100", "list p limit=100&cursor=c1", "list p cursor=c1"]);
  });

  it("reads no further once every operation has been found", async () => {
    const { batches, requests } = createBatches(() => ({
      operations: ids(4).map((id) => operation(id)),
      cursor: "c1",
    }));
    await Promise.all(ids(4).map((id) => batches.look(operation(id), "p")));
    expect(requests).toEqual(["list p limit=100"]);
  });

  it("counts only the operations that are looked for among those found", async () => {
    const { batches, requests } = createBatches((page) =>
      page.cursor === undefined
        ? { operations: ids(4, "other-").map((id) => operation(id)), cursor: "c1" }
        : onePage(...ids(4))(page),
    );
    await Promise.all(ids(4).map((id) => batches.look(operation(id), "p")));
    expect(requests).toEqual(["list p limit=100", "list p limit=100&cursor=c1"]);
  });

  it("does not begin again where the last page has no cursor", async () => {
    const { batches, requests } = createBatches((page) => ({
      operations: [],
      cursor: page.cursor === undefined ? "c1" : undefined,
    }));
    await Promise.all(ids(4).map((id) => batches.look(operation(id), "p")));
    expect(requests.filter((request) => request.startsWith("list"))).toEqual([
      "list p limit=100",
      "list p limit=100&cursor=c1",
    ]);
  });

  it("falls back to single reads where the listing fails", async () => {
    const { batches, requests } = createBatches(() => {
      throw new RequestError(
        { doing: "listing", what: "the service answered 500", fix: "Try later" },
        { kind: "broken", outcome: "refused" },
      );
    });
    const seen = await Promise.all(ids(4).map((id) => batches.look(operation(id), "p")));
    expect(seen.every(({ status }) => status === "finished")).toBe(true);
    expect(requests.filter((request) => request.startsWith("get"))).toHaveLength(4);
  });

  it("rejects the look whose own read fails, and no other", async () => {
    const requests: string[] = [];
    const api: Pick<Api, "getOperation"> = {
      getOperation: (_projectId, id) => {
        requests.push(id);
        return id === "op-1" ? Promise.reject(refusal) : Promise.resolve(operation(id));
      },
    };
    const batches = createOperationBatches(api as Api, createFakeClock());
    const looks = await Promise.allSettled(ids(2).map((id) => batches.look(operation(id), "p")));
    expect(looks.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  });
});

describe("listUnended", () => {
  const troubled = new RequestError(
    { doing: "listing", what: "the service answered 500", fix: "Try later" },
    { kind: "broken", outcome: "refused" },
  );

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
    await expect(batches.listUnended("p")).rejects.toBe(failure);
    expect(requests).toEqual(["list p limit=100"]);
  });

  it("passes on a refusal that is not about the limit after one more request", async () => {
    const { batches, requests } = createBatches(() => {
      throw refusal;
    });
    await expect(batches.listUnended("p")).rejects.toBe(refusal);
    await expect(batches.listUnended("p")).rejects.toBe(refusal);
    expect(requests).toEqual(["list p limit=100", "list p ", "list p "]);
  });

  it("shows what is still under way, oldest first; an unknown status has not ended", async () => {
    const { batches } = createBatches(() => ({
      operations: [
        operation("newest", "scheduling"),
        operation("odd", "thawing"),
        operation("done", "finished"),
        operation("bad", "failed"),
        operation("oldest", "running"),
      ],
      cursor: undefined,
    }));
    await expect(batches.listUnended("p").then((all) => all.map(({ id }) => id))).resolves.toEqual([
      "oldest",
      "odd",
      "newest",
    ]);
  });
});
