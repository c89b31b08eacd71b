import dns from "node:dns";
import { createServer, type RequestListener } from "node:http";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { createTransport, type WireOutcome, type WireRequest } from "../../../../provider/service/transport";
import { closeServers, listen as listenOn } from "./servers";

const key = "s3cret-key";
/** None ends a test on a busy machine. A test of one sets it itself. */
const limits = { connectMs: 5_000, headersMs: 30_000, bodyMs: 30_000, totalMs: 30_000, bodyBytes: 1_000 };

afterEach(closeServers);

async function listen(answer: RequestListener): Promise<string> {
  return `http://127.0.0.1:${await listenOn(createServer(answer))}`;
}

async function send(
  baseUrl: string,
  request: WireRequest = { method: "GET", path: "/projects/p/endpoints" },
  { limitMs, totalMs = limits.totalMs }: { limitMs?: number; totalMs?: number | undefined } = {},
): Promise<WireOutcome> {
  const own = { ...limits, totalMs };
  const transport = createTransport({ baseUrl, apiKey: key, userAgent: "tests/1", limits: own });
  try {
    return await transport.send(request, limitMs);
  } finally {
    void transport.close();
  }
}

describe("an answer", () => {
  it.each([
    { reason: "as it is", quoted: key },
    { reason: "with a letter that JSON escapes", quoted: key.replace("k", "\\u006b") },
  ])(
    "has no key in it, $reason, wherever the service quotes it: an output would become state",
    async (one) => {
      const body = `{ "host": "a-${one.quoted}.example", "list": [{ "note": "Bearer ${one.quoted}" }] }`;
      const url = await listen((_, answer) => answer.end(body));
      await expect(send(url)).resolves.toMatchObject({
        body: { host: "a-[redacted].example", list: [{ note: "Bearer [redacted]" }] },
      });
    },
  );

  it.each([
    { body: '{"a":1}', read: { body: { a: 1 }, readable: true }, reason: "JSON" },
    {
      body: '\uFEFF{"a":1}',
      read: { body: { a: 1 }, readable: true },
      reason: "JSON after a byte order mark",
    },
    { body: "", read: { body: undefined, readable: true }, reason: "no body" },
    { body: " \n", read: { body: undefined, readable: true }, reason: "a blank body" },
    { body: "<html></html>", read: { body: undefined, readable: false }, reason: "a page" },
    { body: '{"a":', read: { body: undefined, readable: false }, reason: "JSON cut off" },
  ])("is read as it is: $reason", async ({ body, read }) => {
    const url = await listen((_, answer) => answer.writeHead(418).end(body));
    await expect(send(url)).resolves.toMatchObject({ kind: "answer", status: 418, ...read });
  });

  it.each([
    { encoding: "gzip", body: gzipSync('{"a":1}'), reason: "a gateway that compresses whatever is accepted" },
    { encoding: "x-gzip", body: gzipSync('{"a":1}'), reason: "its old name" },
    { encoding: "BR", body: brotliCompressSync('{"a":1}'), reason: "names have no case" },
    { encoding: "deflate", body: deflateSync('{"a":1}'), reason: "the third" },
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
    { body: Buffer.from('{"a":1}'), what: "the answer is compressed and damaged (Z_DATA_ERROR)" },
  ])("that is compressed may be wrong as any other: $what", async ({ body, what }) => {
    const url = await listen((_, answer) => answer.writeHead(200, { "content-encoding": "gzip" }).end(body));
    await expect(send(url)).resolves.toMatchObject({ kind: "failure", sent: "unknown", what });
  });

  it("has no content where a gateway calls nothing compressed", async () => {
    const url = await listen((_, answer) => answer.writeHead(204, { "content-encoding": "gzip" }).end());
    await expect(send(url)).resolves.toMatchObject({ status: 204, body: undefined, readable: true });
  });

  it("has the first value of a header that comes twice", async () => {
    const url = await listen((_, answer) => {
      answer.setHeader("retry-after", ["3", "4"]);
      answer.end();
    });
    await expect(send(url)).resolves.toMatchObject({ headers: { "retry-after": "3" } });
  });

  it("names the request by the service's id, or by ours where that is no id", async () => {
    let sent: string | undefined;
    const url = await listen((request, answer) => {
      sent = request.headers["x-request-id"] as string;
      const path = request.url ?? "";
      answer.writeHead(200, { "x-request-id": path.endsWith("/good") ? "req-1" : "not an <id>" }).end();
    });
    await expect(send(url, { method: "GET", path: "/good" })).resolves.toMatchObject({ requestId: "req-1" });
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
      // No answer until all connections are in use, or no other request can follow.
      if (held.length < Math.min(32, left)) return;
      // A request beyond the limit would arrive in this time.
      setTimeout(() => {
        left -= held.length;
        for (const end of held.splice(0)) end();
      }, 20);
    });
    const transport = createTransport({ baseUrl: url, apiKey: key, userAgent: "tests/1" });
    const request = { method: "GET", path: "/x" } as const;
    const outcomes = await Promise.all(Array.from({ length: left }, () => transport.send(request)));
    await transport.close();
    expect(outcomes.every(({ kind }) => kind === "answer")).toBe(true);
    expect(most).toBe(32);
  });

  it("sends nothing once it is closed", async () => {
    const url = await listen((_, answer) => answer.end("{}"));
    const transport = createTransport({ baseUrl: url, apiKey: key, userAgent: "tests/1" });
    await transport.close();
    await expect(transport.send({ method: "GET", path: "/x" })).resolves.toMatchObject({ kind: "failure" });
  });

  it("reads an answer that is just as long as may be", async () => {
    const url = await listen((_, answer) => answer.end(`"${"x".repeat(998)}"`));
    await expect(send(url)).resolves.toMatchObject({ kind: "answer", body: "x".repeat(998) });
  });
});

describe("a request", () => {
  it("carries what interface 5 asks for, and a body only where there is one", async () => {
    const seen: unknown[] = [];
    const url = await listen((request, answer) => {
      let body = "";
      request.on("data", (chunk: Buffer) => (body += chunk.toString()));
      request.on("end", () => {
        const { authorization, accept, "accept-encoding": encoding, "content-type": type } = request.headers;
        seen.push([request.method, request.url, authorization, accept, encoding, type, body]);
        answer.end("{}");
      });
    });
    await send(url);
    await send(url, { method: "POST", path: "/projects/p/endpoints", body: { endpoint: {} } });
    const path = "/api/v2/projects/p/endpoints";
    expect(seen).toEqual([
      ["GET", path, `Bearer ${key}`, "application/json", "identity", undefined, ""],
      ["POST", path, `Bearer ${key}`, "application/json", "identity", "application/json", '{"endpoint":{}}'],
    ]);
  });
});

describe("a failure", () => {
  it("after which nothing can have been done is called unsent", async () => {
    const url = await listen(() => undefined);
    await closeServers();
    await expect(send(url)).resolves.toMatchObject({
      kind: "failure",
      sent: "unsent",
      transient: true,
      what: "the connection was refused",
    });
  });

  const outcomes: readonly {
    reason: string;
    answer: RequestListener;
    what: RegExp;
    transient: boolean;
    totalMs?: number;
  }[] = [
    {
      reason: "no answer at all",
      answer: () => undefined,
      what: /^no complete answer within 0\.3 s/,
      transient: true,
      totalMs: 300,
    },
    {
      reason: "a closed connection",
      answer: (request) => request.socket.destroy(),
      what: /^the connection was (closed|reset)/,
      transient: true,
    },
    {
      reason: "an answer cut off",
      answer: (request, answer) => {
        answer.writeHead(200, { "content-length": 100 });
        answer.write("{");
        setImmediate(() => request.socket.destroy());
      },
      what: /^the (connection|answer) was/,
      transient: true,
    },
    {
      reason: "an answer that drips for ever",
      answer: (_, answer) => {
        answer.writeHead(200);
        const drip = setInterval(() => answer.write(" "), 10);
        answer.on("close", () => {
          clearInterval(drip);
        });
      },
      what: /^no complete answer within 0\.3 s/,
      transient: true,
      totalMs: 300,
    },
    {
      reason: "an answer without end",
      answer: (_, answer) => {
        answer.write("x".repeat(5_000));
      },
      what: /^the answer is longer than 1000 bytes/,
      transient: false,
    },
    {
      reason: "something that is not HTTP",
      answer: (request) => request.socket.end("SSH-2.0-OpenSSH_9.6\r\n"),
      what: /^the answer is not HTTP/,
      transient: true,
    },
  ];

  it.each(outcomes)(
    "is named, bounded and of unknown outcome: $reason",
    async ({ answer, what, transient, totalMs }) => {
      const url = await listen(answer);
      const outcome = await send(url, { method: "POST", path: "/x", body: {} }, { totalMs });
      expect(outcome).toMatchObject({ kind: "failure", sent: "unknown", transient });
      expect(outcome.kind === "failure" && outcome.what).toMatch(what);
      expect(JSON.stringify(outcome)).not.toContain(key);
    },
  );

  it("ends sooner where whoever waits for it has less time", async () => {
    const url = await listen(() => undefined);
    await expect(send(url, { method: "GET", path: "/x" }, { limitMs: 50 })).resolves.toMatchObject({
      kind: "failure",
      sent: "unknown",
      what: "no complete answer within 0.1 s",
    });
  });
});

it("asks no resolver for a name of this machine: whoever answered would get the key without https", async () => {
  const url = await listen((_, answer) => answer.end('{"a":1}'));
  const asked = jest.spyOn(dns, "lookup");
  const outcome = await send(url.replace("127.0.0.1", "api.localhost"));
  expect(outcome).toMatchObject({ kind: "answer", body: { a: 1 } });
  expect(asked).not.toHaveBeenCalled();
  asked.mockRestore();
});
