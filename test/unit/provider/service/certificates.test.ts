/**
 * The check of certificates, in a process of its own: Node reads these variables when it starts. The code is bundled as
 * the plugin is.
 */
import { execFile, execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import https from "node:https";
import path from "node:path";
import { promisify } from "node:util";
import type { WireOutcome } from "../../../../provider/service/transport";
import { temporaryFolder } from "../../../support/temporaryFolder";
import { closeServers, listen, openProxy } from "./servers";

const checkout = path.join(__dirname, "..", "..", "..", "..");
const host = "compute.invalid";

const folder = temporaryFolder();
const file = (name: string): string => path.join(folder, name);

/** Sends one request, as the provider does, and prints the outcome. */
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

/** What reached the service. */
const reached: string[] = [];

afterEach(async () => {
  reached.length = 0;
  await closeServers();
});

function shown(): https.ServerOptions {
  return { key: readFileSync(file("key.pem")), cert: readFileSync(file("certificate.pem")) };
}

function openService(): Promise<number> {
  return listen(
    https.createServer(shown(), (request, answer) => {
      reached.push(request.headers.authorization ?? "");
      answer.end("{}");
    }),
  );
}

async function proxyOver(scheme: "http" | "https"): Promise<string> {
  const { port } = await openProxy(undefined, scheme === "https" ? https.createServer(shown()) : undefined);
  return `${scheme}://localhost:${port}`;
}

async function sendWith(
  variables: Readonly<Record<string, string>>,
  words: readonly string[],
): Promise<WireOutcome> {
  const env = { PATH: process.env["PATH"], NODE_NO_WARNINGS: "1", ...variables };
  const { stdout } = await promisify(execFile)(process.execPath, [file("program.js"), ...words], { env });
  return JSON.parse(stdout) as WireOutcome;
}

const unchecked = { NODE_TLS_REJECT_UNAUTHORIZED: "0" };

/** Each way to a service whose certificate is of an authority that Node does not know. */
const ways = [
  { way: "directly", connect: async () => [`https://127.0.0.1:${await openService()}`] },
  {
    way: "through a proxy",
    connect: async () => [`https://${host}:${await openService()}`, await proxyOver("http")],
  },
  {
    way: "through a proxy over TLS",
    connect: async () => [`https://${host}:${await openService()}`, await proxyOver("https")],
  },
];

it.each(ways)(
  "is not switched off by NODE_TLS_REJECT_UNAUTHORIZED: the key is not sent $way",
  async ({ connect }) => {
    await expect(sendWith(unchecked, await connect())).resolves.toMatchObject({
      kind: "failure",
      sent: "unsent",
      what: "the secure connection failed (DEPTH_ZERO_SELF_SIGNED_CERT)",
      fix: expect.stringContaining("NODE_EXTRA_CA_CERTS") as unknown,
    });
    expect(reached.join()).not.toContain("s3cret-key");
  },
);

it.each(ways)(
  "knows the authorities in NODE_EXTRA_CA_CERTS, as the error says: $way",
  async ({ connect }) => {
    const variables = { NODE_EXTRA_CA_CERTS: file("certificate.pem") };
    await expect(sendWith(variables, await connect())).resolves.toMatchObject({
      kind: "answer",
      status: 200,
    });
    expect(reached.at(-1)).toBe("Bearer s3cret-key");
  },
);
