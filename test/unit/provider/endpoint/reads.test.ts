import type { Api } from "../../../../provider/api/client";
import type { ApiEndpoint } from "../../../../provider/api/schemas";
import { createEndpointReads, type EndpointReads } from "../../../../provider/endpoint/reads";
import { createFakeClock, type FakeClock } from "../../../support/fakeClock";

interface Fake {
  readonly reads: EndpointReads;
  readonly clock: FakeClock;
  /** Projects listed so far, in order. */
  readonly lists: string[];
}

/** Every list shows so many computes, the first named after how many lists were sent before. */
function createReads(failures: readonly Error[] = [], count = 1): Fake {
  const clock = createFakeClock();
  const lists: string[] = [];
  const left = [...failures];
  const api: Pick<Api, "listEndpoints"> = {
    listEndpoints: async (projectId) => {
      lists.push(projectId);
      const failure = left.shift();
      if (failure !== undefined) throw failure;
      const id = `ep-${lists.length}`;
      // An answer takes a moment, in which others may ask.
      await clock.sleep(100);
      const endpoint: ApiEndpoint = { id, project_id: projectId, branch_id: "br-a", type: "read_write" };
      return [
        endpoint,
        ...Array.from({ length: count - 1 }, (_, at) => ({ ...endpoint, id: `ep-other-${at}` })),
      ];
    },
  };
  return { reads: createEndpointReads(api as Api, clock), clock, lists };
}

const idsOf = async (list: ReturnType<EndpointReads["listNow"]>): Promise<string[]> => [
  ...(await list).keys(),
];

describe("reads of one project", () => {
  it("that come together share one list", async () => {
    const { reads, lists } = createReads();
    const many = Array.from({ length: 1_000 }, () => reads.findNow({ projectId: "p", endpointId: "ep-1" }));
    expect(new Set((await Promise.all(many)).map((found) => found?.id))).toEqual(new Set(["ep-1"]));
    expect(lists).toEqual(["p"]);
  });

  it("that know of our own writes share an answer of half a second ago", async () => {
    const { reads, clock, lists } = createReads();
    await reads.listLately("p");
    reads.noteWrite("p");
    clock.advance(300);
    await expect(idsOf(reads.listLately("p"))).resolves.toEqual(["ep-1"]);
    clock.advance(300);
    await expect(idsOf(reads.listLately("p"))).resolves.toEqual(["ep-2"]);
    expect(lists).toEqual(["p", "p"]);
  });

  it.each([
    { count: 1, waitMs: 5 },
    { count: 100, waitMs: 50 },
    { count: 2_000, waitMs: 500 },
  ])(
    "wait $waitMs ms for each other where the last list showed $count computes",
    async ({ count, waitMs }) => {
      const { reads, clock } = createReads([], count);
      await reads.listNow("p");
      await reads.listNow("p");
      // 100 is the list itself.
      expect(clock.sleeps).toEqual([5, 100, waitMs, 100]);
    },
  );

  it("are not mixed with those of another", async () => {
    const { reads, lists } = createReads();
    await Promise.all([reads.listNow("p"), reads.listNow("q"), reads.listNow("p")]);
    expect(lists).toEqual(["p", "q"]);
  });

  it("that want to know what is now get a list sent after they asked", async () => {
    const { reads, clock } = createReads();
    const first = reads.listNow("p");
    await clock.sleep(50); // the first is on its way
    const second = reads.listNow("p");
    await expect(idsOf(first)).resolves.toEqual(["ep-1"]);
    await expect(idsOf(second)).resolves.toEqual(["ep-2"]);
  });

  it("that may be a moment old share an answer for two seconds", async () => {
    const { reads, clock, lists } = createReads();
    await reads.listRecent("p");
    clock.advance(1_500);
    await expect(idsOf(reads.listRecent("p"))).resolves.toEqual(["ep-1"]);
    clock.advance(1_000);
    await expect(idsOf(reads.listRecent("p"))).resolves.toEqual(["ep-2"]);
    expect(lists).toHaveLength(2);
  });

  it("never share a list from before a write, nor one sent in the same instant", async () => {
    const { reads } = createReads();
    await reads.listRecent("p");
    reads.noteWrite("p");
    await expect(idsOf(reads.listRecent("p"))).resolves.toEqual(["ep-2"]);
  });

  it("never share a list that was on its way when a write was sent", async () => {
    const { reads, clock } = createReads();
    const before = reads.listRecent("p");
    await clock.sleep(50);
    reads.noteWrite("p");
    const after = reads.listRecent("p");
    await expect(idsOf(before)).resolves.toEqual(["ep-1"]);
    await expect(idsOf(after)).resolves.toEqual(["ep-2"]);
  });

  it("share an old list over a write in another project", async () => {
    const { reads, lists } = createReads();
    await reads.listRecent("p");
    reads.noteWrite("q");
    await reads.listRecent("p");
    expect(lists).toEqual(["p"]);
  });

  it("do not share a failure with those who ask later", async () => {
    const failure = new Error("the service is away");
    const { reads } = createReads([failure]);
    await expect(reads.listRecent("p")).rejects.toBe(failure);
    await expect(idsOf(reads.listRecent("p"))).resolves.toEqual(["ep-2"]);
  });

  it("say undefined of a compute that the list does not show", async () => {
    const { reads } = createReads();
    await expect(reads.findNow({ projectId: "p", endpointId: "ep-9" })).resolves.toBeUndefined();
  });
});
