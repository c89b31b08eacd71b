import type { Api } from "../../../../provider/service/client";
import type { WireRequest } from "../../../../provider/service/transport";
import { answer, clientOf as scriptedClient, type Client } from "./scripted";

const endpoint = { id: "ep-a", project_id: "p", branch_id: "br-a", type: "read_write" };
const operation = { id: "op-1", action: "start_compute", status: "running" };
const ref = { projectId: "a/b", endpointId: "ep-a/b" };

/** A client whose requests all get this body. */
const clientOf = (body: unknown, status = 200): Client => scriptedClient(answer(status, { body }));

describe("an id that would lead to another route", () => {
  it.each<[what: string, act: (api: Api, id: string) => Promise<unknown>]>([
    ["a deletion", (api, endpointId) => api.deleteEndpoint({ projectId: "p", endpointId })],
    ["a restart", (api, endpointId) => api.restartEndpoint({ projectId: "p", endpointId })],
    ["a change", (api, endpointId) => api.updateEndpoint({ projectId: "p", endpointId }, {})],
    ["a list", (api, projectId) => api.listEndpoints(projectId)],
    ["an operation", (api, id) => api.getOperation("p", id)],
  ])("is sent by no request: %s", async (_what, act) => {
    for (const id of ["..", ".", ""]) {
      const { api, sent } = clientOf({ endpoints: [], endpoint, operation });
      await expect(act(api, id)).rejects.toThrow("would lead to another route");
      expect(sent).toEqual([]);
    }
  });
});

describe("a route", () => {
  const body = { branch_id: "br-a", type: "read_write" };
  const [computes, compute] = ["/projects/a%2Fb/endpoints", "/projects/a%2Fb/endpoints/ep-a%2Fb"];
  const operations = "/projects/a%2Fb/operations";

  it.each<[route: string, doing: string, act: (api: Api) => Promise<unknown>, sends: WireRequest]>([
    [
      "createEndpoint",
      "creating a compute on branch br-a of project a/b",
      (api) => api.createEndpoint("a/b", body),
      { method: "POST", path: computes, body: { endpoint: body } },
    ],
    [
      "createEndpoint",
      "creating a compute on branch ? of project a/b",
      (api) => api.createEndpoint("a/b", {}),
      { method: "POST", path: computes, body: { endpoint: {} } },
    ],
    [
      "listEndpoints",
      "listing the computes of project a/b",
      (api) => api.listEndpoints("a/b"),
      { method: "GET", path: computes },
    ],
    [
      "updateEndpoint",
      "updating compute ep-a/b",
      (api) => api.updateEndpoint(ref, { disabled: true }),
      { method: "PATCH", path: compute, body: { endpoint: { disabled: true } } },
    ],
    [
      "deleteEndpoint",
      "deleting compute ep-a/b",
      (api) => api.deleteEndpoint(ref),
      { method: "DELETE", path: compute },
    ],
    [
      "restartEndpoint",
      "restarting compute ep-a/b",
      (api) => api.restartEndpoint(ref),
      { method: "POST", path: `${compute}/restart` },
    ],
    [
      "listOperations",
      "listing the operations of project a/b",
      (api) => api.listOperations("a/b", {}),
      { method: "GET", path: operations },
    ],
    [
      "getOperation",
      "reading operation op/1",
      (api) => api.getOperation("a/b", "op/1"),
      { method: "GET", path: `${operations}/op%2F1` },
    ],
  ])("%s sends what interface 4 says, with every id escaped: %s", async (...[route, doing, act, sends]) => {
    const all = { endpoint, endpoints: [endpoint], operation, operations: [operation] };
    const { api, sent, log } = clientOf(all);
    await act(api);
    expect(sent).toEqual([sends]);
    // Each has a rate limit of its own.
    expect(log).toEqual([`acquire ${route}`, "send", `ended ${route}`]);
    await expect(act(clientOf({ code: "NO" }, 400).api)).rejects.toMatchObject({ problem: { doing } });
  });
});

describe("a change", () => {
  it.each([
    { operations: [operation], reads: [operation], reason: "what to wait for" },
    { operations: [], reads: [], reason: "nothing to wait for" },
    { operations: null, reads: undefined, reason: "null names none" },
    { operations: undefined, reads: undefined, reason: "left out names none" },
  ])("hands over its operations: $reason", async ({ operations, reads }) => {
    const { api } = clientOf({ endpoint, operations });
    await expect(api.createEndpoint("p", {})).resolves.toEqual({ endpoint, operations: reads });
    await expect(api.updateEndpoint(ref, {})).resolves.toEqual({ endpoint, operations: reads });
    await expect(api.deleteEndpoint(ref)).resolves.toEqual(reads);
    await expect(api.restartEndpoint(ref)).resolves.toEqual(reads);
  });

  it.each([
    { body: null, status: 200 },
    { body: undefined, status: 204 },
  ])("may be answered $status with $body where the interface shows no answer", async ({ body, status }) => {
    const { api } = clientOf(body, status);
    await expect(api.restartEndpoint(ref)).resolves.toBeUndefined();
    // Interface 4.4 shows one for a deletion.
    await expect(api.deleteEndpoint(ref)).rejects.toMatchObject({ kind: "empty", outcome: "unknown" });
  });

  it.each([undefined, {}, { status: "ok" }])(
    "is no deletion where it is answered 200 with %j",
    async (body) => {
      const { api } = clientOf(body);
      await expect(api.deleteEndpoint(ref)).rejects.toMatchObject({ kind: "unreadable", outcome: "unknown" });
    },
  );

  it.each(["restarted", { operations: "soon" }])("may be a restart answered with %j", async (answer) => {
    await expect(clientOf(answer).api.restartEndpoint(ref)).resolves.toBeUndefined();
  });
});

describe("a page of operations", () => {
  it.each([
    { page: {}, query: "", reason: "the service's own limit" },
    { page: { limit: 100 }, query: "?limit=100", reason: "interface 4.6" },
    {
      page: { limit: 5, cursor: "2026-01-05T08:00:00.5+00:00" },
      query: "?limit=5&cursor=2026-01-05T08%3A00%3A00.5%2B00%3A00",
      reason: "a cursor is URL-encoded",
    },
    { page: { cursor: "c" }, query: "?cursor=c", reason: "a cursor alone" },
  ])("is asked for with $query: $reason", async ({ page, query }) => {
    const { api, sent } = clientOf({ operations: [] });
    await api.listOperations("a/b", page);
    expect(sent).toEqual([{ method: "GET", path: `/projects/a%2Fb/operations${query}` }]);
  });

  it.each([
    { operations: [operation], pagination: { cursor: "c2" }, cursor: "c2", reason: "there is more" },
    { operations: [], pagination: { cursor: "c2" }, cursor: undefined, reason: "an empty page is the last" },
    { operations: [operation], pagination: { cursor: "" }, cursor: undefined, reason: "an empty cursor" },
    { operations: [operation], pagination: { cursor: null }, cursor: undefined, reason: "a null cursor" },
    { operations: [operation], pagination: {}, cursor: undefined, reason: "no cursor" },
    { operations: [operation], pagination: null, cursor: undefined, reason: "null for pagination" },
    { operations: [operation], pagination: undefined, cursor: undefined, reason: "no pagination" },
  ])("leads on to $cursor: $reason", async ({ operations, pagination, cursor }) => {
    const { api } = clientOf({ operations, pagination });
    await expect(api.listOperations("p", {})).resolves.toEqual({ operations, cursor });
  });
});

describe("an id of the service", () => {
  const lookalikes = [
    "ep-a\u001b[2Jb",
    "ep-a\n::error::b",
    "ep-a\r\n::set-output name=a::b",
    "ep-a\u202eb",
    "ep-a b",
    "ep-",
    "ep-ä",
    "ep-a/../b",
    "",
  ];

  it.each(lookalikes)(
    "has only letters, digits, - and _, which steer no terminal and no log: %j",
    async (id) => {
      const unsafe = id.replace(/^ep-/, "x");
      const answers = [
        { id },
        ...["project_id", "branch_id"].map((name) => ({ [name]: unsafe === "x" ? "" : unsafe })),
      ].map((change) => ({ ...endpoint, ...change }));
      for (const answered of answers) {
        const { api } = clientOf({ endpoint: answered, operations: [], endpoints: [answered, endpoint] });
        const change = api.updateEndpoint({ projectId: "p", endpointId: "ep-a" }, {});
        await expect(change).rejects.toThrow(/ is not as the interface says \((?:an id has only|must start)/);
        const listed = await api.listEndpoints("p");
        expect([...listed.keys()]).toEqual(["ep-a"]);
        const messages = listed.unreadable?.map(({ error }) => error.message).join() ?? "";
        expect(messages).toContain("is not as the interface says");
        expect(messages).not.toMatch(/[^\x20-\x7e]|::/);
      }
    },
  );

  it.each(lookalikes)("is checked in operations too: %j", async (id) => {
    const unsafe = id === "ep-" ? "" : id;
    for (const name of ["id", "project_id", "branch_id", "endpoint_id"]) {
      const answered = { ...operation, [name]: unsafe };
      const { api } = clientOf({ operation: answered, operations: [answered, operation] });
      await expect(api.getOperation("p", "op-1")).rejects.toThrow(
        `operation.${name} is not as the interface says`,
      );
      const { operations } = await api.listOperations("p", {});
      expect(operations).toEqual([operation]);
    }
  });
});

describe("a list that is too long to read", () => {
  it("is refused at once: a process that reads it answers nobody", async () => {
    const many = Array.from({ length: 300_000 }, (_, index) => ({ ...endpoint, id: `ep-${index}` }));
    const { api } = clientOf({ endpoints: many, operations: many });
    const startMs = performance.now();
    await expect(api.listEndpoints("p")).rejects.toThrow(
      "endpoints is not as the interface says (it has more than 20000 members)",
    );
    await expect(api.listOperations("p", {})).rejects.toThrow("it has more than 20000 members");
    expect(performance.now() - startMs).toBeLessThan(3_000);
  });

  it("is one of more computes than a project has: 20000 are read", async () => {
    const many = Array.from({ length: 20_000 }, (_, index) => ({ ...endpoint, id: `ep-${index}` }));
    await expect(clientOf({ endpoints: many }).api.listEndpoints("p")).resolves.toHaveProperty(
      "size",
      20_000,
    );
  });
});
