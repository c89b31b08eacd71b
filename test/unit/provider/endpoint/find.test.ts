import type { ApiEndpoint } from "../../../../provider/api/schemas";
import { findNow } from "../../../../provider/endpoint/applying/find";
import { primaryOn } from "../../../../provider/endpoint/listed";
import type { Services } from "../../../../provider/endpoint/applying/step";

function endpoint(id: string, more: Partial<ApiEndpoint> = {}): ApiEndpoint {
  return { id, project_id: "p", branch_id: "br-a", type: "read_only", ...more };
}

const byId = (...endpoints: readonly ApiEndpoint[]): Map<string, ApiEndpoint> =>
  new Map(endpoints.map((one) => [one.id, one]));

describe("findNow", () => {
  const ref = { projectId: "p", endpointId: "ep-a" };

  function servicesWith(listed: readonly ApiEndpoint[]): {
    readonly services: Pick<Services, "lists">;
    readonly lists: string[];
  } {
    const lists: string[] = [];
    const now = (projectId: string): Promise<Map<string, ApiEndpoint>> => {
      lists.push(projectId);
      return Promise.resolve(byId(...listed));
    };
    return { lists, services: { lists: { now } } as unknown as Services };
  }

  it("shows a compute of the list, and says undefined of one that it does not show", async () => {
    const { services, lists } = servicesWith([endpoint("ep-a")]);
    await expect(findNow(services, ref)).resolves.toEqual(endpoint("ep-a"));
    await expect(findNow(services, { ...ref, endpointId: "ep-9" })).resolves.toBeUndefined();
    expect(lists).toEqual(["p", "p"]);
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
