/**
 * The transport as it is in bundles. The tests of one request run again, with the parts of undici that a bundle contains. The
 * check of certificates is tested in another process, since Node reads its variables when a process starts.
 */
jest.mock("undici", () => jest.requireActual<object>("../../../../tools/plugin/undici.js"));
import { execFile, execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import https from "node:https";
import path from "node:path";
import { promisify } from "node:util";
import type { WireResult } from "../../../../provider/service/transport";
import { temporaryFolder } from "../../../support/temporaryFolder";
import { closeServers, listen, openProxy } from "../../../support/servers";
import "./proxies.test";
import "./transport.test";

const checkout = path.join(__dirname, "..", "..", "..", "..");
const host = "compute.invalid";

const folder = temporaryFolder();
const file = (name: string): string => path.join(folder, name);

/** A program that sends one request as the provider does, and prints the outcome. */
const program = `
  import { createTransport } from "./provider/service/transport";
  const [baseUrl, proxy] = process.argv.slice(2);
  const transport = createTransport({
    baseUrl,
    apiKey: "s3cret-key",
    userAgent: "tests/1",
    proxy: proxy === undefined ? undefined : { url: proxy, variable: "HTTPS_PROXY" },
  });
  void transport.send({ method: "GET", path: "/projects/p/endpoints" }).then((outcome) => {
    console.log(JSON.stringify(outcome));
    process.exit();
  });
`;

beforeAll(() => {
  const names = `subjectAltName=DNS:${host},DNS:localhost,IP:127.0.0.1`;
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", file("key.pem")];
  const certificate = ["-out", file("certificate.pem"), "-subj", `/CN=${host}`, "-addext", names];
  execFileSync("openssl", ["req", "-x509", ...key, ...certificate, "-days", "2"], { stdio: "pipe" });
  const esbuild = require.resolve("esbuild/bin/esbuild");
  const alias = `--alias:undici=${path.join(checkout, "tools", "plugin", "undici.js")}`;
  const words = ["--bundle", "--platform=node", alias, `--outfile=${file("program.js")}`];
  execFileSync(esbuild, words, { cwd: checkout, input: program, stdio: ["pipe", "pipe", "pipe"] });
});

afterEach(closeServers);

/**
 * Sends one request, with these variables, to a service whose certificate comes from an authority that Node does not know.
 *
 * @returns the outcome, and the keys that reached the service.
 */
async function sendWith(variables: Readonly<Record<string, string>>, through: (typeof ways)[number]) {
  const reached: string[] = [];
  const shown = { key: readFileSync(file("key.pem")), cert: readFileSync(file("certificate.pem")) };
  const service = https.createServer(shown, (request, answer) => {
    reached.push(request.headers.authorization ?? "");
    answer.end("{}");
  });
  const words = [`https://${through === "directly" ? "127.0.0.1" : host}:${await listen(service)}`];
  if (through === "through a proxy") words.push(`http://localhost:${(await openProxy()).port}`);
  if (through === "through a proxy over TLS")
    words.push(`https://localhost:${(await openProxy(undefined, https.createServer(shown))).port}`);
  const env = { PATH: process.env["PATH"], NODE_NO_WARNINGS: "1", ...variables };
  const { stdout } = await promisify(execFile)(process.execPath, [file("program.js"), ...words], { env });
  return { outcome: JSON.parse(stdout) as WireResult, reached };
}

const ways = ["directly", "through a proxy", "through a proxy over TLS"] as const;

describe("the check of certificates", () => {
  it.each(ways)(
    "is not switched off by NODE_TLS_REJECT_UNAUTHORIZED: the key is not sent %s",
    async (way) => {
      const { outcome, reached } = await sendWith({ NODE_TLS_REJECT_UNAUTHORIZED: "0" }, way);
      expect(outcome).toMatchObject({
        kind: "failure",
        outcome: "unsent",
        what: "the secure connection failed (DEPTH_ZERO_SELF_SIGNED_CERT)",
        fix: expect.stringContaining("NODE_EXTRA_CA_CERTS") as unknown,
      });
      expect(reached).toEqual([]);
    },
  );

  it.each(ways)("trusts the authorities in NODE_EXTRA_CA_CERTS, as the error advises: %s", async (way) => {
    const { outcome, reached } = await sendWith({ NODE_EXTRA_CA_CERTS: file("certificate.pem") }, way);
    expect(outcome).toMatchObject({ kind: "answer", status: 200 });
    expect(reached).toEqual(["Bearer s3cret-key"]);
  });
});

it("the transport runs with only the parts of undici that a bundle contains", () => {
  expect(Object.keys(jest.requireMock("undici"))).toEqual(["Agent", "EnvHttpProxyAgent", "request"]);
});
