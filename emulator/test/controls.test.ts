/** What tests and people can do to the emulator over HTTP, and what it logs. */
import { startEmulator, type Emulator } from "..";
import { closeBenches, newBench } from "./support";

afterEach(closeBenches);

interface Reply {
  readonly status: number;
  readonly body: unknown;
}

async function control(emulator: Emulator, call: string, body?: object): Promise<Reply> {
  const [method = "", path = ""] = call.split(" ");
  const answer = await fetch(`${emulator.url}/_emulator${path}`, {
    method,
    headers: { "Content-Type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: await answer.json() };
}

const [project, compute] = ["/projects/PROJECT", "/endpoints/PRIMARY"];
const stack = {
  version: 3,
  deployment: {
    resources: [
      { urn: "urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev" },
      { urn: "urn:pulumi:dev::shop::compute:index:Endpoint::app", id: "PROJECT/PRIMARY" },
    ],
  },
};
const idle = { endpoint: { current_state: "idle" } };

/** Calls that are sent one after the other, without a key. */
const calls: readonly (readonly [call: string, body: object | undefined, sees: object])[] = [
  [
    "POST /projects",
    { name: "shop", regionId: "local-9" },
    { project: { name: "shop" }, endpoint: { region_id: "local-9" } },
  ],
  [
    `POST ${project}/branches`,
    { name: "dev", compute: false },
    { branch: { name: "dev" }, operations: [{ action: "create_branch" }] },
  ],
  ["GET /projects", undefined, { projects: [{}, { name: "shop" }] }],
  [`GET ${project}/branches`, undefined, { branches: [{ name: "main" }, { name: "dev" }] }],
  [
    `GET ${project}/endpoints`,
    undefined,
    { endpoints: [{ maxConnections: 112, counters: { restarts: 0 } }] },
  ],
  [`POST ${project}/availability-check`, undefined, { operations: [{ action: "check_availability" }] }],
  ["POST /stack", stack, {}],
  [`GET ${compute}`, undefined, { resource: "app" }],
  ["POST /clock", { advanceMs: 600_000 }, { kind: "manual" }],
  [`GET ${compute}`, undefined, idle],
  [`POST ${compute}/connections`, undefined, { operations: [{ action: "start_compute" }] }],
  [`GET ${compute}/counters`, undefined, { connectionsDropped: 0 }],
  ["GET /clock", undefined, { kind: "manual", nowMs: expect.any(Number) as number }],
  ["POST /faults", { kind: "status", status: 503, times: 2 }, {}],
  ["GET /faults", undefined, { faults: [{ status: 503 }] }],
  ["DELETE /faults", undefined, {}],
  ["GET /faults", undefined, { faults: [] }],
  ["POST /timelines", { stuck: "running" }, {}],
  ["DELETE /timelines", undefined, {}],
  ["PATCH /switches", { lock: "project" }, { lock: "project" }],
  ["GET /switches", undefined, { lock: "project" }],
  // The log does not contain calls to the controls.
  ["GET /requests", undefined, { requests: [] }],
  ["DELETE /requests", undefined, {}],
];

it("the controls do over HTTP what a test can do to an emulator in its own process", async () => {
  const { emulator, id, project: made } = await newBench();
  const named = (text: string): string =>
    text.replaceAll("PROJECT", made.project.id).replaceAll("PRIMARY", id);
  for (const [call, body, sees] of calls) {
    const sent = body && (JSON.parse(named(JSON.stringify(body))) as object);
    expect([call, await control(emulator, named(call), sent)]).toMatchObject([
      call,
      { status: 200, body: sees },
    ]);
  }
});

it.each([
  ["POST /projects/none-1/branches", {}, 404, "Project none-1 does not exist."],
  ["POST /operations/x/end", {}, 404, "Operation x does not exist."],
  ["PATCH /switches", { lock: 1 }, 400, 'Switch lock takes off, project, not "1".'],
  ["POST /faults", { kind: "x" }, 400, expect.stringContaining("Faults: status") as string],
  ["POST /faults", { kind: "cut", path: "(" }, 400, expect.stringContaining("regular expression") as string],
  ["POST /faults", { kind: "status", status: 99 }, 400, expect.stringContaining("status") as string],
  ["POST /clock", { advanceMs: -1 }, 400, expect.stringContaining("advance only by") as string],
  ["POST /projects", [], 400, "The body must be a JSON object."],
  ["POST /stack", { resources: [] }, 400, "The body must be the output of `pulumi stack export`."],
  ["GET /nothing", undefined, 404, "The API is below /api/v2."],
])("the answer says what is wrong with %s", async (...[call, body, status, says]) => {
  const { emulator } = await newBench();
  expect(await control(emulator, call, body)).toEqual({ status, body: { message: says } });
});

describe("the request log", () => {
  it("has each request in the order of arrival, with its body and without its key", async () => {
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
});

it("a timeline with a member that no rule has is refused, with the members that a rule has", async () => {
  const emulator = await startEmulator();
  const answer = await fetch(`${emulator.url}/_emulator/timelines`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ action: "start_compute", durationMs: 5 }),
  });
  const { message } = (await answer.json()) as { message: string };
  await emulator.close();
  expect(answer.status).toBe(400);
  expect(message).toMatch(/^A timeline has no durationMs\. It takes action, .*runningMs/);
});
