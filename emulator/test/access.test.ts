import { once } from "node:events";
import { request, type IncomingMessage, type RequestOptions } from "node:http";
import type { Emulator, EmulatorOptions } from "..";
import { answerTo, closeBenches, newBench, replyOf, type Bench } from "./support";

/** Which requests the API and the controls answer, and how much of a body they read. */

afterEach(closeBenches);

type Reply = Awaited<ReturnType<typeof replyOf>>;

/** Lists the computes with the right key. */
async function list({ emulator, at }: Bench, headers: Record<string, string>): Promise<Reply> {
  const all = { Authorization: `Bearer ${emulator.apiKey}`, ...headers };
  return replyOf(await answerTo(`${emulator.url}/api/v2${at}/endpoints`, { headers: all }));
}

describe("the API", () => {
  const [ownName, otherName] = [
    "a web page's own name, which resolves to this machine (DNS rebinding)",
    "a name that only resembles a loopback name",
  ];

  it.each([
    { at: "127.0.0.1", host: "localhost:PORT", status: 200, reason: "a loopback name" },
    { at: "127.0.0.1", host: "127.1.2.3:9", status: 200, reason: "a loopback address" },
    { at: "127.0.0.1", host: "[::1]:PORT", status: 200, reason: "a loopback address" },
    { at: "127.0.0.1", host: "shop.example:8787", status: 403, reason: ownName },
    { at: "127.0.0.1", host: "localhost.example", status: 403, reason: otherName },
    { at: "127.0.0.1", host: "192.168.1.7:8787", status: 403, reason: "an address of the network" },
    { at: "0.0.0.0", host: "192.168.1.7:8787", status: 200, reason: "an address of the network" },
    { at: "0.0.0.0", host: "emulator:8787", status: 200, reason: "a container's name" },
    { at: "0.0.0.0", host: "shop.example:8787", status: 403, reason: ownName },
  ])("on $at answers $status to the host name $host: $reason", async ({ at, host, status }) => {
    const bench = await newBench({ host: at });
    const Host = host.replace("PORT", String(bench.emulator.port));
    const { message, ...answer } = await list(bench, { Host });
    expect(answer).toMatchObject({ status });
    if (status === 200) return;
    expect(message).toBe(
      `The API cannot be used under the host name "${host}". Use http://127.0.0.1:${bench.emulator.port}.`,
    );
    expect(bench.emulator.requests()).toEqual([]);
  });

  it.each(["https://shop.example", "http://127.0.0.1:1", "null", ""])(
    'refuses a web page of the origin "%s" even with the right key',
    async (origin) => {
      const bench = await newBench();
      const answer = await list(bench, { Origin: origin });
      expect(answer.status).toBe(403);
      expect(answer.message).toContain(
        `web pages of the origin "${origin}". Send the request from a program`,
      );
      expect(await list(bench, { Origin: bench.emulator.url })).toMatchObject({ status: 200 });
    },
  );
});

describe("a request to the controls", () => {
  const isJson = { "Content-Type": "application/json" };
  const fromPage = { Origin: "https://shop.example" };
  const ask = async ({ url }: Emulator, asked: RequestOptions & { body?: string }) =>
    replyOf(await answerTo(`${url}/_emulator/projects`, { method: "POST", ...asked }));

  it("is refused under a host name that is not this machine's", async () => {
    const { emulator } = await newBench();
    const host = "shop.example:8787";
    expect(await ask(emulator, { headers: { Host: host, ...isJson }, body: "{}" })).toEqual({
      status: 403,
      message: `The control routes cannot be used under the host name "${host}". Use ${emulator.url}/_emulator.`,
    });
    expect(emulator.projects()).toHaveLength(1);
  });

  it.each([
    {
      reason: "comes from a page of another origin",
      status: 403,
      headers: { ...fromPage, ...isJson },
      body: "{}",
    },
    { reason: "comes from such a page without a body", status: 403, headers: fromPage },
    ...[
      { type: "text/plain", reason: "has a type that a page can send without a preflight request" },
      { type: "application/x-www-form-urlencoded", reason: "is a form" },
      { type: "", reason: "has no content type" },
    ].map(({ type, reason }) => ({ reason, status: 415, headers: { "Content-Type": type }, body: "{}" })),
  ])("is refused with $status if it $reason", async ({ reason: _, status, ...asked }) => {
    const { emulator } = await newBench();
    const answer = await ask(emulator, asked);
    expect(answer.status).toBe(status);
    expect(answer.message).toContain(
      status === 403 ? "without an Origin header." : "Send the header Content-Type: application/json.",
    );
    expect(emulator.projects()).toHaveLength(1);
  });
});

describe("an emulator that listens to other machines", () => {
  const told = async (options: EmulatorOptions): Promise<readonly string[]> => {
    const notices: string[] = [];
    await newBench({ onNotice: (text) => notices.push(text), ...options });
    return notices;
  };

  it("warns that they can reach it, and that its API key is documented", async () => {
    expect(await told({ host: "0.0.0.0" })).toEqual([
      expect.stringMatching(
        /^warning: --host 0\.0\.0\.0 lets other machines reach the API.*documented key, local-key/,
      ),
    ]);
    expect(await told({ host: "127.0.0.1" })).toEqual([]);
  });
});

it("a body without a length is refused as soon as it is too long: with 413, or with 401 if the key is missing", async () => {
  const { emulator, at } = await newBench();
  const begin = async (headers: Record<string, string>): Promise<Reply> => {
    const sent = request(`${emulator.url}/api/v2${at}/endpoints`, { method: "POST", headers });
    sent.on("error", () => undefined);
    sent.write(Buffer.alloc(2 * 1024 * 1024, " "));
    const [answer] = (await once(sent, "response")) as [IncomingMessage];
    return replyOf(answer).finally(() => sent.destroy());
  };
  expect(await begin({})).toMatchObject({ status: 401 });
  const message = "The body has more than 1048576 bytes.";
  const key = { Authorization: `Bearer ${emulator.apiKey}` };
  expect(await begin(key)).toMatchObject({ status: 413, message });
});
