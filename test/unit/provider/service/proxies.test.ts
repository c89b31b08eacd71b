/** Proxies as companies have them, over real sockets: the proxy finds every host name here. */
import http from "node:http";
import { createTransport, type WireOutcome, type WireRequest } from "../../../../provider/service/transport";
import { readConfig } from "../../../../provider/settings/config";
import { closeServers, listen, openProxy } from "./servers";

const apiKey = "s3cret-key";
const stack: Readonly<Record<string, string>> = {
  "compute:apiKey": apiKey,
  "compute:baseUrl": "https://compute.invalid",
};
const read: WireRequest = { method: "GET", path: "/projects/p/endpoints" };
const write: WireRequest = { method: "POST", path: "/projects/p/endpoints", body: {} };

const variables = /^(https?|no)_proxy$/i;

beforeEach(() => {
  const others = Object.entries(process.env).filter(([name]) => !variables.test(name));
  jest.replaceProperty(process, "env", Object.fromEntries(others));
});
afterEach(async () => {
  jest.restoreAllMocks();
  await closeServers();
});

/** As the provider does it: the proxy is what the configuration reads. */
async function sendTo(baseUrl: string, request = read): Promise<WireOutcome> {
  const { proxy } = readConfig((name) => stack[name]).connection();
  const transport = createTransport({ baseUrl, apiKey, userAgent: "tests/1", proxy });
  try {
    return await transport.send(request, 5_000);
  } finally {
    void transport.close();
  }
}

describe("a proxy that lets through", () => {
  let servicePort: number;
  beforeEach(async () => {
    servicePort = await listen(http.createServer((_, answer) => answer.end("{}")));
  });

  it.each([
    { variable: "HTTPS_PROXY", scheme: "http://" },
    { variable: "HTTPS_PROXY", scheme: "" },
    { variable: "https_proxy", scheme: "" },
    { variable: "HTTP_PROXY", scheme: "" },
    { variable: "http_proxy", scheme: "http://" },
  ])("is used: $variable=$scheme…", async ({ variable, scheme }) => {
    const proxy = await openProxy();
    process.env[variable] = `${scheme}127.0.0.1:${proxy.port}`;
    const host = `compute.invalid:${servicePort}`;
    await expect(sendTo(`http://${host}`)).resolves.toMatchObject({ kind: "answer", status: 200 });
    expect(proxy.asked).toEqual([host]);
  });

  it("is not asked for a host in NO_PROXY, nor for a service on this machine", async () => {
    const proxy = await openProxy();
    process.env["HTTPS_PROXY"] = `127.0.0.1:${proxy.port}`;
    process.env["NO_PROXY"] = "compute.invalid";
    await expect(sendTo(`http://compute.invalid:${servicePort}`)).resolves.toMatchObject({
      what: "the host name was not found",
    });
    await expect(sendTo(`http://127.0.0.1:${servicePort}`)).resolves.toMatchObject({ status: 200 });
    expect(proxy.asked).toEqual([]);
  });
});

describe("a proxy that does not", () => {
  it.each([
    { status: 407, transient: false },
    { status: 403, transient: false },
    { status: 502, transient: true },
  ])("is named with its variable and its $status, and nothing was sent", async ({ status, transient }) => {
    const proxy = await openProxy(
      `HTTP/1.1 ${status} No\r\nProxy-Authenticate: Basic\r\n\r\n<html>${apiKey}</html>`,
    );
    process.env["HTTPS_PROXY"] = `127.0.0.1:${proxy.port}`;
    for (const request of [read, write]) {
      const outcome = await sendTo("https://compute.invalid", request);
      expect(outcome).toMatchObject({
        kind: "failure",
        sent: "unsent",
        what: `the proxy in HTTPS_PROXY answered ${status}`,
        transient,
        fix: "Check the proxy in HTTPS_PROXY; NO_PROXY names hosts that are reached without it",
      });
      expect(JSON.stringify(outcome)).not.toContain(apiKey);
    }
    expect(proxy.asked).toEqual(["compute.invalid:443", "compute.invalid:443"]);
  });

  it.each(["127.0.0.1:9", "http://127.0.0.1:9", "http://proxy.invalid:3128"])(
    "is named where it is not there: %s",
    async (value) => {
      process.env["https_proxy"] = value;
      await expect(sendTo("https://compute.invalid", write)).resolves.toMatchObject({
        kind: "failure",
        sent: "unsent",
        fix: "Check the proxy in https_proxy; NO_PROXY names hosts that are reached without it",
      });
    },
  );

  it("is not blamed for a service on this machine that is not there", async () => {
    process.env["HTTPS_PROXY"] = "127.0.0.1:9";
    const outcome = await sendTo("http://127.0.0.1:9", write);
    expect(outcome).toMatchObject({ what: "the connection was refused", fix: undefined });
  });

  it("is named where its variable holds no address, without the password in it", () => {
    process.env["HTTPS_PROXY"] = "http://me:pa55@host name:1";
    let message = "";
    try {
      readConfig((name) => stack[name]).connection();
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).toMatch(
      /the proxy in HTTPS_PROXY is not an address\. Set HTTPS_PROXY to http:\/\/host:port/,
    );
    expect(message).not.toContain("pa55");
  });
});
