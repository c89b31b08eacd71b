import type { Api } from "../../../../provider/service/client";
import { answer, clientOf as scriptedClient } from "./scripted";

const endpoint = { id: "ep-a", project_id: "p", branch_id: "br-a", type: "read_write" };
const operation = { id: "op-1", action: "start_compute", status: "running" };
const ref = { projectId: "p", endpointId: "ep-a" };

/** A client whose requests all get this body. */
const clientOf = (body: unknown, status = 200) => scriptedClient(answer(status, { body }));

it("a client escapes every id, and gives each route its own rate limit", async () => {
  const { api, sent, log } = clientOf({ endpoint, operation });
  await api.updateEndpoint({ projectId: "a/b", endpointId: "ep-a/b" }, {});
  await api.getOperation("a/b", "op/1");
  expect(sent.map(({ method, path }) => `${method} ${path}`)).toEqual([
    "PATCH /projects/a%2Fb/endpoints/ep-a%2Fb",
    "GET /projects/a%2Fb/operations/op%2F1",
  ]);
  const acquired = log.filter((text) => text.startsWith("acquire"));
  expect(acquired).toEqual(["acquire updateEndpoint", "acquire getOperation"]);
});

it.each<[what: string, act: (api: Api, id: string) => Promise<unknown>]>([
  ["compute", (api, endpointId) => api.deleteEndpoint({ projectId: "p", endpointId })],
  ["compute", (api, endpointId) => api.restartEndpoint({ projectId: "p", endpointId })],
  ["project", (api, projectId) => api.listEndpoints(projectId)],
  ["project", (api, projectId) => api.listOperations(projectId, {})],
  ["operation", (api, id) => api.getOperation("p", id)],
])("no request is sent if its %s id would lead to another route", async (what, act) => {
  for (const id of ["..", ".", ""]) {
    const { api, sent } = clientOf({ endpoints: [], endpoint, operation, operations: [] });
    const message = expect.stringContaining(`about the ${what} with the id ${JSON.stringify(id)}`) as unknown;
    await expect(act(api, id)).rejects.toMatchObject({ message, kind: "badInput", outcome: "unsent" });
    expect(sent).toEqual([]);
  }
});

it.each([null, undefined])("an answer to a change has no operations if they are %p", async (operations) => {
  const { api } = clientOf({ endpoint, operations });
  await expect(api.updateEndpoint(ref, {})).resolves.toEqual({ endpoint, operations: undefined });
  await expect(api.deleteEndpoint(ref)).resolves.toBeUndefined();
});

describe("an id of the service", () => {
  const unsafe = ["a\u001b[2Jb", "a\n::error::b", "ä", "a/../b", ""];

  it.each(unsafe.map((id) => `ep-${id}`))(
    "is refused if it has other characters than letters, digits, - and _, which could steer a terminal: %j",
    async (id) => {
      const other = id.replace(/^ep-(.)/s, "x$1").replace("ep-", "");
      const [ofCompute, ofOperation] = [
        [{ id }, { id: other }, { project_id: other }, { branch_id: other }],
        ["id", "project_id", "branch_id", "endpoint_id"].map((name) => ({ [name]: other })),
      ];
      for (const change of ofCompute) {
        const answered = { ...endpoint, ...change };
        const { api } = clientOf({ endpoint: answered, endpoints: [answered, endpoint] });
        const wrong = / is not in the expected form \((?:an id has only|must start)/;
        await expect(api.updateEndpoint(ref, {})).rejects.toThrow(wrong);
        const listed = await api.listEndpoints("p");
        expect([...listed.keys()]).toEqual(["ep-a"]);
        const messages = listed.unreadable?.map(({ error }) => error.message).join() ?? "";
        expect(messages).toContain("is not in the expected form");
        expect(messages).not.toMatch(/[^\x20-\x7e]|::/);
      }
      for (const change of ofOperation) {
        const answered = { ...operation, ...change };
        const { api } = clientOf({ operation: answered, operations: [answered, operation] });
        const wrong = `operation.${Object.keys(change).join()} is not in the expected form`;
        await expect(api.getOperation("p", "op-1")).rejects.toThrow(wrong);
        const { operations } = await api.listOperations("p", {});
        expect(operations).toEqual([operation]);
      }
    },
  );
});

it("a list of 20000 is read, and a longer one is refused at once: to read it would block the process", async () => {
  const many = Array.from({ length: 300_000 }, (_, index) => ({ ...endpoint, id: `ep-${index}` }));
  const { api } = clientOf({ endpoints: many, operations: many });
  const startMs = performance.now();
  await expect(api.listEndpoints("p")).rejects.toThrow(
    "endpoints is not in the expected form (it has more than 20000 members)",
  );
  await expect(api.listOperations("p", {})).rejects.toThrow("it has more than 20000 members");
  expect(performance.now() - startMs).toBeLessThan(3_000);
  const some = clientOf({ endpoints: many.slice(0, 20_000) }).api.listEndpoints("p");
  await expect(some).resolves.toHaveProperty("size", 20_000);
});

it.each<[shown: string | null, read: string | null | undefined, reason: string]>([
  ["2000-01-01T00:00:00Z", undefined, "Neon's time for a compute that was never used"],
  [null, null, "no time"],
  ["2026-01-05T08:00:00Z", "2026-01-05T08:00:00Z", "a used compute's time"],
])("the last activity %s is read as %s: %s", async (last_active, seen) => {
  const listed = await clientOf({ endpoints: [{ ...endpoint, last_active }] }).api.listEndpoints("p");
  expect(listed.get("ep-a")?.last_active).toBe(seen);
});
