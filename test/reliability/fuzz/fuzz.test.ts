/**
 * The client against answers that are no answers: over a raw socket, so that nothing puts them right again. `npm run test:long -- fuzz`
 * has a hundred thousand of them.
 */
import * as fc from "fast-check";
import net from "node:net";
import { wireApi } from "../../../provider/wiring";
import { RequestError } from "../../../provider/model/errors";
import { redactor } from "../../../provider/redact";
import type { Api } from "../../../provider/service/client";
import { defaultRateLimits } from "../../../provider/settings/table";
import { createFakeClock } from "../../support/fakeClock";
import { isLong, seedsOfCommit, seedsTo } from "../seeds";

const { count, seeds } = isLong
  ? { count: 5_000, seeds: seedsTo(20) }
  : { count: 1_000, seeds: seedsOfCommit(1) };

const apiKey = "fuzz+key/that=nobody&may%see";
const ref = { projectId: "quiet-lake-1", endpointId: "ep-quiet-lake-1" };
const endpoint = {
  ...{ id: ref.endpointId, project_id: ref.projectId, branch_id: "br-quiet-lake-1", type: "read_write" },
  ...{ host: "ep-quiet-lake-1.compute.localhost", current_state: "init", pending_state: "active" },
  ...{ autoscaling_limit_min_cu: 0.25, autoscaling_limit_max_cu: 1 },
  ...{ settings: { pg_settings: { work_mem: "4MB" } }, created_at: "2026-01-05T08:00:00.000Z" },
};
const operation = {
  ...{ id: "a07f8772-1877-4da9-a939-3a3ae62d1d8d", project_id: ref.projectId, endpoint_id: ref.endpointId },
  ...{ action: "start_compute", status: "running", failures_count: 0 },
};

type Loose = Record<string, unknown>;

const hasId = (one: unknown): boolean => /^ep-./.test(String((one as Loose | undefined)?.["id"]));
const hasEndpoint = (result: unknown): boolean => hasId((result as Loose)["endpoint"]);
const areEndpoints = (list: unknown): boolean =>
  list instanceof Map && [...list].every(([id, one]) => hasId(one) && (one as Loose)["id"] === id);
const isOperation = (one: unknown): boolean => {
  const { id, status } = one as Loose;
  return typeof id === "string" && id !== "" && typeof status === "string";
};
const areOperations = (list: unknown): boolean => Array.isArray(list) && list.every(isOperation);

/** One request of the client, the answer to it, and what makes a result of it a good one. */
interface Exchange {
  readonly status: number;
  readonly body: object;
  readonly send: (api: Api) => Promise<unknown>;
  readonly isGood: (result: unknown) => boolean;
}

const done = { endpoint, operations: [operation] };
const create = (api: Api): Promise<unknown> =>
  api.createEndpoint(ref.projectId, { branch_id: endpoint.branch_id, type: "read_write" });
/** A service that quotes the key, and tries to steer the terminal. */
const refusal = {
  code: "bad\u001b[2J",
  message: `Bearer ${apiKey} and ${encodeURIComponent(apiKey)}\r\nrefused\u0007 ${"z".repeat(5_000)}`,
  request_id: "\u001b]0;title\u0007",
};

const exchanges: readonly Exchange[] = [
  { status: 201, body: done, send: create, isGood: hasEndpoint },
  { status: 400, body: refusal, send: create, isGood: hasEndpoint },
  {
    status: 200,
    body: { endpoints: [endpoint, { ...endpoint, id: "ep-other-1" }] },
    send: (api) => api.listEndpoints(ref.projectId),
    isGood: areEndpoints,
  },
  {
    status: 200,
    body: done,
    send: (api) => api.restartEndpoint(ref),
    isGood: (result) => result === undefined || areOperations(result),
  },
  {
    status: 200,
    body: { operations: [operation], pagination: { cursor: "2026-01-05T08:00:00.000000Z" } },
    send: (api) => api.listOperations(ref.projectId, { limit: 100 }),
    isGood: (result) => areOperations((result as Loose)["operations"]),
  },
  {
    status: 200,
    body: { operation },
    send: (api) => api.getOperation(ref.projectId, operation.id),
    isGood: isOperation,
  },
];

const statusLines = [
  "HTTP/1.1 200 OK",
  "HTTP/1.1 204 No Content",
  "HTTP/1.1 101 Switching Protocols",
  "HTTP/1.1 304 Not Modified",
  "HTTP/1.1 307 Temporary Redirect",
  "HTTP/1.1 429 Too Many Requests",
  "HTTP/1.1 500 Internal Server Error",
  "HTTP/1.1 2xx Nearly",
  "HTTP/9.9 200 OK",
  "",
];

const headerLines = [
  "Content-Length: 7",
  "Content-Length: -1",
  "Transfer-Encoding: chunked",
  "Content-Encoding: gzip",
  "Content-Type: text/html; charset=utf-16",
  "Retry-After: -1",
  "Location: http://[",
  "X-Request-ID: \u001b[31mred",
  "Connection: upgrade",
  `X-Long: ${"x".repeat(20_000)}`,
  "No colon",
];

/** What stands in a JSON body in place of a value. */
const values = [
  ...["null", "0", "1e999", "true", '""', '"ep-"', '"\\u0000"', "[]", "{}", '{"__proto__":{"id":"ep-x"}}'],
  `${"[".repeat(3_000)}${"]".repeat(3_000)}`,
  `"${"é".repeat(10_000)}"`,
];

/** Positions are shares of the length. */
const at = fc.double({ min: 0, max: 1, noNaN: true });
const mutation = fc.oneof(
  fc.record({
    kind: fc.constantFrom("flip" as const, "drop" as const, "repeat" as const, "cut" as const),
    at,
    length: fc.nat(64),
  }),
  fc.record({ kind: fc.constant("insert" as const), at, bytes: fc.uint8Array({ maxLength: 64 }) }),
  fc.record({ kind: fc.constant("statusLine" as const), line: fc.constantFrom(...statusLines) }),
  fc.record({ kind: fc.constant("header" as const), line: fc.constantFrom(...headerLines) }),
  fc.record({ kind: fc.constant("value" as const), at, value: fc.constantFrom(...values) }),
);
type Mutation = typeof mutation extends fc.Arbitrary<infer One> ? One : never;

const cases = fc.record({
  exchange: fc.constantFrom(...exchanges),
  mutations: fc.array(mutation, { minLength: 1, maxLength: 3 }),
});
type Case = typeof cases extends fc.Arbitrary<infer One> ? One : never;

/** The bytes of an answer that was tampered with. */
function bytesOf({ exchange, mutations }: Case): Buffer {
  const text = mutations.reduce(changeBody, JSON.stringify(exchange.body));
  const length = `Content-Length: ${Buffer.byteLength(text)}`;
  let lines = [`HTTP/1.1 ${exchange.status} OK`, "Content-Type: application/json", length];
  for (const one of mutations)
    if (one.kind === "statusLine") lines = [one.line, ...lines.slice(1)];
    else if (one.kind === "header") lines.push(one.line);
  return mutations.reduce(changeBytes, Buffer.from(`${lines.join("\r\n")}\r\n\r\n${text}`));
}

/** Puts another value where one of the body's members has its own. */
function changeBody(json: string, change: Mutation): string {
  if (change.kind !== "value") return json;
  const members = [...json.matchAll(/":("[^"]*"|[\d.]+)/g)];
  const member = members[Math.floor(change.at * (members.length - 1))]!;
  const start = member.index + 2;
  return json.slice(0, start) + change.value + json.slice(start + member[1]!.length);
}

function changeBytes(bytes: Buffer, change: Mutation): Buffer {
  if (change.kind === "statusLine" || change.kind === "header" || change.kind === "value") return bytes;
  const from = Math.floor(change.at * bytes.length);
  const before = bytes.subarray(0, from);
  if (change.kind === "insert") return Buffer.concat([before, change.bytes, bytes.subarray(from)]);
  if (change.kind === "cut") return before;
  const touched = bytes.subarray(from, from + change.length);
  const instead = {
    flip: [touched.map((byte) => byte ^ 0x15)],
    drop: [],
    repeat: [touched, touched],
  }[change.kind];
  return Buffer.concat([before, ...instead, bytes.subarray(from + change.length)]);
}

it.each(seeds)(
  "an answer that was tampered with is refused in words, or holds what a success must hold: seed %d",
  async (seed) => {
    const server = await answerRaw();
    const api = wireApi(
      { connection: () => ({ apiKey, baseUrl: server.url }), requestsPerMinute: defaultRateLimits },
      { clock: createFakeClock(), redact: redactor(apiKey) },
    );
    const counts = { good: 0, refused: 0 };
    const strays: unknown[] = [];
    const onStray = (reason: unknown): void => void strays.push(reason);
    process.on("unhandledRejection", onStray);
    try {
      await fc.assert(
        fc.asyncProperty(cases, async (one) => {
          server.answerWith(bytesOf(one));
          counts[await outcomeOf(one.exchange, api)] += 1;
        }),
        { seed, numRuns: count },
      );
    } finally {
      process.off("unhandledRejection", onStray);
      await server.close();
    }
    expect(strays).toEqual([]);
    process.stderr.write(`tampered answers, seed ${seed}: ${counts.good} good, ${counts.refused} refused\n`);
    expect(counts.good + counts.refused).toBe(count);
    expect(counts.good).toBeGreaterThan(count / 20);
    expect(counts.refused).toBeGreaterThan(count / 4);
  },
);

async function outcomeOf({ send, isGood }: Exchange, api: Api): Promise<"good" | "refused"> {
  let result: unknown;
  try {
    result = await send(api);
  } catch (error) {
    expectNamed(error);
    return "refused";
  }
  if (!isGood(result)) throw new Error(`${JSON.stringify(result)} was taken for a success`);
  return "good";
}

function expectNamed(error: unknown): void {
  if (!(error instanceof RequestError)) throw new Error("a failure without words of ours", { cause: error });
  expect(error.message).toMatch(/^[a-z][^]+: [^]+\. [A-Z][^]+\.$/);
  expect(error.message).not.toContain(apiKey);
  expect(error.message).not.toContain(encodeURIComponent(apiKey));
  // A message ends on a terminal: nothing in it may steer one, or fill it.
  expect(error.message).not.toMatch(/\p{Cc}/u);
  expect(error.message.length).toBeLessThan(1_500);
}

interface RawServer {
  readonly url: string;
  answerWith(bytes: Buffer): void;
  close(): Promise<void>;
}

/** Reads a whole request, writes what it is told to, and ends. */
async function answerRaw(): Promise<RawServer> {
  let answer: Buffer = Buffer.alloc(0);
  const server = net.createServer((socket) => {
    let request = "";
    socket.on("error", () => socket.destroy());
    socket.on("data", (chunk) => {
      request += chunk.toString("latin1");
      if (isWhole(request)) socket.end(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as net.AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    answerWith: (bytes) => {
      answer = bytes;
    },
    close: () =>
      new Promise(
        (resolve) =>
          void server.close(() => {
            resolve();
          }),
      ),
  };
}

function isWhole(request: string): boolean {
  const end = request.indexOf("\r\n\r\n");
  const [, length] = /^content-length: (\d+)/im.exec(request) ?? [];
  return end !== -1 && request.length >= end + 4 + Number(length ?? 0);
}
