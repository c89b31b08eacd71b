import type { Api } from "../../../../provider/api/client";
import type { ApiEndpoint } from "../../../../provider/api/schemas";
import { listServesCreatesMs } from "../../../../provider/pure/timing";
import { createEndpointLists, type EndpointLists } from "../../../../provider/endpoint/lists";
import { createFakeClock, type FakeClock } from "../../../support/fakeClock";

interface Fake {
  readonly lists: EndpointLists;
  readonly clock: FakeClock;
  /** Projects listed so far, in order. */
  readonly listed: string[];
}

/** Every list shows one compute, named after how many lists were sent before. */
function createLists(failures: readonly Error[] = []): Fake {
  const clock = createFakeClock();
  const listed: string[] = [];
  const left = [...failures];
  const api: Pick<Api, "listEndpoints"> = {
    listEndpoints: async (projectId) => {
      listed.push(projectId);
      const failure = left.shift();
      if (failure !== undefined) throw failure;
      const id = `ep-${listed.length}`;
      // An answer takes a moment, in which others may ask.
      await clock.sleep(100);
      const endpoint: ApiEndpoint = { id, project_id: projectId, branch_id: "br-a", type: "read_write" };
      return [endpoint];
    },
  };
  return { lists: createEndpointLists(api as Api, clock), clock, listed };
}

const idsOf = async (list: ReturnType<EndpointLists["now"]>): Promise<string[]> => [...(await list).keys()];

describe("reads of one project", () => {
  it.each([
    { writes: "a create, which notes nothing", ageMs: undefined, waitMs: 1_500 },
    { writes: "a create, whose record wants a second", ageMs: listServesCreatesMs, waitMs: 700 },
  ])("share an answer of a moment ago over $writes", async ({ ageMs, waitMs }) => {
    const { lists, clock, listed } = createLists();
    await lists.recent({ projectId: "p" }, {}, ageMs);
    clock.advance(waitMs);
    await expect(idsOf(lists.recent({ projectId: "p" }, {}, ageMs))).resolves.toEqual(["ep-1"]);
    clock.advance(waitMs);
    await expect(idsOf(lists.recent({ projectId: "p" }, {}, ageMs))).resolves.toEqual(["ep-2"]);
    expect(listed).toEqual(["p", "p"]);
  });

  it("share an answer over a change of ours to another compute, and none over one to theirs", async () => {
    const { lists } = createLists();
    const ofA = { projectId: "p", endpointId: "ep-a" };
    await lists.recent(ofA);
    lists.noteWrite({ projectId: "p", endpointId: "ep-b" });
    await expect(idsOf(lists.recent(ofA))).resolves.toEqual(["ep-1"]);
    lists.noteWrite(ofA);
    await expect(idsOf(lists.recent(ofA))).resolves.toEqual(["ep-2"]);
  });

  it("take an answered list at once while a newer one is under way", async () => {
    const { lists, clock } = createLists();
    await lists.recent({ projectId: "p" });
    const newer = lists.now("p");
    const askedMs = clock.monotonicMs();
    await expect(idsOf(lists.recent({ projectId: "p" }))).resolves.toEqual(["ep-1"]);
    expect(clock.monotonicMs()).toBe(askedMs);
    await expect(idsOf(newer)).resolves.toEqual(["ep-2"]);
    await expect(idsOf(lists.recent({ projectId: "p" }))).resolves.toEqual(["ep-2"]);
  });

  it("are not mixed with those of another", async () => {
    const { lists, listed } = createLists();
    await Promise.all([lists.now("p"), lists.now("q"), lists.now("p")]);
    expect(listed).toEqual(["p", "q"]);
  });

  it("that want to know what is now get a list sent after they asked", async () => {
    const { lists, clock } = createLists();
    const first = lists.now("p");
    await clock.sleep(50); // the first is on its way
    const second = lists.now("p");
    await expect(idsOf(first)).resolves.toEqual(["ep-1"]);
    await expect(idsOf(second)).resolves.toEqual(["ep-2"]);
  });

  it.each([
    { afterMs: 5, reason: "sent in the same instant" },
    { afterMs: 50, reason: "on its way then" },
  ])("never share a list that a deletion meets: $reason", async ({ afterMs }) => {
    const { lists, clock } = createLists();
    const before = lists.recent({ projectId: "p" });
    await clock.sleep(afterMs);
    lists.noteWrite({ projectId: "p" });
    const after = lists.recent({ projectId: "p" });
    await expect(idsOf(before)).resolves.toEqual(["ep-1"]);
    await expect(idsOf(after)).resolves.toEqual(["ep-2"]);
  });

  it("share an old list over a deletion in another project", async () => {
    const { lists, listed } = createLists();
    await lists.recent({ projectId: "p" });
    lists.noteWrite({ projectId: "q" });
    await lists.recent({ projectId: "p" });
    expect(listed).toEqual(["p"]);
  });

  it("do not share a failure with those who ask later", async () => {
    const failure = new Error("the service is away");
    const { lists } = createLists([failure]);
    await expect(lists.recent({ projectId: "p" })).rejects.toBe(failure);
    await expect(idsOf(lists.recent({ projectId: "p" }))).resolves.toEqual(["ep-2"]);
  });
});
