import type { RequestOptions } from "node:http";
import type { Emulator } from "../../emulator";
import { answerTo, closeBenches, newBench, replyOf } from "./support";

afterEach(closeBenches);

async function control(
  emulator: Emulator,
  call: string,
  body?: object,
): Promise<{ status: number; body: unknown }> {
  const [method = "", path = ""] = call.split(" ");
  const answer = await fetch(`${emulator.url}/_emulator${path}`, {
    method,
    headers: { "Content-Type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: await answer.json() };
}

it("makes a project and a branch over HTTP, without a key", async () => {
  const { emulator } = await newBench();
  const project = await control(emulator, "POST /projects", { name: "shop", regionId: "local-9" });
  expect(project).toMatchObject({
    status: 200,
    body: { project: { name: "shop" }, endpoint: { region_id: "local-9" } },
  });
  const { id } = (project.body as { project: { id: string } }).project;
  expect(
    await control(emulator, `POST /projects/${id}/branches`, { name: "dev", compute: false }),
  ).toMatchObject({
    body: { branch: { name: "dev" }, operations: [{ action: "create_branch" }] },
  });
  expect(await control(emulator, "GET /projects")).toMatchObject({
    body: { projects: [{}, { name: "shop" }] },
  });
  expect(await control(emulator, `GET /projects/${id}/branches`)).toMatchObject({
    body: { branches: [{ name: "main" }, { name: "dev" }] },
  });
  expect(await control(emulator, `GET /projects/${id}/endpoints`)).toMatchObject({
    body: { endpoints: [{ maxConnections: 112, counters: { restarts: 0 } }] },
  });
  expect(await control(emulator, `POST /projects/${id}/availability-check`)).toMatchObject({
    body: { operations: [{ action: "check_availability" }] },
  });
});

it("advances the clock and connects to an endpoint over HTTP", async () => {
  const { emulator, id } = await newBench();
  await control(emulator, "POST /clock", { advanceMs: 600_000 });
  const path = `/endpoints/${id}`;
  expect(await control(emulator, `GET ${path}`)).toMatchObject({
    body: { endpoint: { current_state: "idle" } },
  });
  expect(await control(emulator, `POST ${path}/connections`)).toMatchObject({
    body: { operations: [{ action: "start_compute" }] },
  });
  expect(await control(emulator, `GET ${path}/counters`)).toMatchObject({ body: { connectionsDropped: 0 } });
  expect(await control(emulator, "GET /clock")).toMatchObject({
    body: { kind: "manual", nowMs: emulator.clock.now() },
  });
});

it("sets and clears faults, timelines and switches over HTTP", async () => {
  const { emulator, send, at, primary } = await newBench();
  await control(emulator, "POST /faults", { kind: "status", status: 503, times: 2 });
  expect((await send("GET", `${at}/endpoints`)).status).toBe(503);
  expect(await control(emulator, "GET /faults")).toMatchObject({ body: { faults: [{ status: 503 }] } });
  await control(emulator, "DELETE /faults");
  expect((await send("GET", `${at}/endpoints`)).status).toBe(200);

  await control(emulator, "POST /timelines", { stuck: "running" });
  const restarted = await send("POST", `${primary}/restart`);
  emulator.clock.advance(86_400_000);
  const [stuck] = restarted.body.operations;
  expect(await control(emulator, `POST /operations/${stuck!.id}/end`, { status: "failed" })).toMatchObject({
    body: { id: stuck!.id, status: "failed" },
  });
  expect(await control(emulator, "DELETE /timelines")).toEqual({ status: 200, body: {} });

  expect(await control(emulator, "PATCH /switches", { lock: "project" })).toMatchObject({
    body: { lock: "project" },
  });
  expect(await control(emulator, "GET /switches")).toMatchObject({ body: { lock: "project" } });
});

it.each([
  ["POST /projects/none-1/branches", {}, 404, "Project none-1 does not exist."],
  ["GET /endpoints/ep-none", undefined, 404, "Endpoint ep-none does not exist."],
  ["POST /operations/x/end", {}, 404, "Operation x does not exist."],
  ["PATCH /switches", { lock: 1 }, 400, 'Switch lock takes off, project, not "1".'],
  ["POST /faults", { kind: "x" }, 400, expect.stringContaining("Faults: status") as string],
  ["POST /clock", { advanceMs: -1 }, 400, expect.stringContaining("advances by") as string],
  ["POST /projects", [], 400, "The body is a JSON object."],
  ["GET /nothing", undefined, 404, "The API is below /api/v2."],
])("says what is wrong with %s", async (...[call, body, status, says]) => {
  const { emulator } = await newBench();
  expect(await control(emulator, call, body)).toEqual({ status, body: { message: says } });
});

describe("the request log", () => {
  it("tells each request in the order of arrival, with its body and without its key", async () => {
    const { emulator, sendRaw, send, at, project } = await newBench();
    const made = await send("POST", `${at}/endpoints`, { branch_id: project.branch.id, type: "read_only" });
    await sendRaw("GET", `${at}/operations?limit=2`, { headers: { "X-Extra": "1" } });
    await sendRaw("POST", `${at}/endpoints`, { body: "{" });
    expect(emulator.requests()).toMatchObject([
      {
        number: 1,
        method: "POST",
        route: "createEndpoint",
        projectId: project.project.id,
        endpointId: made.body.endpoint.id,
        body: { endpoint: { type: "read_only" } },
        isAuthorized: true,
        isCommitted: true,
        isAborted: false,
        status: 201,
        atMs: emulator.clock.now(),
      },
      { number: 2, route: "listOperations", query: "limit=2", headers: { "x-extra": "1" }, status: 200 },
      { number: 3, body: "{", isCommitted: false, status: 400 },
    ]);
    expect(JSON.stringify(emulator.requests())).not.toContain("local-key");
  });

  it("is read and cleared over HTTP, where controls are not in it", async () => {
    const { emulator, send, at } = await newBench();
    await send("GET", `${at}/endpoints`);
    expect(await control(emulator, "GET /requests")).toMatchObject({
      body: { requests: [{ route: "listEndpoints" }] },
    });
    await control(emulator, "DELETE /requests");
    expect(await control(emulator, "GET /requests")).toEqual({ status: 200, body: { requests: [] } });
  });
});

it("changes endpoints behind a client's back, in no log and past every fault", async () => {
  const { emulator, project, id } = await newBench();
  emulator.addFault({ kind: "cut" });
  emulator.updateEndpoint(id, { autoscaling_limit_max_cu: 2 });
  emulator.restartEndpoint(id);
  emulator.deleteEndpoint(id);
  expect(emulator.endpoints(project.project.id)).toEqual([]);
  expect(emulator.requests()).toEqual([]);
  expect(emulator.counters(id).causes).toMatchObject({ size: 1, restart: 1, delete: 1 });
});

describe("a request to the controls", () => {
  const isJson = { "Content-Type": "application/json" };
  const fromPage = { Origin: "https://shop.example" };
  const ask = async ({ url }: Emulator, asked: RequestOptions & { body?: string }) =>
    replyOf(await answerTo(`${url}/_emulator/projects`, { method: "POST", ...asked }));

  // test/emulator/access.test.ts has all names and origins: the API goes by the same rules.
  it("is refused under another host name than this machine's", async () => {
    const { emulator } = await newBench();
    const host = "shop.example:8787";
    expect(await ask(emulator, { headers: { Host: host, ...isJson }, body: "{}" })).toEqual({
      status: 403,
      message: `Controls are not answered under the host name "${host}". Use ${emulator.url}/_emulator.`,
    });
    expect(emulator.projects()).toHaveLength(1);
  });

  it.each([
    { reason: "a page of another origin", status: 403, headers: { ...fromPage, ...isJson }, body: "{}" },
    { reason: "its request without a body", status: 403, headers: fromPage },
    { reason: "its read", status: 403, headers: fromPage, method: "GET" },
    ...[
      { type: "text/plain", reason: "what a page may send without asking" },
      { type: "text/plain; application/json", reason: "JSON that is only mentioned" },
      { type: "application/json-seq", reason: "what only begins like JSON" },
      { type: "application/x-www-form-urlencoded", reason: "a form" },
      { type: "", reason: "no type" },
    ].map(({ type, reason }) => ({ reason, status: 415, headers: { "Content-Type": type }, body: "{}" })),
  ])("is refused with $status: $reason", async ({ reason: _, status, ...asked }) => {
    const { emulator } = await newBench();
    const answer = await ask(emulator, asked);
    expect(answer.status).toBe(status);
    expect(answer.message).toContain(
      status === 403 ? "without an Origin header." : "Send the header Content-Type: application/json.",
    );
    expect(emulator.projects()).toHaveLength(1);
  });

  it("is answered to a page of its own origin, with JSON of a charset, and without a body of no type", async () => {
    const { emulator } = await newBench();
    const charset = { "Content-Type": "Application/JSON; charset=utf-8" };
    const own = { Origin: emulator.url, ...isJson };
    for (const asked of [{ headers: own, body: "{}" }, { headers: charset, body: "{}" }, {}])
      expect(await ask(emulator, asked)).toMatchObject({ status: 200, project: {} });
  });
});

it("names computes after their resources, from what `pulumi stack export` prints", async () => {
  const { emulator, project } = await newBench();
  const { endpoint } = project;
  const resources = [
    { urn: "urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev" },
    { urn: "urn:pulumi:dev::shop::compute:index:Endpoint::app", id: `${project.project.id}/${endpoint.id}` },
  ];
  expect(await control(emulator, "POST /stack", { version: 3, deployment: { resources } })).toMatchObject({
    status: 200,
  });
  expect(emulator.endpoint(endpoint.id).resource).toBe("app");
  expect(await control(emulator, "POST /stack", { resources })).toEqual({
    status: 400,
    body: { message: "The body is what `pulumi stack export` prints." },
  });
});
