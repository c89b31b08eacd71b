import type { ComputeScope } from "../../../../provider/service/request";
import type { Api } from "../../../../provider/service/client";
import type { ApiEndpoint } from "../../../../provider/service/schemas";
import { listServesCreatesMs, listServesMs } from "../../../../provider/model/timing";
import { createLists, type ListComputes } from "../../../../provider/service/lists";
import { createFakeClock, type FakeClock } from "../../../support/fakeClock";

interface Fake {
  readonly listComputes: ListComputes;
  /** Changes a compute, or deletes one of a project. */
  readonly write: (scope: ComputeScope) => void;
  readonly clock: FakeClock;
  /** Projects listed so far, in order. */
  readonly listed: string[];
}

/** Every list shows one compute, named after how many lists were sent before. */
function createFake(failures: readonly Error[] = []): Fake {
  const clock = createFakeClock();
  const listed: string[] = [];
  const left = [...failures];
  const writes: (ComputeScope & { readonly atMs: number })[] = [];
  const api: Pick<Api, "listEndpoints" | "lastWriteMs"> = {
    lastWriteMs: ({ projectId, endpointId }) =>
      Math.max(
        ...writes
          .filter((write) => write.projectId === projectId)
          .filter((write) => write.endpointId === undefined || write.endpointId === endpointId)
          .map(({ atMs }) => atMs),
      ),
    listEndpoints: async (projectId) => {
      listed.push(projectId);
      const failure = left.shift();
      if (failure !== undefined) throw failure;
      const id = `ep-${listed.length}`;
      // An answer takes a moment, in which others may ask.
      await clock.sleep(100);
      const endpoint: ApiEndpoint = { id, project_id: projectId, branch_id: "br-a", type: "read_write" };
      return new Map([[id, endpoint]]);
    },
  };
  const write = (scope: ComputeScope): void => {
    writes.push({ ...scope, atMs: clock.monotonicMs() });
  };
  return { listComputes: createLists(api as Api, clock), write, clock, listed };
}

const recent = { ageMs: listServesMs };

const idsOf = async (list: ReturnType<ListComputes>): Promise<string[]> => [...(await list).keys()];

describe("reads of one project", () => {
  it.each([
    { writes: "a create, which notes nothing", ageMs: listServesMs, waitMs: 1_500 },
    { writes: "a create, whose record wants a second", ageMs: listServesCreatesMs, waitMs: 700 },
  ])("share an answer of a moment ago over $writes", async ({ ageMs, waitMs }) => {
    const { listComputes, clock, listed } = createFake();
    await listComputes({ projectId: "p" }, { ageMs });
    clock.advance(waitMs);
    await expect(idsOf(listComputes({ projectId: "p" }, { ageMs }))).resolves.toEqual(["ep-1"]);
    clock.advance(waitMs);
    await expect(idsOf(listComputes({ projectId: "p" }, { ageMs }))).resolves.toEqual(["ep-2"]);
    expect(listed).toEqual(["p", "p"]);
  });

  it("share an answer over a change of ours to another compute, and none over one to theirs", async () => {
    const { listComputes, write } = createFake();
    const ofA = { projectId: "p", endpointId: "ep-a" };
    await listComputes(ofA, recent);
    write({ projectId: "p", endpointId: "ep-b" });
    await expect(idsOf(listComputes(ofA, recent))).resolves.toEqual(["ep-1"]);
    write(ofA);
    await expect(idsOf(listComputes(ofA, recent))).resolves.toEqual(["ep-2"]);
  });

  it("take an answered list at once while a newer one is under way", async () => {
    const { listComputes, clock } = createFake();
    await listComputes({ projectId: "p" }, recent);
    const newer = listComputes({ projectId: "p" });
    const askedMs = clock.monotonicMs();
    await expect(idsOf(listComputes({ projectId: "p" }, recent))).resolves.toEqual(["ep-1"]);
    expect(clock.monotonicMs()).toBe(askedMs);
    await expect(idsOf(newer)).resolves.toEqual(["ep-2"]);
    await expect(idsOf(listComputes({ projectId: "p" }, recent))).resolves.toEqual(["ep-2"]);
  });

  it("are not mixed with those of another", async () => {
    const { listComputes, listed } = createFake();
    await Promise.all([
      listComputes({ projectId: "p" }),
      listComputes({ projectId: "q" }),
      listComputes({ projectId: "p" }),
    ]);
    expect(listed).toEqual(["p", "q"]);
  });

  it("that want to know what is now get a list sent after they asked", async () => {
    const { listComputes, clock } = createFake();
    const first = listComputes({ projectId: "p" });
    await clock.sleep(50); // the first is on its way
    const second = listComputes({ projectId: "p" });
    await expect(idsOf(first)).resolves.toEqual(["ep-1"]);
    await expect(idsOf(second)).resolves.toEqual(["ep-2"]);
  });

  it.each([
    { afterMs: 5, reason: "sent in the same instant" },
    { afterMs: 50, reason: "on its way then" },
  ])("never share a list that a deletion meets: $reason", async ({ afterMs }) => {
    const { listComputes, write, clock } = createFake();
    const before = listComputes({ projectId: "p" }, recent);
    await clock.sleep(afterMs);
    write({ projectId: "p" });
    const after = listComputes({ projectId: "p" }, recent);
    await expect(idsOf(before)).resolves.toEqual(["ep-1"]);
    await expect(idsOf(after)).resolves.toEqual(["ep-2"]);
  });

  it("share an old list over a deletion in another project", async () => {
    const { listComputes, write, listed } = createFake();
    await listComputes({ projectId: "p" }, recent);
    write({ projectId: "q" });
    await listComputes({ projectId: "p" }, recent);
    expect(listed).toEqual(["p"]);
  });

  it("do not share a failure with those who ask later", async () => {
    const failure = new Error("the service is away");
    const { listComputes } = createFake([failure]);
    await expect(listComputes({ projectId: "p" }, recent)).rejects.toBe(failure);
    await expect(idsOf(listComputes({ projectId: "p" }, recent))).resolves.toEqual(["ep-2"]);
  });
});
