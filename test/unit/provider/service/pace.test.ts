import { deadlineIn } from "../../../../provider/clock";
import { createRateLimiter } from "../../../../provider/service/limiter";
import type { RequestError, RequestErrorKind } from "../../../../provider/model/errors";
import { createRetryQuota, waitBefore } from "../../../../provider/service/retry";
import type { WireResult } from "../../../../provider/service/transport";
import { noRateLimits } from "../../../../provider/settings/table";
import { createFakeClock } from "../../../support/fakeClock";
import { answer, clientWith, failureAs } from "./scripted";

type How = Partial<Parameters<typeof waitBefore>[1] & ConstructorParameters<typeof RequestError>[1]>;

/** How long a request waits after such a failure, before its next attempt. */
function waitAfter(kind: RequestErrorKind, how: How = {}): number | undefined {
  const { method = "GET", attempt = 1, random = 0.5, ...facts } = how;
  return waitBefore(failureAs(kind, facts), { method, attempt, random });
}

describe("a failure", () => {
  it.each<[waitMs: number | undefined, reason: string, kind: RequestErrorKind, how: How]>([
    [125, "it was not sent", "connection", { method: "POST", outcome: "unsent", transient: true }],
    [undefined, "a retry does not help", "connection", { outcome: "unsent" }],
    [
      undefined,
      "it may have been sent",
      "connection",
      { method: "PATCH", outcome: "unknown", transient: true },
    ],
    [undefined, "the limiter delays it", "throttled", { outcome: "unsent", transient: true }],
    [250, "the upper bound doubles", "broken", { attempt: 2 }],
    [125, "never sooner than the jitter says", "throttled", { method: "POST", retryAfterMs: 0 }],
    [60_000, "a minute at most", "throttled", { retryAfterMs: 60_000 }],
    [
      undefined,
      "a longer wait ends the call, and the error says when",
      "throttled",
      { retryAfterMs: 60_001 },
    ],
    [500, "the limiter spaces requests after a 429", "throttled", { attempt: 3 }],
  ])("makes a request wait %p ms before the next attempt: %s", (...[waitMs, , kind, how]) => {
    expect(waitAfter(kind, how)).toBe(waitMs);
  });
});

describe("the quota of retries", () => {
  /** @param outcomes - the outcome of each attempt of a GET; the last one repeats. @returns how often the GET was sent. */
  async function sendsOf(outcomes: readonly WireResult[], quota = createRetryQuota()): Promise<number> {
    const { api, sends } = clientWith(quota, outcomes);
    await api.listEndpoints("p").catch(() => undefined);
    return sends();
  }

  const well = answer(200, { body: { endpoints: [] } });
  const [good, down, helped] = [[well], [answer(503)], [answer(503), well]];

  it("is spent on a service that is down; then each call sends one request", async () => {
    const quota = createRetryQuota();
    const sends: number[] = [];
    for (let calls = 0; calls < 60; calls++) sends.push(await sendsOf(down, quota));
    expect(sends).toEqual([...Array<number>(50).fill(3), ...Array<number>(10).fill(1)]);
  });

  it.each([
    { calls: [], sends: 2, reason: "the quota covers one retry" },
    { calls: [down], sends: 1, reason: "the quota is spent" },
    { calls: [[answer(429)]], sends: 2, reason: "a 429 says nothing about the service's health" },
    {
      calls: Array<typeof good>(20).fill(good),
      sends: 2,
      reason: "successes do not raise it above the start",
    },
    { calls: [down, good, good, good, good], sends: 1, reason: "four successful calls are not enough" },
    { calls: [down, good, good, good, good, good], sends: 2, reason: "five successful calls earn it back" },
    { calls: [helped], sends: 2, reason: "a successful retry gives back what it cost" },
  ])("sends $sends times with a quota of one retry: $reason", async ({ calls, sends }) => {
    const quota = createRetryQuota(5);
    for (const outcomes of calls) await sendsOf(outcomes, quota);
    expect(await sendsOf(down, quota)).toBe(sends);
  });
});

/** A route of the limiter. @param chance - replaces the random numbers. */
function openRoute(chance = 0, limits?: Parameters<typeof createRateLimiter>[2]) {
  const clock = createFakeClock();
  const limiter = createRateLimiter(clock, () => chance, limits);
  const route = limiter.of("createEndpoint");
  /** Sends these requests one after the other, each answered at once. @returns when the last went out. */
  const send = async (count = 1): Promise<number> => {
    for (let sent = 0; sent < count; sent++) {
      await route.acquire();
      route.ended();
    }
    return Math.round(clock.monotonicMs());
  };
  return { clock, limiter, route, send };
}

/** Asks to send all at once. @param answerMs - how long an answer takes. @returns when each was sent, in milliseconds. */
async function sendAll(count: number, answerMs: number, limits?: Parameters<typeof openRoute>[1]) {
  const { clock, route } = openRoute(0, limits);
  const sent: number[] = [];
  const send = async (): Promise<void> => {
    await route.acquire();
    sent.push(Math.round(clock.monotonicMs()));
    if (answerMs === Infinity) return;
    await clock.sleep(answerMs);
    route.ended();
  };
  await Promise.all(Array.from({ length: count }, send));
  return sent;
}

describe("the rate limiter", () => {
  it("begins a burst with one request, and allows as many at once as the square root of the number of answers", async () => {
    expect(await sendAll(11, 10)).toEqual([0, 10, 20, 20, 30, 30, 40, 40, 40, 50, 50]);
    expect((await sendAll(36, 10)).at(-1)).toBeLessThanOrEqual(110);
  });

  it("spreads requests over seconds and minutes, in the order in which they were asked for", async () => {
    const inSeconds = await sendAll(5, 10, { perSecond: 2, perMinute: 100 });
    expect(inSeconds).toEqual([0, 10, 1_000, 1_010, 2_000]);
    const inMinutes = await sendAll(25, 10, { perSecond: 4, perMinute: 10 });
    for (const at of inMinutes)
      expect(inMinutes.filter((other) => other >= at && other < at + 60_000).length).toBeLessThanOrEqual(10);
    expect(inMinutes.at(-1)).toBe(121_000);
  });

  it("sends a thousand requests at once if no limit is set, but still obeys a refusal", async () => {
    expect(new Set(await sendAll(1_000, Infinity, noRateLimits))).toEqual(new Set([0]));
    const { route, send } = openRoute(0.5, noRateLimits);
    await send(100);
    route.refused(7_000);
    // One second is added to the pause that the service asked for. Then the rate starts at 30 a second (0.3 of 100), and grows.
    expect([await send(), await send(), await send()]).toEqual([8_000, 8_033, 8_067]);
    expect(await send(2_000)).toBeLessThan(45_000);
  });
});

describe("after a 429, the rate limiter", () => {
  it.each([
    {
      pauseMs: 1_001,
      leftMs: 0,
      waitMs: 1_001,
      reason: "a pause delays the caller's last poll by at most a second",
    },
    { pauseMs: 1_001, leftMs: 1, waitMs: 0, reason: "the pause ends in time" },
    { pauseMs: 60_000, leftMs: 10_000, waitMs: 60_000, reason: "the pause outlasts the caller" },
    { pauseMs: 60_000, leftMs: 300_000, waitMs: 0, reason: "the caller outlasts the pause" },
    { pauseMs: 86_400_000, waitMs: 86_400_000, reason: "no caller waits for a day" },
    { pauseMs: 60_000, leftMs: 300_000, isInterrupted: true, waitMs: 60_000, reason: "one Ctrl-C" },
  ])(
    "returns 0 after the pause, or the pause's length at once: $waitMs for $pauseMs ms, $reason",
    async ({ pauseMs, leftMs, waitMs, ...row }) => {
      const { clock, limiter, route } = openRoute();
      clock.advance(7_000);
      route.refused(pauseMs);
      const interruption = new AbortController();
      const taken = route.acquire(
        leftMs === undefined ? undefined : deadlineIn(leftMs, clock, interruption.signal),
      );
      if (row.isInterrupted === true) interruption.abort();
      limiter.wake();
      await expect(taken).resolves.toBe(waitMs);
      // A wait that is too long is reported at once, and no other route waits.
      expect(clock.monotonicMs() - 7_000).toBe(waitMs === 0 ? pauseMs : 0);
      await expect(limiter.of("listEndpoints").acquire()).resolves.toBe(0);
    },
  );

  it.each([
    { refusals: 1, leastMs: 1_000, mostMs: 3_000 },
    { refusals: 6, leastMs: 15_000, mostMs: 45_000 },
  ])("spreads pauses from $leastMs to $mostMs ms for refusal $refusals in a row", async (row) => {
    for (const [chance, pauseMs] of [
      [0, row.leastMs],
      [0.5, (row.leastMs + row.mostMs) / 2],
      [1, row.mostMs],
    ] as const) {
      const { clock, route } = openRoute(chance);
      let refusedAtMs = 0;
      for (let refusal = 0; refusal < row.refusals; refusal++) {
        await route.acquire();
        refusedAtMs = clock.monotonicMs();
        route.refused(undefined);
      }
      await route.acquire();
      expect(clock.monotonicMs() - refusedAtMs).toBe(pauseMs);
    }
  });

  it("counts refusals of requests that were on their way together as one", async () => {
    const { route, send } = openRoute();
    await send();
    for (let refusal = 0; refusal < 10; refusal++) route.refused(undefined);
    expect(await send()).toBe(1_000);
  });
});
