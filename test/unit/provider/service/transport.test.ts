import dns from "node:dns";
import { createServer, type RequestListener } from "node:http";
import { brotliCompressSync, gzipSync } from "node:zlib";
import undici from "undici";
import { createTransport, type WireResult, type WireRequest } from "../../../../provider/service/transport";
import { closeServers, listen as listenOn } from "../../../support/servers";

const key = "s3cret-key";
/** Limits that no request reaches, even on a busy machine. A test of a limit sets its own. */
const limits = { connectMs: 5_000, headersMs: 30_000, bodyMs: 30_000, totalMs: 30_000, bodyBytes: 1_000 };
const read: WireRequest = { method: "GET", path: "/projects/p/endpoints" };
const write: WireRequest = { method: "POST", path: "/projects/p/endpoints", body: { endpoint: {} } };

afterEach(closeServers);

async function listen(answer: RequestListener): Promise<string> {
  return `http://127.0.0.1:${await listenOn(createServer(answer))}`;
}

const transportTo = (baseUrl: string, totalMs = limits.totalMs) =>
  createTransport({ baseUrl, apiKey: key, userAgent: "tests/1", limits: { ...limits, totalMs } });

async function send(
  baseUrl: string,
  request = read,
  { limitMs, totalMs }: { limitMs?: number; totalMs?: number | undefined } = {},
): Promise<WireResult> {
  const transport = transportTo(baseUrl, totalMs);
  try {
    return await transport.send(request, limitMs);
  } finally {
    void transport.close();
  }
}

describe("an answer", () => {
  it.each([
    { reason: "the key as it is", quoted: key },
    { reason: "a key with a letter that JSON escapes", quoted: key.replace("k", "\\u006b") },
  ])(
    "contains no key, wherever the service quotes it, since an output would put it into the state: $reason",
    async (one) => {
      const body = `{ "host": "a-${one.quoted}.example", "list": [{ "note": "Bearer ${one.quoted}" }] }`;
      const url = await listen((_, answer) => answer.end(body));
      await expect(send(url)).resolves.toMatchObject({
        body: { host: "a-[redacted].example", list: [{ note: "Bearer [redacted]" }] },
      });
    },
  );

  const unread = { body: undefined };

  it.each([
    ["JSON", '{"a":1}', { body: { a: 1 } }],
    ["JSON after a byte order mark", '\uFEFF{"a":1}', { body: { a: 1 } }],
    ["no body", "", unread],
    ["the longest body that is allowed", `"${"x".repeat(998)}"`, { body: "x".repeat(998) }],
    ["an HTML page", "<html></html>", { ...unread, readable: false }],
    ["JSON cut off", '{"a":', { ...unread, readable: false }],
  ])("is read: %s", async (_reason, text, row) => {
    const url = await listen((_, answer) => answer.writeHead(418).end(text));
    await expect(send(url)).resolves.toMatchObject({ status: 418, readable: true, ...row });
  });

  it.each([
    { encoding: "gzip", body: gzipSync('{"a":1}'), reason: "a gateway that always compresses" },
    { encoding: "x-gzip", body: gzipSync('{"a":1}'), reason: "gzip's old name" },
    { encoding: "BR", body: brotliCompressSync('{"a":1}'), reason: "names ignore case" },
    { encoding: "identity", body: '{"a":1}', reason: "not compressed" },
  ])("is read in the encoding $encoding: $reason", async ({ encoding, body }) => {
    const url = await listen((_, answer) =>
      answer.writeHead(200, { "content-encoding": encoding }).end(body),
    );
    await expect(send(url)).resolves.toMatchObject({ body: { a: 1 }, readable: true });
  });

  it.each([
    { body: gzipSync(`"${"x".repeat(limits.bodyBytes)}"`), what: "the answer is longer than 1000 bytes" },
    { body: gzipSync('{"a":1}').subarray(0, -12), what: "the answer was cut off (Z_BUF_ERROR)" },
    { body: Buffer.from('{"a":1}'), what: "the compressed answer is damaged (Z_DATA_ERROR)" },
  ])("that is compressed can be wrong too: $what", async ({ body, what }) => {
    const url = await listen((_, answer) => answer.writeHead(200, { "content-encoding": "gzip" }).end(body));
    await expect(send(url)).resolves.toMatchObject({ kind: "failure", outcome: "unknown", what });
  });

  it("has no content if a gateway calls an empty body compressed; the first value of a header counts", async () => {
    const url = await listen((_, answer) => {
      answer.setHeader("retry-after", ["3", "4"]);
      answer.writeHead(204, { "content-encoding": "gzip" }).end();
    });
    const headers = { "retry-after": "3" };
    await expect(send(url)).resolves.toMatchObject({ status: 204, body: undefined, readable: true, headers });
  });

  it("names the request by the service's id, or by the provider's if the service's is not an id", async () => {
    let sent: string | undefined;
    const url = await listen(({ headers, method }, answer) => {
      sent = headers["x-request-id"] as string;
      answer.writeHead(200, { "x-request-id": method === "POST" ? "req-1" : "not an <id>" }).end();
    });
    await expect(send(url, write)).resolves.toMatchObject({ requestId: "req-1" });
    const { requestId } = await send(url);
    expect(requestId).toBe(sent);
  });
});

describe("a transport", () => {
  it("opens no more than 32 connections, however many requests there are", async () => {
    const held: (() => void)[] = [];
    let most = 0;
    let left = 100;
    const url = await listen((_, answer) => {
      held.push(() => answer.end("{}"));
      most = Math.max(most, held.length);
      // Nothing is answered until all connections are in use, or no request is left.
      if (held.length < Math.min(32, left)) return;
      // A request beyond the limit would arrive within this time.
      setTimeout(() => {
        left -= held.length;
        for (const end of held.splice(0)) end();
      }, 20);
    });
    const transport = transportTo(url);
    const outcomes = await Promise.all(Array.from({ length: left }, () => transport.send(read)));
    await transport.close();
    expect(outcomes.every(({ kind }) => kind === "answer")).toBe(true);
    expect(most).toBe(32);
    // A closed transport sends nothing.
    await expect(transport.send(read)).resolves.toMatchObject({ kind: "failure" });
  });

  it("sends no DNS query for a name of this machine: whoever answered would get the key without https", async () => {
    const url = await listen((_, answer) => answer.end('{"a":1}'));
    const asked = jest.spyOn(dns, "lookup");
    const outcome = await send(url.replace("127.0.0.1", "api.localhost"));
    expect(outcome).toMatchObject({ kind: "answer", body: { a: 1 } });
    expect(asked).not.toHaveBeenCalled();
    asked.mockRestore();
  });
});

describe("a failure", () => {
  it.each<{ reason: string; what: RegExp; answer: RequestListener; transient?: boolean; totalMs?: number }>([
    {
      reason: "no answer at all",
      ...{ what: /^no complete answer within 0\.3 s/, totalMs: 300, answer: () => undefined },
    },
    {
      reason: "a closed connection",
      what: /^the connection was (closed|reset)/,
      answer: (request) => request.socket.destroy(),
    },
    {
      reason: "an answer cut off",
      what: /^the (connection|answer) was/,
      answer: (request, answer) => {
        answer.writeHead(200, { "content-length": 100 }).write("{");
        setImmediate(() => request.socket.destroy());
      },
    },
    {
      reason: "an answer without end",
      ...{ what: /^the answer is longer than 1000 bytes/, transient: false },
      answer: (_, answer) => answer.write("x".repeat(5_000)),
    },
    {
      reason: "something that is not HTTP",
      what: /^the answer is not HTTP/,
      answer: (request) => request.socket.end("SSH-2.0-OpenSSH_9.6\r\n"),
    },
  ])("is named, bounded and of unknown outcome: $reason", async ({ answer, what, totalMs, ...row }) => {
    const outcome = await send(await listen(answer), write, { totalMs });
    expect(outcome).toMatchObject({ kind: "failure", outcome: "unknown", transient: row.transient ?? true });
    expect(outcome.kind === "failure" && outcome.what).toMatch(what);
    expect(JSON.stringify(outcome)).not.toContain(key);
  });

  it("comes sooner if the caller has less time", async () => {
    const outcome = await send(await listen(() => undefined), read, { limitMs: 50 });
    expect(outcome).toMatchObject({ outcome: "unknown", what: "no complete answer within 0.1 s" });
  });

  /** The outcome of a request that throws this. */
  async function outcomeOf(thrown: unknown): Promise<WireResult> {
    const request = jest.spyOn(undici, "request").mockRejectedValueOnce(thrown);
    const outcome = await send("http://127.0.0.1:1", write);
    request.mockRestore();
    expect(JSON.stringify(outcome)).not.toContain(key);
    return outcome;
  }

  const coded = (code: string, more: object = {}): Error =>
    Object.assign(new Error(`quotes ${key}`), { code, ...more });

  it.each([
    ["ECONNREFUSED", "connect", "unsent", "the connection was refused"],
    ["ENOTFOUND", "getaddrinfo", "unsent", "the host name was not found"],
    ["ETIMEDOUT", "connect", "unsent", "no connection within the time limit"],
    ["UND_ERR_CONNECT_TIMEOUT", undefined, "unsent", "no connection within the time limit"],
    ["ETIMEDOUT", "read", "unknown", "the connection failed (ETIMEDOUT)"],
    ["ECONNRESET", "read", "unknown", "the connection was reset (ECONNRESET)"],
    ["HPE_INVALID_CONSTANT", undefined, "unknown", "the answer is not HTTP (HPE_INVALID_CONSTANT)"],
  ])("with %s in %s is %s, and worth another try: %s", async (...[code, syscall, outcome, what]) => {
    await expect(outcomeOf(coded(code, { syscall }))).resolves.toMatchObject({
      outcome,
      what,
      transient: true,
    });
  });

  const fix = expect.stringContaining("NODE_EXTRA_CA_CERTS") as string;

  it.each([
    { code: "CERT_HAS_EXPIRED", outcome: "unsent", reason: "certificates come before anything is sent" },
    { code: "DEPTH_ZERO_SELF_SIGNED_CERT", outcome: "unsent", fix, reason: "a self-signed certificate" },
    { code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE", outcome: "unsent", fix, reason: "an unknown authority" },
    { code: "ERR_SSL_WRONG_VERSION_NUMBER", outcome: "unknown", reason: "other errors can come later" },
  ])("of TLS is $outcome, and not worth another try: $code, $reason", async ({ code, reason: _, ...row }) => {
    const what = `the secure connection failed (${code})`;
    const outcome = { fix: undefined, ...row, what, transient: false };
    await expect(outcomeOf(coded(code))).resolves.toMatchObject(outcome);
  });

  /** An error behind this many causes. */
  const behind = (depth: number, error: unknown): unknown =>
    depth === 0 ? error : Object.assign(new Error("outer"), { cause: behind(depth - 1, error) });
  const circle = new Error("round") as Error & { cause: unknown };
  circle.cause = circle;

  it.each<[what: string, reason: string, thrown: unknown]>([
    ["the connection failed", "no code at all", new Error(`quotes ${key}`)],
    ["the answer is not HTTP", "a parser error without a code", { name: "HTTPParserError" }],
    ["the connection failed", "not an error", key],
    ["the connection was closed (EPIPE)", "a deep cause", behind(5, coded("EPIPE"))],
    ["the connection failed", "a cause that is too deep", behind(6, coded("EPIPE"))],
    ["the connection failed", "causes in a circle", circle],
    [
      "the connection was closed (EPIPE)",
      "the first of one attempt per address",
      new AggregateError([coded("EPIPE"), coded("ENOTFOUND")]),
    ],
  ])("is described by its code, never by its text: %s, %s", async (what, _reason, thrown) => {
    await expect(outcomeOf(thrown)).resolves.toMatchObject({ outcome: "unknown", what, transient: true });
  });
});
