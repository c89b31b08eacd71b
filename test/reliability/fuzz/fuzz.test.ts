/**
 * The client against answers that are no answers: over a raw socket, so that nothing puts them right again. `npm run test:long -- fuzz`
 * has a hundred thousand of them.
 */
import * as fc from "fast-check";
import net from "node:net";
import { connectApi } from "../../../provider/connect";
import { RequestError } from "../../../provider/model/errors";
import { defaultRateLimits } from "../../../provider/settings/table";
import { redactor } from "../../../provider/redact";
import { createFakeClock } from "../../support/fakeClock";
import { ownTimeouts } from "../hung";
import { isLong, seedsOfCommit, seedsTo } from "../seeds";
import { apiKey, bytesOf, exchanges, fuzzCases, type FuzzCase } from "./answers";

const { count, seeds } = isLong
  ? { count: 5_000, seeds: seedsTo(20) }
  : { count: 2_000, seeds: seedsOfCommit(1) };

describe("an answer whose status line, headers or body were tampered with", () => {
  it.each(seeds)("is refused in words, or holds what a success must hold: seed %d", async (seed) => {
    const { good, refused } = await fuzz(seed);
    process.stderr.write(`tampered answers, seed ${seed}: ${good} good, ${refused} refused\n`);
    expect(good + refused).toBe(count);
    expect(good).toBeGreaterThan(count / 20);
    expect(refused).toBeGreaterThan(count / 4);
  });
});

/** @throws with the case, its seed and path, at the first answer that is taken for something else. */
async function fuzz(seed: number): Promise<Record<"good" | "refused", number>> {
  // The time that a request may take is over when the server says so.
  const { endLast, restore } = ownTimeouts();
  const server = await answerRaw(endLast);
  const api = connectApi(
    { connection: () => ({ apiKey, baseUrl: server.url }), requestsPerMinute: defaultRateLimits },
    { clock: createFakeClock(), redact: redactor(apiKey) },
  );
  const strays: unknown[] = [];
  const onStray = (reason: unknown): void => void strays.push(reason);
  process.on("unhandledRejection", onStray);
  const counts = { good: 0, refused: 0 };
  try {
    await fc.assert(
      fc.asyncProperty(fuzzCases, async (one) => {
        server.answerWith(bytesOf(one), one.isHeld);
        counts[await outcomeOf(one)] += 1;
        expect(strays).toEqual([]);
      }),
      { seed, numRuns: count },
    );
  } finally {
    process.off("unhandledRejection", onStray);
    restore();
    await server.close();
  }
  return counts;

  async function outcomeOf(one: FuzzCase): Promise<"good" | "refused"> {
    const exchange = exchanges[one.exchange]!;
    let result: unknown;
    try {
      result = await exchange.send(api);
    } catch (error) {
      expectNamed(error);
      return "refused";
    }
    if (!exchange.isGood(result))
      throw new Error(`${exchange.name} took ${JSON.stringify(result)} for a success`);
    return "good";
  }
}

function expectNamed(error: unknown): void {
  if (!(error instanceof RequestError)) throw new Error("a failure without words of ours", { cause: error });
  expect(error.message).toMatch(/^[a-z][^]+: [^]+\. [A-Z][^]+\.$/);
  expect(error.message).not.toContain(apiKey);
  expect(error.message).not.toContain(encodeURIComponent(apiKey));
  // A message ends on a terminal: nothing in it may steer one, or fill it.
  expect(error.message).not.toMatch(/\p{Cc}/u);
  expect(error.message.length).toBeLessThan(1_500);
}

interface RawServer {
  readonly url: string;
  answerWith(bytes: Buffer, isHeld: boolean): void;
  close(): Promise<void>;
}

/**
 * Reads a whole request, writes what it is told to, and ends.
 *
 * @param onHeld - called when an answer has been written and the connection is left open.
 */
async function answerRaw(onHeld: () => void): Promise<RawServer> {
  let answer: Buffer = Buffer.alloc(0);
  let isHeld = false;
  const open = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
    let request = "";
    socket.on("error", () => socket.destroy());
    socket.on("data", (chunk) => {
      request += chunk.toString("latin1");
      if (!isWhole(request)) return;
      request = "";
      if (isHeld) socket.write(answer, () => setTimeout(onHeld, 3));
      else socket.end(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as net.AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    answerWith: (bytes, held) => {
      answer = bytes;
      isHeld = held;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        for (const socket of open) socket.destroy();
      }),
  };
}

function isWhole(request: string): boolean {
  const end = request.indexOf("\r\n\r\n");
  const [, length] = /^content-length: (\d+)/im.exec(request) ?? [];
  return end !== -1 && request.length >= end + 4 + Number(length ?? 0);
}
