import { createRateLimiter } from "../../../../provider/api/limiter";
import { createFakeClock } from "../../../support/fakeClock";

/** Sends `count` requests of a route and says when each went out, in milliseconds from the start. */
async function sendAll(count: number, limits: { perSecond: number; perMinute: number }): Promise<number[]> {
  const clock = createFakeClock();
  const limiter = createRateLimiter(clock, () => 0, limits);
  const startMs = clock.monotonicMs();
  const sent: number[] = [];
  await Promise.all(
    Array.from({ length: count }, () =>
      limiter.acquire("createEndpoint").then(() => sent.push(clock.monotonicMs() - startMs)),
    ),
  );
  return sent;
}

describe("the rate limiter", () => {
  it("lets requests below the limits go at once", async () => {
    expect(await sendAll(3, { perSecond: 5, perMinute: 100 })).toEqual([0, 0, 0]);
  });

  it("spreads a burst over seconds, in the order asked", async () => {
    expect(await sendAll(5, { perSecond: 2, perMinute: 100 })).toEqual([0, 0, 1000, 1000, 2000]);
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

  it.each([
    { reason: "as long as the service says", retryAfterMs: 7_000, pausesMs: [7_000] },
    {
      reason: "twice as long with each refusal where it says nothing",
      retryAfterMs: undefined,
      pausesMs: [1_000, 2_000, 4_000],
    },
  ])("pauses $reason", async ({ retryAfterMs, pausesMs }) => {
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

  it("takes refusals of requests that were on their way together for one lesson", async () => {
    const clock = createFakeClock();
    const limiter = createRateLimiter(clock, () => 0);
    const startMs = clock.monotonicMs();
    await limiter.acquire("createEndpoint");
    for (let refusal = 0; refusal < 10; refusal++) limiter.refused("createEndpoint", undefined);
    await limiter.acquire("createEndpoint");
    expect(clock.monotonicMs() - startMs).toBe(1_000);
  });
});
