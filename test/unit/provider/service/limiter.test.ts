import { createRateLimiter } from "../../../../provider/service/limiter";
import { deadlineIn } from "../../../../provider/clock";
import { noRateLimits } from "../../../../provider/settings/rates";
import { createFakeClock } from "../../../support/fakeClock";

type Limits = Parameters<typeof createRateLimiter>[2];

/** @param chance - in place of a random number. */
function openLimiter(chance = 0, limits?: Limits) {
  const clock = createFakeClock();
  return { clock, limiter: createRateLimiter(clock, () => chance, limits) };
}

/**
 * Sends `count` requests of a route and says when each went out, in milliseconds from the start.
 *
 * @param answerMs - how long an answer takes; Infinity for a service that never answers.
 */
async function sendAll(count: number, answerMs: number, limits?: Limits): Promise<number[]> {
  const { clock, limiter } = openLimiter(0, limits);
  const startMs = clock.monotonicMs();
  const sent: number[] = [];
  const send = async (): Promise<void> => {
    await limiter.of("createEndpoint").acquire();
    sent.push(Math.round(clock.monotonicMs() - startMs));
    if (answerMs === Infinity) return;
    await clock.sleep(answerMs);
    limiter.of("createEndpoint").ended();
  };
  await Promise.all(Array.from({ length: count }, send));
  return sent;
}

describe("the rate limiter", () => {
  it("begins a burst with one request, and lets the root of those answered be under way", async () => {
    expect(await sendAll(11, 10)).toEqual([0, 10, 20, 20, 30, 30, 40, 40, 40, 50, 50]);
    expect((await sendAll(36, 10)).at(-1)).toBeLessThanOrEqual(110);
  });

  it("goes on without answers, ever faster: a burst of 36 takes less than four seconds", async () => {
    const sent = await sendAll(36, Infinity);
    expect(sent.slice(0, 5)).toEqual([0, 1_500, 2_030, 2_319, 2_507]);
    expect(sent.at(-1)).toBeLessThan(4_000);
  });

  it("begins anew after a second without a request", async () => {
    const { clock, limiter } = openLimiter();
    for (let sent = 0; sent < 9; sent++) {
      await limiter.of("createEndpoint").acquire();
      limiter.of("createEndpoint").ended();
    }
    const waitsOf = async (): Promise<number> => {
      const askedMs = clock.monotonicMs();
      await limiter.of("createEndpoint").acquire();
      return Math.round(clock.monotonicMs() - askedMs);
    };
    // Three at a time after nine answers; one at a time in a new burst.
    expect([await waitsOf(), await waitsOf(), await waitsOf()]).toEqual([0, 0, 0]);
    for (let late = 0; late < 3; late++) limiter.of("createEndpoint").ended();
    clock.advance(1_001);
    expect([await waitsOf(), await waitsOf()]).toEqual([0, 1_500]);
  });

  it("lets a last look wait for the answers of others, however little time it has", async () => {
    const { clock, limiter } = openLimiter();
    await limiter.of("getOperation").acquire();
    await expect(limiter.of("getOperation").acquire(deadlineIn(0, clock))).resolves.toBe(0);
  });

  it("spreads a burst over seconds, in the order asked", async () => {
    const sent = await sendAll(5, 10, { perSecond: 2, perMinute: 100 });
    expect(sent).toEqual([0, 10, 1000, 1010, 2000]);
  });

  it("never sends more than its minute allows in any sixty seconds", async () => {
    const sent = await sendAll(25, 10, { perSecond: 4, perMinute: 10 });
    for (const at of sent) {
      expect(sent.filter((other) => other >= at && other < at + 60_000).length).toBeLessThanOrEqual(10);
    }
    expect(sent.at(-1)).toBe(121_000);
  });
});

describe("without limits of its own, the rate limiter", () => {
  it("lets a thousand requests go at once, without an answer to any", async () => {
    expect(new Set(await sendAll(1_000, Infinity, noRateLimits))).toEqual(new Set([0]));
  });

  it("obeys a refusal, and goes on evenly after it, ever faster", async () => {
    const { clock, limiter } = openLimiter(0.5, noRateLimits);
    for (let sent = 0; sent < 100; sent++) await limiter.of("createEndpoint").acquire();
    limiter.of("createEndpoint").refused(7_000);
    const startMs = clock.monotonicMs();
    const afterMs: number[] = [];
    for (let sent = 0; sent < 3; sent++) {
      await limiter.of("createEndpoint").acquire();
      afterMs.push(Math.round(clock.monotonicMs() - startMs));
    }
    // A second of spreading on top of what the service asked for; then three tenths of a hundred a second.
    expect(afterMs).toEqual([8_000, 8_033, 8_067]);
    for (let sent = 0; sent < 2_000; sent++) await limiter.of("createEndpoint").acquire();
    expect(clock.monotonicMs() - startMs).toBeLessThan(45_000);
  });
});

describe("after a 429, the rate limiter", () => {
  it.each([
    { leftMs: 0, waitMs: 1_001 },
    { leftMs: 1, waitMs: 0 },
  ])("sends a last look a second late at most: $waitMs with $leftMs ms left", async ({ leftMs, waitMs }) => {
    const { clock, limiter } = openLimiter();
    clock.advance(5_000);
    limiter.of("getOperation").refused(1_001);
    await expect(limiter.of("getOperation").acquire(deadlineIn(leftMs, clock))).resolves.toBe(waitMs);
  });

  it("says at once that a pause outlasts the one who waits, and lets the others wait on", async () => {
    const { clock, limiter } = openLimiter();
    await limiter.of("getOperation").acquire();
    limiter.of("getOperation").refused(60_000);
    const startMs = clock.monotonicMs();
    const late = limiter.of("getOperation").acquire(deadlineIn(10_000, clock));
    const other = limiter.of("getOperation").acquire(deadlineIn(300_000, clock));
    await expect(late).resolves.toBe(60_000);
    expect(clock.monotonicMs() - startMs).toBe(0);
    await expect(other).resolves.toBe(0);
    expect(clock.monotonicMs() - startMs).toBe(60_000);
  });

  it("lets nobody wait for a day, and says how long it is", async () => {
    const { clock, limiter } = openLimiter();
    await limiter.of("listEndpoints").acquire();
    limiter.of("listEndpoints").refused(86_400_000);
    await expect(limiter.of("listEndpoints").acquire()).resolves.toBe(86_400_000);
    await expect(limiter.of("createEndpoint").acquire()).resolves.toBe(0);
    expect(clock.monotonicMs()).toBe(0);
  });

  it.each([
    { refusals: 1, leastMs: 1_000, mostMs: 3_000 },
    { refusals: 2, leastMs: 2_000, mostMs: 6_000 },
    { refusals: 6, leastMs: 15_000, mostMs: 45_000 },
  ])("spreads pauses from $leastMs to $mostMs ms for refusal $refusals in a row", async (row) => {
    for (const [chance, expectedMs] of [
      [0, row.leastMs],
      [0.5, (row.leastMs + row.mostMs) / 2],
      [1, row.mostMs],
    ] as const) {
      const { clock, limiter } = openLimiter(chance);
      let refusedAtMs = 0;
      for (let refusal = 0; refusal < row.refusals; refusal++) {
        await limiter.of("createEndpoint").acquire();
        refusedAtMs = clock.monotonicMs();
        limiter.of("createEndpoint").refused(undefined);
      }
      await limiter.of("createEndpoint").acquire();
      expect(clock.monotonicMs() - refusedAtMs).toBe(expectedMs);
    }
  });

  it("takes refusals of requests that were on their way together for one lesson", async () => {
    const { clock, limiter } = openLimiter();
    const startMs = clock.monotonicMs();
    await limiter.of("createEndpoint").acquire();
    for (let refusal = 0; refusal < 10; refusal++) limiter.of("createEndpoint").refused(undefined);
    await limiter.of("createEndpoint").acquire();
    expect(clock.monotonicMs() - startMs).toBe(1_000);
  });

  it("forgets what it has learned once it is back at all of the rate: a burst begins with one request again", async () => {
    const { clock, limiter } = openLimiter(0.5, { perSecond: 36, perMinute: 10_000 });
    const send = async (): Promise<void> => {
      await limiter.of("createEndpoint").acquire();
      limiter.of("createEndpoint").ended();
    };
    await send();
    limiter.of("createEndpoint").refused(undefined);
    // From 0.3 requests a second, each of which adds 0.05.
    for (let sent = 0; sent < 720; sent++) await send();
    clock.advance(1_001);
    await limiter.of("createEndpoint").acquire();
    const askedMs = clock.monotonicMs();
    await limiter.of("createEndpoint").acquire();
    expect(clock.monotonicMs() - askedMs).toBe(1_500);
  });

  it("goes on at three tenths of the rate, and comes back to all of it", async () => {
    const { clock, limiter } = openLimiter(0.5, { perSecond: 36, perMinute: 10_000 });
    for (let sent = 0; sent < 20; sent++) {
      await limiter.of("createEndpoint").acquire();
      limiter.of("createEndpoint").ended();
    }
    limiter.of("createEndpoint").refused(undefined);
    const sentWithin = async (ms: number): Promise<number> => {
      await limiter.of("createEndpoint").acquire();
      const endMs = clock.monotonicMs() + ms;
      let sent = 0;
      for (; clock.monotonicMs() < endMs; sent++) await limiter.of("createEndpoint").acquire();
      return sent;
    };
    expect(await sentWithin(1_000)).toBe(7);
    await sentWithin(60_000);
    expect(await sentWithin(1_000)).toBeGreaterThanOrEqual(36);
  });
});
