import { createRateLimiter } from "../../../../provider/api/limiter";
import { deadlineIn } from "../../../../provider/clock";
import { createFakeClock } from "../../../support/fakeClock";

/** Sends `count` requests of a route and says when each went out, in milliseconds from the start. */
async function sendAll(count: number, limits?: { perSecond: number; perMinute: number }): Promise<number[]> {
  const clock = createFakeClock();
  const limiter = createRateLimiter(clock, () => 0, limits);
  const startMs = clock.monotonicMs();
  const sent: number[] = [];
  await Promise.all(
    Array.from({ length: count }, () =>
      limiter.acquire("createEndpoint").then(() => sent.push(Math.round(clock.monotonicMs() - startMs))),
    ),
  );
  return sent;
}

describe("the rate limiter", () => {
  it("begins a burst gently, and ever faster", async () => {
    expect(await sendAll(5)).toEqual([0, 100, 150, 183, 208]);
  });

  it("lets a burst of 36 go within half a second", async () => {
    expect((await sendAll(36)).at(-1)).toBeLessThan(500);
  });

  it("spreads a burst over seconds, in the order asked", async () => {
    expect(await sendAll(5, { perSecond: 2, perMinute: 100 })).toEqual([0, 100, 1000, 1100, 2000]);
  });

  it("never sends more than its minute allows in any sixty seconds", async () => {
    const sent = await sendAll(25, { perSecond: 4, perMinute: 10 });
    for (const at of sent) {
      expect(sent.filter((other) => other >= at && other < at + 60_000).length).toBeLessThanOrEqual(10);
    }
    expect(sent.at(-1)).toBe(121_000);
  });

  it("keeps routes apart: a create never waits behind polls", async () => {
    const clock = createFakeClock();
    const limiter = createRateLimiter(clock, () => 0, { perSecond: 1, perMinute: 100 });
    await limiter.acquire("getOperation");
    void limiter.acquire("getOperation");
    await limiter.acquire("createEndpoint");
    expect(clock.monotonicMs()).toBe(createFakeClock().monotonicMs());
  });
});

describe("after a 429, the rate limiter", () => {
  it("says at once that a pause outlasts the one who waits, and lets the others wait on", async () => {
    const clock = createFakeClock();
    const limiter = createRateLimiter(clock, () => 0);
    await limiter.acquire("getOperation");
    limiter.refused("getOperation", 60_000);
    const startMs = clock.monotonicMs();
    const late = limiter.acquire("getOperation", deadlineIn(10_000, clock));
    const other = limiter.acquire("getOperation", deadlineIn(300_000, clock));
    await expect(late).resolves.toBe(false);
    expect(clock.monotonicMs() - startMs).toBe(0);
    await expect(other).resolves.toBe(true);
    expect(clock.monotonicMs() - startMs).toBe(60_000);
  });

  it.each([
    { reason: "as long as the service says", retryAfterMs: 7_000, pausesMs: [7_000] },
    {
      reason: "twice as long with each refusal where it says nothing",
      retryAfterMs: undefined,
      pausesMs: [1_000, 2_000, 4_000],
    },
    { reason: "for a minute where the service says a day", retryAfterMs: 86_400_000, pausesMs: [60_000] },
  ])("pauses at least $reason", async ({ retryAfterMs, pausesMs }) => {
    const clock = createFakeClock();
    const limiter = createRateLimiter(clock, () => 0);
    await limiter.acquire("createEndpoint");
    for (const pauseMs of pausesMs) {
      const refusedAtMs = clock.monotonicMs();
      limiter.refused("createEndpoint", retryAfterMs);
      await limiter.acquire("createEndpoint");
      expect(clock.monotonicMs() - refusedAtMs).toBe(pauseMs);
    }
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
      const clock = createFakeClock();
      const limiter = createRateLimiter(clock, () => chance);
      let refusedAtMs = 0;
      for (let refusal = 0; refusal < row.refusals; refusal++) {
        await limiter.acquire("createEndpoint");
        refusedAtMs = clock.monotonicMs();
        limiter.refused("createEndpoint", undefined);
      }
      await limiter.acquire("createEndpoint");
      expect(clock.monotonicMs() - refusedAtMs).toBe(expectedMs);
    }
  });

  it("takes refusals of requests that were on their way together for one lesson", async () => {
    const clock = createFakeClock();
    const limiter = createRateLimiter(clock, () => 0);
    const startMs = clock.monotonicMs();
    await limiter.acquire("createEndpoint");
    for (let refusal = 0; refusal < 10; refusal++) limiter.refused("createEndpoint", undefined);
    await limiter.acquire("createEndpoint");
    expect(clock.monotonicMs() - startMs).toBe(1_000);
  });

  it("goes on at three tenths of the rate, and comes back to all of it", async () => {
    const clock = createFakeClock();
    const limiter = createRateLimiter(clock, () => 0.5, { perSecond: 36, perMinute: 10_000 });
    for (let sent = 0; sent < 20; sent++) await limiter.acquire("createEndpoint");
    limiter.refused("createEndpoint", undefined);
    const sentWithin = async (ms: number): Promise<number> => {
      await limiter.acquire("createEndpoint");
      const endMs = clock.monotonicMs() + ms;
      let sent = 0;
      for (; clock.monotonicMs() < endMs; sent++) await limiter.acquire("createEndpoint");
      return sent;
    };
    expect(await sentWithin(1_000)).toBe(7);
    await sentWithin(60_000);
    expect(await sentWithin(1_000)).toBeGreaterThanOrEqual(36);
  });
});
