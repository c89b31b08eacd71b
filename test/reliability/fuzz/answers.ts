/**
 * Answers as the interface gives them, and everything that can be done to their bytes.
 */
import * as fc from "fast-check";
import type { Api } from "../../../provider/service/client";

export const apiKey = "fuzz+key/that=nobody&may%see";

const ref = { projectId: "quiet-lake-1", endpointId: "ep-quiet-lake-1" };

const endpoint = {
  id: ref.endpointId,
  host: "ep-quiet-lake-1.compute.localhost",
  project_id: ref.projectId,
  branch_id: "br-quiet-lake-1",
  type: "read_write",
  autoscaling_limit_min_cu: 0.25,
  autoscaling_limit_max_cu: 1,
  current_state: "init",
  pending_state: "active",
  settings: { pg_settings: { work_mem: "4MB" } },
  created_at: "2026-01-05T08:00:00.000Z",
};

const operation = {
  id: "a07f8772-1877-4da9-a939-3a3ae62d1d8d",
  project_id: ref.projectId,
  endpoint_id: ref.endpointId,
  action: "start_compute",
  status: "running",
  failures_count: 0,
};

/** One request of the client, the answer to it, and what makes a result of it a good one. */
export interface Exchange {
  readonly name: string;
  readonly status: number;
  readonly body: unknown;
  readonly send: (api: Api) => Promise<unknown>;
  readonly isGood: (result: unknown) => boolean;
}

type Loose = Record<string, unknown>;

function hasEndpoint(result: unknown): boolean {
  const found = (result as { endpoint?: Loose }).endpoint;
  return typeof found?.["id"] === "string" && /^ep-./.test(found["id"]);
}

/** By id; what could not be read is named beside them. */
function areEndpoints(list: unknown): boolean {
  return (
    list instanceof Map &&
    [...list].every(([id, one]) => hasEndpoint({ endpoint: one as Loose }) && (one as Loose)["id"] === id)
  );
}

function isPage(result: unknown): boolean {
  return areOperations((result as Loose)["operations"]);
}

function areOperationsIfAny(result: unknown): boolean {
  return result === undefined || areOperations(result);
}

function areOperations(list: unknown): boolean {
  return Array.isArray(list) && list.every(isOperation);
}

function isOperation(one: unknown): boolean {
  const { id, status } = one as Loose;
  return typeof id === "string" && id !== "" && typeof status === "string";
}

const place = { branch_id: endpoint.branch_id, type: "read_write" } as const;
const done = { endpoint, operations: [operation] };
const page = { operations: [operation], pagination: { cursor: "2026-01-05T08:00:00.000000Z" } };
const create = (api: Api): Promise<unknown> => api.createEndpoint(ref.projectId, place);
/** A service that quotes the key, and tries to steer the terminal. */
const refusal = {
  code: "bad\u001b[2J",
  message: `Bearer ${apiKey} and ${encodeURIComponent(apiKey)}\r\nrefused\u0007 ${"z".repeat(5_000)}`,
  request_id: "\u001b]0;title\u0007",
};

type Row = readonly [Exchange["name"], number, unknown, Exchange["send"], Exchange["isGood"]];

const rows: readonly Row[] = [
  ["create", 201, done, create, hasEndpoint],
  ["update", 200, done, (api) => api.updateEndpoint(ref, { autoscaling_limit_max_cu: 2 }), hasEndpoint],
  [
    "list",
    200,
    { endpoints: [endpoint, { ...endpoint, id: "ep-other-1" }] },
    (api) => api.listEndpoints(ref.projectId),
    areEndpoints,
  ],
  ["delete", 200, { endpoint, operations: [] }, (api) => api.deleteEndpoint(ref), areOperationsIfAny],
  ["restart", 200, done, (api) => api.restartEndpoint(ref), areOperationsIfAny],
  ["operations", 200, page, (api) => api.listOperations(ref.projectId, { limit: 100 }), isPage],
  ["operation", 200, { operation }, (api) => api.getOperation(ref.projectId, operation.id), isOperation],
  ["refusal", 400, refusal, create, hasEndpoint],
];

export const exchanges: readonly Exchange[] = rows.map(([name, status, body, send, isGood]) => ({
  ...{ name, status, body, send, isGood },
}));

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
  "null",
  "0",
  "1e999",
  "true",
  '""',
  '"ep-"',
  '"\\u0000"',
  "[]",
  "{}",
  '{"__proto__":{"id":"ep-x"}}',
  `${"[".repeat(3_000)}${"]".repeat(3_000)}`,
  `"${"é".repeat(10_000)}"`,
];

const share = fc.double({ min: 0, max: 1, noNaN: true });

/** What is done to an answer. Positions are shares of its length. */
const mutation = fc.oneof(
  fc.record({
    kind: fc.constantFrom("flip" as const, "drop" as const, "repeat" as const, "cut" as const),
    at: share,
    length: fc.nat(64),
  }),
  fc.record({ kind: fc.constant("insert" as const), at: share, bytes: fc.uint8Array({ maxLength: 64 }) }),
  fc.record({ kind: fc.constant("statusLine" as const), line: fc.constantFrom(...statusLines) }),
  fc.record({ kind: fc.constant("header" as const), line: fc.constantFrom(...headerLines) }),
  fc.record({ kind: fc.constant("value" as const), at: share, value: fc.constantFrom(...values) }),
);

export const fuzzCases = fc.record({
  exchange: fc.nat(exchanges.length - 1),
  mutations: fc.array(mutation, { minLength: 1, maxLength: 3 }),
  /** The service does not end the connection: whatever is missing never comes. */
  isHeld: fc.nat(19).map((number) => number === 0),
});

type Mutation = typeof mutation extends fc.Arbitrary<infer One> ? One : never;
export type FuzzCase = typeof fuzzCases extends fc.Arbitrary<infer One> ? One : never;

/** The bytes of a mutated answer. */
export function bytesOf({ exchange, mutations }: Pick<FuzzCase, "exchange" | "mutations">): Buffer {
  const { status, body } = exchanges[exchange]!;
  const text = mutations.reduce(
    (json, one) => (one.kind === "value" ? replaceValue(json, one.at, one.value) : json),
    JSON.stringify(body),
  );
  const lines = mutations.reduce(
    (head, one) => changeHead(head, one),
    [`HTTP/1.1 ${status} OK`, "Content-Type: application/json", `Content-Length: ${Buffer.byteLength(text)}`],
  );
  return mutations.reduce(changeBytes, Buffer.from(`${lines.join("\r\n")}\r\n\r\n${text}`));
}

/** Puts another value where one of the body's members has its own. */
function replaceValue(json: string, at: number, value: string): string {
  const members = [...json.matchAll(/":("[^"]*"|[\d.]+)/g)];
  const member = members[Math.floor(at * (members.length - 1))];
  if (member === undefined) return json;
  const start = member.index + 2;
  return json.slice(0, start) + value + json.slice(start + member[1]!.length);
}

function changeHead(lines: readonly string[], change: Mutation): string[] {
  if (change.kind === "statusLine") return [change.line, ...lines.slice(1)];
  return change.kind === "header" ? [...lines, change.line] : [...lines];
}

function changeBytes(bytes: Buffer, change: Mutation): Buffer {
  if (change.kind === "statusLine" || change.kind === "header" || change.kind === "value") return bytes;
  const at = Math.floor(change.at * bytes.length);
  const before = bytes.subarray(0, at);
  if (change.kind === "insert") return Buffer.concat([before, change.bytes, bytes.subarray(at)]);
  const touched = bytes.subarray(at, at + change.length);
  const after = bytes.subarray(at + change.length);
  switch (change.kind) {
    case "flip":
      return Buffer.concat([before, touched.map((byte) => byte ^ 0x15), after]);
    case "drop":
      return Buffer.concat([before, after]);
    case "repeat":
      return Buffer.concat([before, touched, touched, after]);
    case "cut":
      return before;
  }
}
