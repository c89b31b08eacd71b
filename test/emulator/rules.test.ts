import { closeBenches, newBench } from "./support";
import type { Bench, Reply } from "./support";

afterEach(closeBenches);

const nowhere = "/projects/no-project-1";
const noEndpoint = "ep-no-such-00000000";

describe("an unknown thing", () => {
  const cases: readonly (readonly [string, (bench: Bench) => Promise<Reply>])[] = [
    ["project, list", ({ send }) => send("GET", `${nowhere}/endpoints`)],
    [
      "project, create",
      ({ send }) => send("POST", `${nowhere}/endpoints`, { branch_id: "br-a", type: "read_write" }),
    ],
    ["project, operations", ({ send }) => send("GET", `${nowhere}/operations`)],
    [
      "branch, create",
      ({ send, at }) => send("POST", `${at}/endpoints`, { branch_id: "br-a", type: "read_write" }),
    ],
    [
      "branch, move",
      ({ send, at, project }) =>
        send("PATCH", `${at}/endpoints/${project.endpoint.id}`, { branch_id: "br-a" }),
    ],
    ["endpoint, update", ({ send, at }) => send("PATCH", `${at}/endpoints/${noEndpoint}`, {})],
    ["endpoint, restart", ({ send, at }) => send("POST", `${at}/endpoints/${noEndpoint}/restart`)],
    ["operation", ({ send, at }) => send("GET", `${at}/operations/00000000-0000-4000-8000-000000000000`)],
    ["route", ({ send, at }) => send("GET", `${at}/nothing`)],
  ];

  it.each(cases)("is a 404 that says so: %s", async (_name, ask) => {
    const answer = await ask(await newBench());
    expect(answer.status).toBe(404);
    expect(answer.body).toMatchObject({
      code: "not_found",
      message: expect.any(String) as string,
      request_id: answer.headers.get("x-request-id"),
    });
  });
});

describe("an invalid body", () => {
  it.each<[reason: string, endpoint: Record<string, unknown>, says: string]>([
    ["4.1 requires the branch", { type: "read_write" }, "branch_id is required"],
    ["4.1 shows the type", { branch_id: "br-x" }, "type is required"],
    ["ids are texts", { branch_id: 7, type: "read_write" }, "branch_id is a text"],
    ["no such type", { branch_id: "BR", type: "primary" }, "type is read_write or read_only"],
    [
      "outside 8.1",
      { branch_id: "BR", type: "read_only", autoscaling_limit_min_cu: 0.3 },
      "is one of 0.25, 0.5",
    ],
    ["no size", { branch_id: "BR", type: "read_only", autoscaling_limit_min_cu: -1 }, "a number above 0"],
    [
      "an empty range",
      {
        branch_id: "BR",
        type: "read_only",
        autoscaling_limit_min_cu: 2,
        autoscaling_limit_max_cu: 1,
      },
      "min_cu (2) is above autoscaling_limit_max_cu (1)",
    ],
    ["too short", { branch_id: "BR", type: "read_only", suspend_timeout_seconds: 59 }, "60 to 604800"],
    [
      "8.2: seven days",
      { branch_id: "BR", type: "read_only", suspend_timeout_seconds: 604_801 },
      "60 to 604800",
    ],
    ["a list is none", { branch_id: "BR", type: "read_only", settings: [] }, "settings is an object"],
    [
      "nor a number",
      { branch_id: "BR", type: "read_only", settings: { pg_settings: 1 } },
      "pg_settings is an object",
    ],
    [
      "no such mode",
      { branch_id: "BR", type: "read_only", pooler_mode: "sesion" },
      "pooler_mode is transaction",
    ],
    ["a text is no flag", { branch_id: "BR", type: "read_only", disabled: "yes" }, "true or false"],
  ])("is refused by a create: %s", async (_reason, endpoint, says) => {
    const { emulator, send, at, project } = await newBench();
    const branch = endpoint["branch_id"] === "BR" ? { branch_id: project.branch.id } : {};
    const answer = await send("POST", `${at}/endpoints`, { ...endpoint, ...branch });
    expect(answer.status).toBe(400);
    expect(answer.body.message).toContain(says);
    expect(emulator.endpoints(project.project.id)).toHaveLength(1);
  });

  it.each([
    { body: "{", reason: "it is no JSON" },
    { body: "[]", reason: "it is a list" },
    { body: '{"endpoint":null}', reason: "it has no endpoint" },
    { body: "", reason: "it is not there" },
  ])("is refused by create and update where $reason", async ({ body }) => {
    const { sendRaw, at, project } = await newBench();
    expect((await sendRaw("POST", `${at}/endpoints`, { body })).status).toBe(400);
    expect((await sendRaw("PATCH", `${at}/endpoints/${project.endpoint.id}`, { body })).status).toBe(400);
  });

  it.each([
    { endpoint: { type: "read_only" }, reason: "the type is fixed" },
    { endpoint: { region_id: "local-2" }, reason: "the region is fixed" },
    { endpoint: { autoscaling_limit_min_cu: 1 }, reason: "a minimum above the maximum that stays" },
  ])("is refused by an update, which changes nothing: $reason", async ({ endpoint }) => {
    const { emulator, send, at, project } = await newBench();
    const before = emulator.endpoint(project.endpoint.id);
    expect((await send("PATCH", `${at}/endpoints/${project.endpoint.id}`, endpoint)).status).toBe(400);
    expect(emulator.endpoint(project.endpoint.id)).toEqual(before);
  });
});

describe("a second primary", () => {
  it.each(["create", "move"])("is refused on a branch that has one, naming it: %s", async (way) => {
    const { emulator, send, at, project } = await newBench();
    const other = emulator.createBranch(project.project.id);
    const answer =
      way === "create"
        ? await send("POST", `${at}/endpoints`, { branch_id: other.branch.id, type: "read_write" })
        : await send("PATCH", `${at}/endpoints/${project.endpoint.id}`, { branch_id: other.branch.id });
    expect(answer.status).toBe(409);
    expect(answer.body).toMatchObject({ code: "read_write_endpoint_exists" });
    expect(answer.body.message).toContain(other.endpoint!.id);
  });

  it("is no matter for a replica, which may move to any branch", async () => {
    const { emulator, send, at, project } = await newBench();
    const other = emulator.createBranch(project.project.id);
    const replica = await send("POST", `${at}/endpoints`, {
      branch_id: project.branch.id,
      type: "read_only",
    });
    const path = `${at}/endpoints/${replica.body.endpoint.id}`;
    expect((await send("PATCH", path, { branch_id: other.branch.id })).status).toBe(200);
  });
});

describe("the key", () => {
  it.each([
    { headers: { Authorization: "Bearer wrong" }, reason: "another key" },
    { headers: { Authorization: "local-key" }, reason: "no Bearer" },
    { headers: { Authorization: "" }, reason: "none at all" },
  ])("is required: 401 for $reason", async ({ headers }) => {
    const { emulator, sendRaw, at } = await newBench();
    const answer = await sendRaw("GET", `${at}/endpoints`, { headers });
    expect(answer.status).toBe(401);
    expect(answer.body).toMatchObject({ code: "unauthorized", request_id: expect.any(String) as string });
    expect(emulator.requests().at(-1)).toMatchObject({
      isAuthorized: false,
      isCommitted: false,
      status: 401,
    });
  });

  it("comes before everything else, also for a route that is not there", async () => {
    const { sendRaw } = await newBench();
    expect((await sendRaw("GET", "/nothing", { headers: { Authorization: "x" } })).status).toBe(401);
  });
});

it("echoes X-Request-ID, also within an error", async () => {
  const { sendRaw, at } = await newBench();
  const good = await sendRaw("GET", `${at}/endpoints`, { headers: { "X-Request-ID": "mine-1" } });
  expect(good.headers.get("x-request-id")).toBe("mine-1");
  const bad = await sendRaw("GET", `${nowhere}/endpoints`, { headers: { "X-Request-ID": "mine-2" } });
  expect(bad.body.request_id).toBe("mine-2");
});
