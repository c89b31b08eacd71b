import { request, type IncomingMessage } from "node:http";
import { json } from "node:stream/consumers";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { startEmulator, type EmulatorOptions } from "../../emulator";
import { isWindows } from "../support/systems";
import { closeBenches, newBench, type Bench } from "./support";

/** Who is answered by the API, and how much is read of what they send. */

afterEach(closeBenches);

interface Reply {
  readonly status: number | undefined;
  readonly message?: string;
}

/** Lists the computes with the right key; unlike `fetch`, with the Host that is given. */
async function list({ emulator, at }: Bench, headers: Record<string, string>): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const all = { Authorization: `Bearer ${emulator.apiKey}`, ...headers };
    request(`${emulator.url}/api/v2${at}/endpoints`, { headers: all }, (answer) => {
      replyOf(answer).then(resolve, reject);
    })
      .on("error", reject)
      .end();
  });
}

async function replyOf(answer: IncomingMessage): Promise<Reply> {
  return { ...((await json(answer)) as { message?: string }), status: answer.statusCode };
}

describe("the API, to programs of this machine alone,", () => {
  it.each(["localhost:PORT", "api.localhost", "127.0.0.1:PORT", "127.1.2.3:9", "[::1]:PORT"])(
    "answers under the host name %s",
    async (host) => {
      const bench = await newBench();
      const Host = host.replace("PORT", String(bench.emulator.port));
      expect(await list(bench, { Host })).toMatchObject({ status: 200 });
    },
  );

  it.each([
    { host: "shop.example:8787", reason: "a page's own name that leads here (DNS rebinding)" },
    { host: "localhost.example", reason: "it only begins like a loopback name" },
    { host: "127.0.0.1.example:8787", reason: "nor is this an address" },
    { host: "notlocalhost", reason: "it only ends like one" },
    { host: "192.168.1.7:8787", reason: "an address of the network" },
  ])("refuses the host name $host although the key is right: $reason", async ({ host }) => {
    const bench = await newBench();
    expect(await list(bench, { Host: host })).toMatchObject({
      status: 403,
      message: `The API is not answered under the host name "${host}". Use ${bench.emulator.url}.`,
    });
    expect(bench.emulator.requests()).toEqual([]);
  });

  it.each([
    "https://shop.example",
    "http://127.0.0.1:1",
    "http://localhost:PORT",
    "https://127.0.0.1:1",
    "null",
    "",
  ])("refuses a page of %s although the key is right", async (named) => {
    const bench = await newBench();
    const origin = named.replace("PORT", String(bench.emulator.port));
    const answer = await list(bench, { Origin: origin });
    expect(answer.status).toBe(403);
    expect(answer.message).toContain(`web pages of the origin "${origin}". Send the request from a program`);
    expect(await list(bench, { Origin: bench.emulator.url })).toMatchObject({ status: 200 });
  });
});

it("is read and changed by every user of this machine, without the key, as its page and SECURITY.md say", async () => {
  const { emulator, project } = await newBench();
  const controls = `${emulator.url}/_emulator`;
  const page = await fetch(`${controls}/console`);
  expect(await page.text()).toContain(project.endpoint.id);
  const headers = { "Content-Type": "application/json" };
  const changed = await fetch(`${controls}/faults`, { method: "POST", headers, body: '{"kind":"cut"}' });
  expect(changed.status).toBeLessThan(300);
  expect(emulator.faultsLeft()).toHaveLength(1);
  const textOf = (file: string): string =>
    readFileSync(path.join(__dirname, "..", "..", file), "utf8").replaceAll(/\s+/g, " ");
  expect(textOf("docs/emulator.md")).toContain(
    "It protects nothing from other users of the machine: they can read its page, its key and its computes, and change them.",
  );
  expect(textOf("SECURITY.md")).toContain(
    "every local user can read its page, its key and its computes, and change them",
  );
});

describe("an emulator that listens to other machines", () => {
  const open = async (options: EmulatorOptions = {}): Promise<{ bench: Bench; told: string[] }> => {
    const told: string[] = [];
    const bench = await newBench({ host: "0.0.0.0", onNotice: (text) => told.push(text), ...options });
    return { bench, told };
  };

  it.each([
    { host: "192.168.1.7:8787", status: 200, reason: "an address" },
    { host: "[fe80::1]:8787", status: 200, reason: "an address" },
    { host: "emulator:8787", status: 200, reason: "a container's name" },
    { host: "host.docker.internal:8787", status: 200, reason: "a container's name for this machine" },
    { host: "127.0.0.1.example", status: 403, reason: "a page's own name" },
    { host: "shop.example:8787", status: 403, reason: "a page's own name" },
  ])("answers $status under $host: $reason", async ({ host, status }) => {
    const { bench } = await open();
    expect(await list(bench, { Host: host })).toMatchObject({ status });
  });

  it("warns of that, and of the documented key", async () => {
    expect((await open()).told).toEqual([
      expect.stringMatching(
        /^warning: --host 0\.0\.0\.0 lets other machines reach the API.*documented key, local-key/,
      ),
    ]);
    const { told } = await open({ apiKey: "of my own" });
    expect(told.join()).toContain("with the key.");
    expect(told.join()).not.toContain("of my own");
  });

  it("warns of nothing on the loopback", async () => {
    for (const host of ["127.0.0.1", "localhost"]) {
      const { told } = await open({ host });
      expect(told).toEqual([]);
    }
  });
});

describe("a body", () => {
  /** Sends up to 300 MB, until there is an answer. @returns how much was sent until then */
  async function sendMuch(
    bench: Bench,
    headers: Record<string, string>,
    to = `/api/v2${bench.at}/endpoints`,
  ): Promise<Reply & { sentMb: number }> {
    return new Promise((resolve, reject) => {
      let isAnswered = false;
      let sentMb = 0;
      const sent = request(`${bench.emulator.url}${to}`, { method: "POST", headers }, (answer) => {
        isAnswered = true;
        replyOf(answer).then((reply) => {
          resolve({ ...reply, sentMb });
          sent.destroy();
        }, reject);
      });
      sent.on("error", (error) => {
        if (!isAnswered) reject(error);
      });
      const chunk = Buffer.alloc(1024 * 1024, " ");
      const next = (): void => {
        if (isAnswered || sentMb >= 300) return;
        sentMb += 1;
        sent.write(chunk, () => setImmediate(next));
      };
      next();
    });
  }
  const declared = { "Content-Length": String(300 * 1024 * 1024) };

  it.each([
    { reason: "whose length is declared", headers: declared },
    { reason: "without a length", headers: {} },
  ])(
    "of 300 MB $reason is refused before it is read: without the key with 401, with it with 413",
    async ({ headers }) => {
      const bench = await newBench();
      const without = await sendMuch(bench, headers);
      expect(without).toMatchObject({ status: 401 });
      const withKey = await sendMuch(bench, { ...headers, Authorization: `Bearer ${bench.emulator.apiKey}` });
      expect(withKey).toMatchObject({ status: 413, message: "The body has more than 1048576 bytes." });
      expect(Math.max(without.sentMb, withKey.sentMb)).toBeLessThan(50);
      expect((await bench.send("GET", `${bench.at}/endpoints`)).status).toBe(200);
    },
  );

  it("of 300 MB to a control is refused too", async () => {
    const bench = await newBench();
    const headers = { ...declared, "Content-Type": "application/json" };
    expect(await sendMuch(bench, headers, "/_emulator/projects")).toMatchObject({ status: 413 });
    expect(bench.emulator.projects()).toHaveLength(1);
  });

  it("of a request without the key is not in the log", async () => {
    const bench = await newBench();
    await bench.sendRaw("POST", `${bench.at}/endpoints`, {
      body: "{}",
      headers: { Authorization: "Bearer no" },
    });
    expect(bench.emulator.requests()).toEqual([
      expect.not.objectContaining({ body: expect.anything() as unknown }),
    ]);
  });
});

(isWindows ? it.skip : it)(
  `the state file is closed to other users${isWindows ? " (skipped: not on Windows)" : ""}`,
  async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "emulator-state-"));
    try {
      const stateFile = path.join(folder, "state.json");
      const emulator = await startEmulator({ stateFile });
      emulator.createProject();
      await emulator.close();
      expect(statSync(stateFile).mode & 0o777).toBe(0o600);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
