import type { ApiEndpoint } from "../../../../provider/api/schemas";
import { findNow } from "../../../../provider/endpoint/applying/find";
import { primaryOn } from "../../../../provider/endpoint/listed";
import type { Services } from "../../../../provider/endpoint/applying/step";
import { RequestError, type RequestErrorKind } from "../../../../provider/errors";

function endpoint(id: string, more: Partial<ApiEndpoint> = {}): ApiEndpoint {
  return { id, project_id: "p", branch_id: "br-a", type: "read_only", ...more };
}

const byId = (...endpoints: readonly ApiEndpoint[]): Map<string, ApiEndpoint> =>
  new Map(endpoints.map((one) => [one.id, one]));

describe("findNow", () => {
  const ref = { projectId: "p", endpointId: "ep-a" };

  /** @param single - what a read of one compute answers; without it the service has none. */
  function servicesWith(
    listed: readonly ApiEndpoint[],
    single?: () => Promise<ApiEndpoint>,
  ): { readonly services: Services; readonly lists: string[] } {
    const lists: string[] = [];
    const now = (projectId: string): Promise<Map<string, ApiEndpoint>> => {
      lists.push(projectId);
      return Promise.resolve(byId(...listed));
    };
    const config = { readSingle: single !== undefined };
    return {
      lists,
      services: { config, lists: { now }, api: { getEndpoint: single } } as unknown as Services,
    };
  }

  const refuse = (kind: RequestErrorKind) => (): Promise<ApiEndpoint> =>
    Promise.reject(
      new RequestError({ doing: "reading", what: "no", fix: "Look" }, { kind, outcome: "refused" }),
    );

  it("shows a compute of the list, and says undefined of one that it does not show", async () => {
    const { services, lists } = servicesWith([endpoint("ep-a")]);
    await expect(findNow(services, ref)).resolves.toEqual(endpoint("ep-a"));
    await expect(findNow(services, { ...ref, endpointId: "ep-9" })).resolves.toBeUndefined();
    expect(lists).toEqual(["p", "p"]);
  });

  it("reads one compute where the service has that, and lists nothing", async () => {
    const { services, lists } = servicesWith([], () => Promise.resolve(endpoint("ep-a")));
    await expect(findNow(services, ref)).resolves.toEqual(endpoint("ep-a"));
    const none = servicesWith([endpoint("ep-a")], refuse("notFound"));
    await expect(findNow(none.services, ref)).resolves.toBeUndefined();
    expect([...lists, ...none.lists]).toEqual([]);
  });

  it.each(["notFoundBetween", "broken"] as const)("fails where a read of one compute is %s", async (kind) => {
    await expect(findNow(servicesWith([], refuse(kind)).services, ref)).rejects.toMatchObject({ kind });
  });
});

describe("primaryOn", () => {
  it("finds the primary of a branch, and no replica", () => {
    const primary = endpoint("ep-p", { type: "read_write" });
    expect(primaryOn("br-a", byId(endpoint("ep-r"), primary))).toBe(primary);
    expect(primaryOn("br-b", byId(primary))).toBeUndefined();
    expect(primaryOn("br-a", byId(endpoint("ep-r")))).toBeUndefined();
  });
});
