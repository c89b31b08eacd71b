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

function areOperations(list: unknown): boolean {
  return Array.isArray(list) && list.every(isOperation);
}

function isOperation(one: unknown): boolean {
  const { id, status } = one as Loose;
  return typeof id === "string" && id !== "" && typeof status === "string";
}

export const exchanges: readonly Exchange[] = [
  {
    name: "create",
    status: 201,
    body: { endpoint, operations: [operation] },
    send: (api) => api.createEndpoint(ref.projectId, { branch_id: endpoint.branch_id, type: "read_write" }),
    isGood: hasEndpoint,
  },
  {
    name: "update",
    status: 200,
    body: { endpoint, operations: [operation] },
    send: (api) => api.updateEndpoint(ref, { autoscaling_limit_max_cu: 2 }),
    isGood: hasEndpoint,
  },
  {
    name: "list",
    status: 200,
    body: { endpoints: [endpoint, { ...endpoint, id: "ep-other-1" }] },
    send: (api) => api.listEndpoints(ref.projectId),
    isGood: (result) =>
      Array.isArray(result) && result.every((one) => hasEndpoint({ endpoint: one as Loose })),
  },
  {
    name: "delete",
    status: 200,
    body: { endpoint, operations: [] },
    send: (api) => api.deleteEndpoint(ref),
    isGood: (result) => result === undefined || areOperations(result),
  },
  {
    name: "restart",
    status: 200,
    body: { endpoint, operations: [operation] },
    send: (api) => api.restartEndpoint(ref),
    isGood: (result) => result === undefined || areOperations(result),
  },
  {
    name: "operations",
    status: 200,
    body: { operations: [operation], pagination: { cursor: "2026-01-05T08:00:00.000000Z" } },
    send: (api) => api.listOperations(ref.projectId, { limit: 100 }),
    isGood: (result) => areOperations((result as Loose)["operations"]),
  },
  {
    name: "operation",
    status: 200,
    body: { operation },
    send: (api) => api.getOperation(ref.projectId, operation.id),
    isGood: isOperation,
  },
  {
    // A service that quotes the key, and tries to steer the terminal.
    name: "refusal",
    status: 400,
    body: {
      code: "bad\u001b[2J",
      message: `Bearer ${apiKey} and ${encodeURIComponent(apiKey)}\r\nrefused\u0007 ${"z".repeat(5_000)}`,
      request_id: "\u001b]0;title\u0007",
    },
    send: (api) => api.createEndpoint(ref.projectId, { branch_id: endpoint.branch_id, type: "read_write" }),
    isGood: hasEndpoint,
  },
];

/** What is done to an answer. Positions are shares of its length. */
export type Mutation =
  | { readonly kind: "flip" | "drop" | "repeat" | "cut"; readonly at: number; readonly length: number }
  | { readonly kind: "insert"; readonly at: number; readonly bytes: Uint8Array }
  | { readonly kind: "statusLine"; readonly line: string }
  | { readonly kind: "header"; readonly line: string }
  | { readonly kind: "value"; readonly at: number; readonly value: string };

const statusLines = [
  "HTTP/1.1 200 OK",
  "HTTP/1.1 204 No Content",
  "HTTP/1.1 100 Continue",
  "HTTP/1.1 101 Switching Protocols",
  "HTTP/1.1 304 Not Modified",
  "HTTP/1.1 307 Temporary Redirect",
  "HTTP/1.1 404 Not Found",
  "HTTP/1.1 429 Too Many Requests",
  "HTTP/1.1 500 Internal Server Error",
  "HTTP/1.1 999 Beyond",
  "HTTP/1.1 2xx Nearly",
  "HTTP/9.9 200 OK",
  "ICY 200 OK",
  "",
];

const headerLines = [
  "Content-Length: 7",
  "Content-Length: 99999999",
  "Content-Length: -1",
  "Content-Length: 1, 2",
  "Transfer-Encoding: chunked",
  "Transfer-Encoding: gzip",
  "Content-Encoding: gzip",
  "Content-Type: text/html; charset=utf-16",
  "Retry-After: -1",
  "Retry-After: 1e12",
  "Location: http://[",
  "X-Request-ID: \u001b[31mred",
  "Connection: upgrade",
  "Trailer: x",
  `X-Long: ${"x".repeat(20_000)}`,
  "No colon",
  ": no name",
];

/** What stands in a JSON body in place of a value. */
const values = [
  "null",
  "0",
  "-1",
  "1e999",
  "true",
  '""',
  '" "',
  '"ep-"',
  '"\\u0000"',
  "[]",
  "{}",
  '{"__proto__":{"id":"ep-x"}}',
  `${"[".repeat(3_000)}${"]".repeat(3_000)}`,
  `"${"é".repeat(10_000)}"`,
];

const share = fc.double({ min: 0, max: 1, noNaN: true });

const mutation: fc.Arbitrary<Mutation> = fc.oneof(
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

export interface FuzzCase {
  readonly exchange: number;
  readonly mutations: readonly Mutation[];
  /** The service does not end the connection: whatever is missing never comes. */
  readonly isHeld: boolean;
}

export const fuzzCases: fc.Arbitrary<FuzzCase> = fc.record({
  exchange: fc.nat(exchanges.length - 1),
  mutations: fc.array(mutation, { minLength: 1, maxLength: 3 }),
  isHeld: fc.nat(19).map((number) => number === 0),
});

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
