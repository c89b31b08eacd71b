/**
 * Sends one HTTP request: headers, limits, and a description of the result.
 *
 * It does not retry and does not interpret answers: `request.ts` and `answers.ts` do.
 */
import { randomUUID } from "node:crypto";
import type { LookupFunction } from "node:net";
import { pipeline, type Readable, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { Agent, EnvHttpProxyAgent, request as undiciRequest, type Dispatcher } from "undici";
import { isLoopback, type Proxy } from "../settings/proxy";
import { redactor } from "../redact";
import type { RequestOutcome } from "../model/errors";
import { longestRequestMs } from "../model/timing";
import { requestIdIn } from "./schemas";

/** Limits of one request. An answer that never ends is cut off after `totalMs`. */
const defaultLimits = {
  connectMs: 5_000,
  headersMs: 30_000,
  /** Longest pause within a body. */
  bodyMs: 15_000,
  totalMs: longestRequestMs,
  /** A list of 10,000 endpoints is about 10 MB. */
  bodyBytes: 64 * 1024 * 1024,
};

type TransportLimits = Readonly<typeof defaultLimits>;

export interface WireRequest {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Relative to `{base_url}/api/v2`, beginning with a slash. */
  readonly path: string;
  readonly body?: unknown;
}

export interface WireAnswer {
  readonly kind: "answer";
  readonly status: number;
  /** The first value of each header. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Parsed JSON; undefined for an empty body. */
  readonly body: unknown;
  /** False if there is a body that is not JSON. */
  readonly readable: boolean;
  readonly requestId: string;
}

/** The result of a request that got no complete answer. */
export interface WireFailure {
  readonly kind: "failure";
  /** `unsent`: no connection was made. `unknown`: the service may have carried the request out. */
  readonly outcome: Exclude<RequestOutcome, "not done">;
  /** What went wrong, in our own words; never contains a header. */
  readonly what: string;
  /** False if a retry cannot help, for example if the certificate is for another host name, or the answer is too long. */
  readonly transient: boolean;
  /** What the reader can do, in place of the usual advice. */
  readonly fix?: string | undefined;
  readonly requestId: string;
}

/** The result of a request, before it is interpreted. */
export type WireResult = WireAnswer | WireFailure;

export interface Transport {
  /** @param limitMs - the time for this request, if that is less than `TransportLimits` allow. */
  send(request: WireRequest, limitMs?: number): Promise<WireResult>;
  close(): Promise<void>;
}

export interface TransportOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly userAgent: string;
  readonly proxy?: Proxy | undefined;
  readonly limits?: TransportLimits;
  /** Called with each request that is sent, retries included. */
  readonly onSend?: ((request: WireRequest) => void) | undefined;
  /** Called with the result of each request that was sent. */
  readonly onResult?: ((request: WireRequest, result: WireResult) => void) | undefined;
}

/** Interface 5: Bearer key, Accept always, Content-Type with a body. */
export function createTransport(options: TransportOptions): Transport {
  const limits = options.limits ?? defaultLimits;
  const isLocal = isLoopback(new URL(options.baseUrl).hostname);
  const proxy = isLocal ? undefined : options.proxy;
  const dispatcher = createDispatcher(isLocal, proxy, limits);
  const withoutKey = keyRemover(options.apiKey);
  const sendOnce = async (request: WireRequest, limitMs: number): Promise<WireResult> => {
    const requestId = randomUUID();
    const totalMs = Math.ceil(Math.min(limitMs, limits.totalMs));
    try {
      const answer = await undiciRequest(`${options.baseUrl}/api/v2${request.path}`, {
        dispatcher,
        method: request.method,
        headers: {
          authorization: `Bearer ${options.apiKey}`,
          accept: "application/json",
          "accept-encoding": "identity",
          "user-agent": options.userAgent,
          "x-request-id": requestId,
          ...(request.body === undefined ? {} : { "content-type": "application/json" }),
        },
        body: request.body === undefined ? null : JSON.stringify(request.body),
        signal: AbortSignal.timeout(totalMs),
      });
      // A header that comes several times has a list of values.
      const headers: WireAnswer["headers"] = Object.fromEntries(
        Object.entries(answer.headers).map(([name, value]) => [name, [value].flat()[0]]),
      );
      // A gateway may name an encoding where there is nothing to encode.
      const encoding = answer.statusCode === 204 ? undefined : headers["content-encoding"];
      const text = await readCapped(decoded(answer.body, encoding), limits.bodyBytes);
      return {
        kind: "answer",
        status: answer.statusCode,
        headers,
        ...parseJson(text, withoutKey),
        requestId: requestIdIn(headers["x-request-id"]) ?? requestId,
      };
    } catch (error) {
      return { kind: "failure", ...describeFailure(error, { totalMs, proxy }), requestId };
    }
  };
  return {
    close: () => dispatcher.close(),
    send: async (request, limitMs = limits.totalMs) => {
      options.onSend?.(request);
      const result = await sendOnce(request, limitMs);
      options.onResult?.(request, result);
      return result;
    },
  };
}

/** A shorter key is not removed from answers: it could be part of any word in them. */
const shortestKey = 8;

/**
 * An answer may quote the key, as an echo server at a wrong address does. In an output, the key would become part of the state.
 * The search is in parsed texts, since JSON can write one text in many forms.
 */
function keyRemover(apiKey: string): (text: string) => string {
  const redact = redactor(apiKey);
  return (text) => (apiKey.length >= shortestKey && text.includes(apiKey) ? redact(text) : text);
}

/** Pools connections. The usual proxy variables apply, except for a service on this machine, which no proxy can reach. */
function createDispatcher(isLocal: boolean, proxy: Proxy | undefined, limits: TransportLimits): Dispatcher {
  // Set explicitly: otherwise NODE_TLS_REJECT_UNAUTHORIZED=0 would switch the check off, and send the key to any server.
  const connect = { timeout: limits.connectMs, rejectUnauthorized: true };
  const pool = { headersTimeout: limits.headersMs, bodyTimeout: limits.bodyMs, connections: 32 };
  if (isLocal) return new Agent({ ...pool, connect: { ...connect, lookup: lookUpLocal } });
  if (proxy === undefined) return new Agent({ ...pool, connect });
  // EnvHttpProxyAgent reads NO_PROXY itself.
  const tls = { requestTls: connect, proxyTls: connect };
  return new EnvHttpProxyAgent({ ...pool, ...tls, connect, httpProxy: proxy.url, httpsProxy: proxy.url });
}

const ownAddresses = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 },
] as const;

/**
 * Resolves the host name of a service on this machine without the network. Such a service may use plain http, and many
 * resolvers ask the network for `api.localhost`: whoever answers would get the key.
 */
const lookUpLocal: LookupFunction = (_name, { all }, done) => {
  const [first] = ownAddresses;
  if (all === true) done(null, [...ownAddresses]);
  else done(null, first.address, first.family);
};

/** Decompresses a body: some gateways compress every answer, whatever a request accepts. */
function decoded(body: Readable, encoding = ""): Readable {
  const decoder = decoders[encoding.toLowerCase().replace(/^x-/, "")]?.();
  if (decoder === undefined) return body;
  // An error of the body ends the decoder. An error of the decoder ends the reading, which drops the connection.
  pipeline(body, decoder, () => undefined);
  return decoder;
}

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

class BodyTooLargeError extends Error {}

/** Reads the whole body as text. Above the cap, it stops reading and drops the connection. */
async function readCapped(body: AsyncIterable<Buffer>, capBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > capBytes) throw new BodyTooLargeError(`the answer is longer than ${capBytes} bytes`);
    chunks.push(chunk);
  }
  // Leaves out a byte order mark, which JSON does not have.
  return new TextDecoder().decode(Buffer.concat(chunks));
}

function parseJson(
  text: string,
  clean: (text: string) => string,
): { readonly body: unknown; readonly readable: boolean } {
  if (text.trim() === "") return { body: undefined, readable: true };
  const cleaned = (_name: string, value: unknown): unknown =>
    typeof value === "string" ? clean(value) : value;
  try {
    return { body: JSON.parse(text, cleaned) as unknown, readable: true };
  } catch {
    return { body: undefined, readable: false };
  }
}

/** Failures without a connection: the request cannot have been carried out. */
const unsentCodes: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the connection was refused",
  ENOTFOUND: "the host name was not found",
  EAI_AGAIN: "the host name could not be looked up",
  ENETUNREACH: "the network is unreachable",
  EHOSTUNREACH: "the host is unreachable",
  ETIMEDOUT: "no connection within the time limit",
  UND_ERR_CONNECT_TIMEOUT: "no connection within the time limit",
};

/**
 * The system calls for which such a code shows that there was no connection. A network that fails in the middle of a request
 * gives the same codes.
 */
const beforeSending: readonly unknown[] = ["connect", "getaddrinfo", undefined];

/** Failures after which the request may have been carried out. */
const unknownCodes: Readonly<Record<string, string>> = {
  UND_ERR_HEADERS_TIMEOUT: "no answer in time",
  UND_ERR_BODY_TIMEOUT: "the answer stopped half-way",
  UND_ERR_SOCKET: "the connection was closed before the answer was complete",
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "the answer was cut off",
  ECONNRESET: "the connection was reset",
  EPIPE: "the connection was closed",
  Z_DATA_ERROR: "the compressed answer is damaged",
  Z_BUF_ERROR: "the answer was cut off",
};

const authorityFix =
  "If your own certificate authority or a proxy issued the certificate, set NODE_EXTRA_CA_CERTS to the authority's certificate file";

/** Never uses an error's own text: it may quote what was sent. */
function describeFailure(
  thrown: unknown,
  { totalMs, proxy }: { readonly totalMs: number; readonly proxy: Proxy | undefined },
): Omit<WireFailure, "kind" | "requestId"> {
  const unknown = { outcome: "unknown", transient: true } as const;
  if (thrown instanceof BodyTooLargeError) return { ...unknown, what: thrown.message, transient: false };
  const errors = causesOf(thrown);
  const name = errors[0]?.["name"];
  if (name === "TimeoutError")
    return { ...unknown, what: `no complete answer within ${Math.round(totalMs / 100) / 10} s` };
  const fix = proxy && `Check the proxy in ${proxy.variable}, or add the host to NO_PROXY`;
  const refusal = errors.map(proxyStatusOf).find((status) => status !== undefined);
  if (refusal !== undefined) {
    const what = `the proxy in ${proxy?.variable ?? "the environment"} answered ${refusal}`;
    return { outcome: "unsent", what, transient: refusal >= 500, fix };
  }
  const origin = errors.find((error) => typeof error["code"] === "string");
  const code = typeof origin?.["code"] === "string" ? origin["code"] : "";
  const unsent = unsentCodes[code];
  if (unsent !== undefined && beforeSending.includes(origin?.["syscall"]))
    return { outcome: "unsent", what: unsent, transient: true, fix };
  // Certificates are checked before anything is sent; other TLS errors may come later.
  const isCertificate = /CERT|^UNABLE_TO_/.test(code);
  if (isCertificate || code.startsWith("ERR_SSL_")) {
    const what = `the secure connection failed (${code})`;
    const isUnknownAuthority = /SELF_SIGNED|^UNABLE_TO_/.test(code);
    const outcome = isCertificate ? "unsent" : "unknown";
    return { outcome, what, transient: false, fix: isUnknownAuthority ? authorityFix : undefined };
  }
  // Some of undici's parser errors carry no code.
  const isNoHttp = code.startsWith("HPE_") || name === "HTTPParserError";
  const what = unknownCodes[code] ?? (isNoHttp ? "the answer is not HTTP" : "the connection failed");
  return { ...unknown, what: code === "" ? what : `${what} (${code})` };
}

type Thrown = Readonly<Record<string, unknown>>;

/** What was thrown and its causes, outermost first. If several addresses of a host were tried, only the first one counts. */
function causesOf(thrown: unknown, depth = 0): readonly Thrown[] {
  // Not `instanceof Error`: the system's errors may come from another realm than this file.
  if (typeof thrown !== "object" || thrown === null || depth > 5) return [];
  const error = thrown as Thrown;
  const attempts = error["errors"];
  if (Array.isArray(attempts) && attempts.length > 0) return causesOf(attempts[0], depth + 1);
  return [error, ...causesOf(error["cause"], depth + 1)];
}

/** The status with which a proxy refused a connection: undici has it only in the error's text. */
function proxyStatusOf({ message }: Thrown): number | undefined {
  const [, status] = /^Proxy response \((\d{3})\)/.exec(typeof message === "string" ? message : "") ?? [];
  return status === undefined ? undefined : Number(status);
}
