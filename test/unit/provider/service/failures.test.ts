import * as undici from "undici";
import { createTransport, type WireOutcome } from "../../../../provider/service/transport";

jest.mock("undici", () => ({ ...jest.requireActual<object>("undici"), request: jest.fn() }));

/** How a request ends where this is thrown. */
async function outcomeOf(thrown: unknown): Promise<WireOutcome> {
  jest.mocked(undici.request).mockRejectedValueOnce(thrown);
  const transport = createTransport({
    baseUrl: "http://127.0.0.1:1",
    apiKey: "s3cret",
    userAgent: "tests/1",
  });
  try {
    return await transport.send({ method: "POST", path: "/x", body: {} });
  } finally {
    await transport.close();
  }
}

const coded = (code: string, more: object = {}): Error =>
  Object.assign(new Error("quotes s3cret"), { code, ...more });

/** An error behind so many causes. */
function behind(depth: number, error: unknown): unknown {
  return depth === 0 ? error : Object.assign(new Error("outer"), { cause: behind(depth - 1, error) });
}

describe("a failure", () => {
  it.each([
    ["ECONNREFUSED", "connect", "unsent", "the connection was refused"],
    ["ENOTFOUND", "getaddrinfo", "unsent", "the host name was not found"],
    ["EAI_AGAIN", "getaddrinfo", "unsent", "the host name could not be looked up"],
    ["ENETUNREACH", "connect", "unsent", "the network is unreachable"],
    ["EHOSTUNREACH", "connect", "unsent", "the host is unreachable"],
    ["ETIMEDOUT", "connect", "unsent", "no connection in time"],
    ["UND_ERR_CONNECT_TIMEOUT", undefined, "unsent", "no connection in time"],
    ["ETIMEDOUT", "read", "unknown", "the connection failed (ETIMEDOUT)"],
    ["EHOSTUNREACH", "write", "unknown", "the connection failed (EHOSTUNREACH)"],
    ["ECONNRESET", "read", "unknown", "the connection was reset (ECONNRESET)"],
    ["EPIPE", "write", "unknown", "the connection was closed (EPIPE)"],
    ["UND_ERR_HEADERS_TIMEOUT", undefined, "unknown", "no answer in time (UND_ERR_HEADERS_TIMEOUT)"],
    ["HPE_INVALID_CONSTANT", undefined, "unknown", "the answer is not HTTP (HPE_INVALID_CONSTANT)"],
    ["ODD_HPE_", undefined, "unknown", "the connection failed (ODD_HPE_)"],
  ])("with %s in %s is %s, and worth another try: %s", async (...[code, syscall, sent, what]) => {
    const outcome = { kind: "failure", sent, what, transient: true };
    await expect(outcomeOf(coded(code, { syscall }))).resolves.toMatchObject(outcome);
  });

  const sent = "unsent";
  const fix = expect.stringContaining("NODE_EXTRA_CA_CERTS") as string;

  it.each([
    { code: "CERT_HAS_EXPIRED", sent, reason: "certificates come before anything is sent" },
    { code: "ERR_TLS_CERT_ALTNAME_INVALID", sent, reason: "a wrong name" },
    { code: "DEPTH_ZERO_SELF_SIGNED_CERT", sent, fix, reason: "its own authority" },
    { code: "SELF_SIGNED_CERT_IN_CHAIN", sent, fix, reason: "an authority shown with it, as proxies do" },
    { code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE", sent, fix, reason: "an unknown authority" },
    { code: "ERR_SSL_WRONG_VERSION_NUMBER", sent: "unknown", reason: "other trouble may come later" },
  ])("of TLS is $sent, and not worth another try: $code, $reason", async ({ code, reason: _, ...row }) => {
    const what = `the secure connection failed (${code})`;
    const outcome = { fix: undefined, ...row, what, transient: false };
    await expect(outcomeOf(coded(code))).resolves.toMatchObject(outcome);
  });

  it.each([
    { thrown: new Error("quotes s3cret"), what: "the connection failed", reason: "no code at all" },
    { thrown: coded(""), what: "the connection failed", reason: "an empty code" },
    {
      thrown: Object.assign(new Error(), { name: "HTTPParserError" }),
      what: "the answer is not HTTP",
      reason: "a parser error without a code",
    },
    { thrown: "s3cret", what: "the connection failed", reason: "no error" },
    { thrown: null, what: "the connection failed", reason: "nothing" },
    {
      thrown: coded("", { cause: coded("EPIPE") }),
      what: "the connection was closed (EPIPE)",
      reason: "the code of its cause",
    },
    { thrown: behind(5, coded("EPIPE")), what: "the connection was closed (EPIPE)", reason: "a deep cause" },
    { thrown: behind(6, coded("EPIPE")), what: "the connection failed", reason: "too deep a cause" },
    {
      thrown: new AggregateError([coded("EPIPE"), coded("ENOTFOUND")]),
      what: "the connection was closed (EPIPE)",
      reason: "the first of the attempts on each address",
    },
    {
      thrown: Object.assign(new AggregateError([]), { code: "EPIPE" }),
      what: "the connection was closed (EPIPE)",
      reason: "its own code where there was no attempt",
    },
  ])("is told by its code, never by its text: $reason", async ({ thrown, what }) => {
    const outcome = await outcomeOf(thrown);
    expect(outcome).toMatchObject({ kind: "failure", sent: "unknown", what, transient: true });
    expect(JSON.stringify(outcome)).not.toContain("s3cret");
  });

  it("ends where causes go in a circle", async () => {
    const circle = new Error("round") as Error & { cause: unknown };
    circle.cause = circle;
    await expect(outcomeOf(circle)).resolves.toMatchObject({ what: "the connection failed" });
    const attempts = new AggregateError([]);
    attempts.errors.push(attempts);
    await expect(outcomeOf(attempts)).resolves.toMatchObject({ what: "the connection failed" });
  });
});
