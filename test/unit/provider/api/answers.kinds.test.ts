import { answer, clientOf } from "./scripted";

const ref = { projectId: "p", endpointId: "ep-a" };

/** One kind for each status, and no status behind the client: the rest of the provider goes by kinds. */
const meanings = [
  [199, "refused"],
  [300, "refused"],
  [303, "broken"],
  [399, "refused"],
  [400, "badInput"],
  [401, "refused"],
  [403, "refused"],
  [404, "notFound"],
  [408, "broken"],
  [409, "conflict"],
  [410, "notFound"],
  [413, "badInput"],
  [414, "badInput"],
  [422, "badInput"],
  [423, "locked"],
  [425, "broken"],
  [429, "throttled"],
  [460, "broken"],
  [498, "refused"],
  [499, "broken"],
  [500, "broken"],
  [503, "busy"],
  [504, "broken"],
  [507, "broken"],
  [520, "broken"],
  [524, "broken"],
  [599, "broken"],
] as const;

/** What a gateway answers that had passed the request on already. */
const afterTheFact = [303, 408, 425, 460, 499, 500, 502, 504, 507, 508, 520, 522, 524, 527, 529, 598, 599];

describe("a status", () => {
  it.each(meanings)("of %d means %s, whatever was asked for", async (status, kind) => {
    const { api } = clientOf(answer(status, { body: { code: "NO" } }));
    await expect(api.updateEndpoint(ref, {})).rejects.toMatchObject({ kind });
    await expect(api.createEndpoint("p", {})).rejects.toMatchObject({ kind });
    await expect(api.listEndpoints("p")).rejects.toMatchObject({ kind });
  });

  it.each([404, 410])(
    "of %d on a page that is not the service's own says nothing of the compute",
    async (status) => {
      const { api } = clientOf(answer(status, { body: undefined, readable: false }));
      await expect(api.listEndpoints("p")).rejects.toMatchObject({ kind: "notFoundBetween" });
    },
  );

  it.each(afterTheFact)(
    "of %d leaves open whether a write was done: it is sent once, and read again",
    async (status) => {
      for (const write of [
        "createEndpoint",
        "updateEndpoint",
        "deleteEndpoint",
        "restartEndpoint",
      ] as const) {
        const { api, log } = clientOf(answer(status));
        const sent = write === "createEndpoint" ? api.createEndpoint("p", {}) : api[write](ref, {});
        await expect(sent).rejects.toMatchObject({ outcome: "unknown" });
        expect(log.filter((line) => line === "send")).toHaveLength(1);
      }
      const { api, log } = clientOf(answer(status), answer(status), answer(200, { body: { endpoints: [] } }));
      await expect(api.listEndpoints("p")).resolves.toEqual([]);
      expect(log.filter((line) => line === "send")).toHaveLength(3);
    },
  );

  it.each([301, 302, 307, 308, 400, 401, 403, 404, 409, 410, 412, 413, 422, 423, 424, 429, 431, 451])(
    "of %d says that a write was not done",
    async (status) => {
      const { api } = clientOf(answer(status));
      await expect(api.createEndpoint("p", {})).rejects.toMatchObject({ outcome: "refused" });
    },
  );
});
