import { closeBenches, newBench } from "./support";

afterEach(closeBenches);

const nowhere = "/projects/no-project-1";
const noEndpoint = "ep-no-such-00000000";

describe("a request for something that does not exist", () => {
  const made = { branch_id: "br-a", type: "read_write" };
  it.each<[what: string, method: string, path: string, endpoint?: object]>([
    ["a project, listed", "GET", `${nowhere}/endpoints`],
    ["a project, in a create", "POST", `${nowhere}/endpoints`, made],
    ["a branch, in a create", "POST", "AT/endpoints", made],
    ["a branch, in a move", "PATCH", "AT/endpoints/PRIMARY", { branch_id: "br-a" }],
    ["an endpoint, updated", "PATCH", `AT/endpoints/${noEndpoint}`, {}],
    ["an operation", "GET", "AT/operations/00000000-0000-4000-8000-000000000000"],
    ["a route", "GET", "AT/nothing"],
  ])("gets a 404 with a message: %s", async (...[, method, path, endpoint]) => {
    const { send, at, id } = await newBench();
    const to = path.replace("AT", at).replace("PRIMARY", id);
    const answer = await send(method, to, endpoint);
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
    ["no branch (interface, 4.1)", { branch_id: undefined }, "branch_id is required"],
    ["no type (interface, 4.1)", { type: undefined }, "type is required"],
    ["a number as the branch's id", { branch_id: 7 }, "branch_id must be a text"],
    ["an unknown type", { type: "primary" }, "type must be read_write or read_only"],
    [
      "a size that is not in the list (interface, 8.1)",
      { autoscaling_limit_min_cu: 0.3 },
      "must be one of 0.25, 0.5",
    ],
    [
      "a minimum above the maximum",
      { autoscaling_limit_min_cu: 2, autoscaling_limit_max_cu: 1 },
      "min_cu (2) is above autoscaling_limit_max_cu (1)",
    ],
    ["a suspend timeout of less than a minute", { suspend_timeout_seconds: 59 }, "60 to 604800"],
    [
      "a suspend timeout of more than seven days (interface, 8.2)",
      { suspend_timeout_seconds: 604_801 },
      "60 to 604800",
    ],
    ["a list as settings", { settings: [] }, "settings must be an object"],
    ["an unknown pooler mode", { pooler_mode: "sesion" }, "pooler_mode must be transaction"],
    ["a text as a flag", { disabled: "yes" }, "true or false"],
  ])("is refused by a create: %s", async (_reason, endpoint, says) => {
    const { emulator, send, at, project } = await newBench();
    const right = { branch_id: project.branch.id, type: "read_only" };
    const answer = await send("POST", `${at}/endpoints`, { ...right, ...endpoint });
    expect(answer.status).toBe(400);
    expect(answer.body.message).toContain(says);
    expect(emulator.endpoints(project.project.id)).toHaveLength(1);
  });

  it.each([
    { body: "{", reason: "it is not JSON" },
    { body: "[]", reason: "it is a list" },
    { body: '{"endpoint":null}', reason: "it has no endpoint" },
    { body: "", reason: "it is empty" },
  ])("is refused by create and update if $reason", async ({ body }) => {
    const { sendRaw, at, primary } = await newBench();
    expect((await sendRaw("POST", `${at}/endpoints`, { body })).status).toBe(400);
    expect((await sendRaw("PATCH", primary, { body })).status).toBe(400);
  });

  it.each([
    { endpoint: { type: "read_only" }, reason: "the type is fixed" },
    { endpoint: { region_id: "local-2" }, reason: "the region is fixed" },
    { endpoint: { autoscaling_limit_min_cu: 1 }, reason: "the new minimum is above the compute's maximum" },
  ])("is refused by an update, which changes nothing: $reason", async ({ endpoint }) => {
    const { emulator, send, id, primary } = await newBench();
    const before = emulator.endpoint(id);
    expect((await send("PATCH", primary, endpoint)).status).toBe(400);
    expect(emulator.endpoint(id)).toEqual(before);
  });
});

describe("a second primary", () => {
  it.each(["create", "move"])(
    "is refused on a branch that already has a primary, and the answer names that primary: %s",
    async (way) => {
      const { emulator, send, at, project, primary } = await newBench();
      const other = emulator.createBranch(project.project.id);
      const answer =
        way === "create"
          ? await send("POST", `${at}/endpoints`, { branch_id: other.branch.id, type: "read_write" })
          : await send("PATCH", primary, { branch_id: other.branch.id });
      expect(answer.status).toBe(409);
      expect(answer.body).toMatchObject({ code: "read_write_endpoint_exists" });
      expect(answer.body.message).toContain(other.endpoint!.id);
    },
  );
});

describe("the key", () => {
  it.each([
    { headers: { Authorization: "Bearer wrong" }, reason: "another key" },
    { headers: { Authorization: "" }, reason: "no key" },
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
});

it("an answer echoes X-Request-ID, and an error also has it in its body", async () => {
  const { sendRaw, at } = await newBench();
  const good = await sendRaw("GET", `${at}/endpoints`, { headers: { "X-Request-ID": "mine-1" } });
  expect(good.headers.get("x-request-id")).toBe("mine-1");
  const bad = await sendRaw("GET", `${nowhere}/endpoints`, { headers: { "X-Request-ID": "mine-2" } });
  expect(bad.body.request_id).toBe("mine-2");
});
