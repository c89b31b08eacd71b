import { answer, clientOf } from "./scripted";

const ref = { projectId: "p", endpointId: "ep-a" };

/** One kind for each status, and no status behind the client: the rest of the provider goes by kinds. */
const meanings = [
  [199, "refused"],
  [300, "refused"],
  [399, "refused"],
  [400, "badInput"],
  [401, "refused"],
  [403, "refused"],
  [404, "notFound"],
  [409, "conflict"],
  [410, "notFound"],
  [413, "badInput"],
  [414, "badInput"],
  [422, "badInput"],
  [423, "locked"],
  [429, "throttled"],
  [499, "refused"],
  [500, "broken"],
  [503, "busy"],
  [504, "broken"],
] as const;

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
});
