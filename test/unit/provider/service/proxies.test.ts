/** Proxies as companies use them, over real sockets. The test's proxy accepts every host name. */
import http from "node:http";
import { createTransport, type WireResult, type WireRequest } from "../../../../provider/service/transport";
import { readConfig } from "../../../../provider/settings/config";
import { closeServers, listen, openProxy } from "../../../support/servers";

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

/** Sends as the provider does: the proxy comes from the configuration. */
async function sendTo(baseUrl: string, request = read): Promise<WireResult> {
  const { proxy } = readConfig((name) => stack[name]).connection();
  const transport = createTransport({ baseUrl, apiKey, userAgent: "tests/1", proxy });
  try {
    return await transport.send(request, 5_000);
  } finally {
    void transport.close();
  }
}

describe("a proxy that works", () => {
  it.each(["HTTPS_PROXY=http://", "HTTPS_PROXY=", "https_proxy=", "HTTP_PROXY=", "http_proxy=http://"])(
    "is used, but not for a host in NO_PROXY, nor for a service on this machine: %s…",
    async (setting) => {
      const [variable = "", scheme = ""] = setting.split("=");
      const port = await listen(http.createServer((_, answer) => answer.end("{}")));
      const [proxy, host] = [await openProxy(), `compute.invalid:${port}`];
      process.env[variable] = `${scheme}127.0.0.1:${proxy.port}`;
      await expect(sendTo(`http://${host}`)).resolves.toMatchObject({ kind: "answer", status: 200 });
      await expect(sendTo(`http://127.0.0.1:${port}`)).resolves.toMatchObject({ status: 200 });
      process.env["NO_PROXY"] = "compute.invalid";
      const what = "the host name was not found";
      await expect(sendTo(`http://${host}`)).resolves.toMatchObject({ what });
      expect(proxy.asked).toEqual([host]);
    },
  );
});

describe("a proxy that fails", () => {
  it.each([
    { status: 407, transient: false },
    { status: 403, transient: false },
    { status: 500, transient: true },
  ])("is named with its variable and its $status, and nothing is sent", async ({ status, transient }) => {
    const proxy = await openProxy(
      `HTTP/1.1 ${status} No\r\nProxy-Authenticate: Basic\r\n\r\n<html>${apiKey}</html>`,
    );
    process.env["HTTPS_PROXY"] = `127.0.0.1:${proxy.port}`;
    for (const request of [read, write]) {
      const outcome = await sendTo("https://compute.invalid", request);
      const what = `the proxy in HTTPS_PROXY answered ${status}`;
      const fix = "Check the proxy in HTTPS_PROXY, or add the host to NO_PROXY";
      expect(outcome).toMatchObject({ kind: "failure", outcome: "unsent", what, transient, fix });
      expect(JSON.stringify(outcome)).not.toContain(apiKey);
    }
    expect(proxy.asked).toEqual(["compute.invalid:443", "compute.invalid:443"]);
  });

  it.each(["127.0.0.1:9", "http://127.0.0.1:9", "http://proxy.invalid:3128"])(
    "is named if it cannot be reached, but not if a service on this machine cannot be reached: %s",
    async (value) => {
      process.env["https_proxy"] = value;
      const fix = "Check the proxy in https_proxy, or add the host to NO_PROXY";
      await expect(sendTo("https://compute.invalid", write)).resolves.toMatchObject({
        outcome: "unsent",
        fix,
      });
      const local = await sendTo("http://127.0.0.1:9", write);
      expect(local).toMatchObject({ what: "the connection was refused", fix: undefined });
    },
  );

  it("is named if its variable holds no address, without showing the password in it", () => {
    process.env["HTTPS_PROXY"] = "http://me:pa55@host name:1";
    expect(() => readConfig((name) => stack[name]).connection()).toThrow(
      /^(?!.*pa55).*the value of HTTPS_PROXY is not the address of a proxy\. Set HTTPS_PROXY to http:\/\/host:port/,
    );
  });
});
