import fc from "fast-check";
import {
  decide,
  readRetryAfterMs,
  createRetryQuota,
  sendWithRetry,
  type RetryClass,
  type RetryQuota,
} from "../../../../provider/service/retry";
import type { WireOutcome, WireRequest } from "../../../../provider/service/transport";
import { createFakeClock } from "../../../support/fakeClock";
import { answer } from "./scripted";

const methods = ["GET", "POST", "PATCH", "DELETE"] as const;

describe("decide", () => {
  const safe: Readonly<Record<RetryClass, readonly WireRequest["method"][]>> = {
    done: [],
    locked: [],
    throttled: methods,
    unsent: methods,
    busy: ["GET", "PATCH", "DELETE"],
    unknown: ["GET"],
  };
  const rows = Object.entries(safe).flatMap(([retryClass, allowed]) =>
    methods.map((method) => ({
      retryClass: retryClass as RetryClass,
      method,
      repeats: allowed.includes(method),
    })),
  );

  it.each(rows)("repeats $method after $retryClass: $repeats", ({ retryClass, method, repeats }) => {
    const moment = { retryClass, method, attempt: 1, retryAfterMs: undefined, random: 0.5 };
    expect(decide(moment)).toBe(repeats ? 125 : undefined);
  });

  const throttled = { retryClass: "throttled", method: "POST" } as const;

  it.each<{ waitMs: number | undefined; reason: string; more: Partial<Parameters<typeof decide>[0]> }>([
    { waitMs: 0, more: { random: 0 }, reason: "full jitter starts at nothing" },
    { waitMs: 249.75, more: { random: 0.999 }, reason: "below the base" },
    { waitMs: 250, more: { attempt: 2 }, reason: "the bound doubles" },
    { waitMs: undefined, more: { attempt: 3 }, reason: "three attempts are all" },
    { waitMs: 5_000, more: { ...throttled, retryAfterMs: 5_000 }, reason: "what the service asks for" },
    { waitMs: 125, more: { ...throttled, retryAfterMs: 0 }, reason: "never sooner than the jitter says" },
    { waitMs: 60_000, more: { ...throttled, retryAfterMs: 60_000 }, reason: "a minute at most" },
    {
      waitMs: undefined,
      more: { ...throttled, retryAfterMs: 60_001 },
      reason: "a longer wait ends the call, whose error says when to come back",
    },
    { waitMs: 500, more: { ...throttled, attempt: 3 }, reason: "the limiter spaces refusals of a rate" },
    { waitMs: 8_000, more: { ...throttled, attempt: 7 }, reason: "nothing was done" },
    { waitMs: undefined, more: { ...throttled, attempt: 8 }, reason: "eight attempts are all" },
  ])("waits $waitMs ms with $more: $reason", ({ waitMs, more }) => {
    const moment = { retryClass: "unsent", method: "GET", attempt: 1, retryAfterMs: undefined } as const;
    expect(decide({ ...moment, random: 0.5, ...more })).toBe(waitMs);
  });
});

describe("readRetryAfterMs", () => {
  const nowMs = Date.UTC(2026, 0, 5, 8);

  it.each([
    { value: undefined, ms: undefined, reason: "absent" },
    { value: "", ms: undefined, reason: "empty" },
    { value: "1", ms: 1_000, reason: "seconds" },
    { value: " 2 ", ms: 2_000, reason: "seconds with spaces" },
    { value: "0.5", ms: 500, reason: "parts of a second" },
    { value: "0.25", ms: 250, reason: "smaller parts of a second" },
    { value: "0", ms: 0, reason: "at once" },
    { value: "-1", ms: undefined, reason: "makes no sense" },
    { value: "+3", ms: undefined, reason: "is no form of it" },
    { value: "1e12", ms: undefined, reason: "is no form of it" },
    { value: "1000000000000", ms: 1e15, reason: "read here, bounded by decide" },
    { value: "soon", ms: undefined, reason: "garbage" },
    { value: "Mon, 05 Jan 2026 08:00:10 GMT", ms: 10_000, reason: "a date" },
    { value: "Monday, 05-Jan-26 08:00:10 GMT", ms: 10_000, reason: "a date in the old form" },
    { value: "Mon, 05 Jan 2026 07:59:00 GMT", ms: undefined, reason: "a date that has passed" },
  ])("reads $value as $ms ms: $reason", ({ value, ms }) => {
    expect(readRetryAfterMs({ "retry-after": value }, nowMs)).toBe(ms);
  });

  it("compares a date with the service's own, though this machine's clock is hours off", () => {
    const headers = {
      "retry-after": "Mon, 05 Jan 2026 08:00:10 GMT",
      date: "Mon, 05 Jan 2026 08:00:00 GMT",
    };
    for (const offMs of [-3 * 3_600_000, 0, 3 * 3_600_000])
      expect(readRetryAfterMs(headers, nowMs + offMs)).toBe(10_000);
  });

  it("answers undefined or a time from 0 on, whatever the header holds", () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        const ms = readRetryAfterMs({ "retry-after": value }, nowMs);
        expect(ms === undefined || (Number.isFinite(ms) && ms >= 0)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("sendWithRetry", () => {
  /** @param outcomes - of each attempt; the last one repeats. */
  async function send(
    outcomes: readonly WireOutcome[],
    {
      method = "GET",
      quota = createRetryQuota(),
    }: { method?: WireRequest["method"]; quota?: RetryQuota } = {},
  ): Promise<{ outcome: WireOutcome; sends: number; sleeps: readonly number[] }> {
    const clock = createFakeClock();
    let sends = 0;
    const next = (): Promise<WireOutcome> =>
      Promise.resolve(outcomes[Math.min(sends++, outcomes.length - 1)]!);
    const outcome = await sendWithRetry(next, method, { clock, quota, random: () => 0.5 });
    return { outcome, sends, sleeps: clock.sleeps };
  }

  function failure(sent: "unsent" | "unknown"): WireOutcome {
    return { kind: "failure", sent, what: "no answer", transient: true, requestId: "r" };
  }

  it("sends three times, with growing waits, and hands over the last outcome", async () => {
    await expect(send([failure("unsent"), failure("unsent"), answer(503)])).resolves.toMatchObject({
      sends: 3,
      sleeps: [125, 250],
      outcome: { status: 503 },
    });
  });

  const [well, down, helped] = [[answer(200)], [answer(503)], [answer(503), answer(200)]];

  it("gives a service that is down the quota's worth of retries, then one request per call", async () => {
    const quota = createRetryQuota();
    const sends: number[] = [];
    for (let calls = 0; calls < 60; calls++) sends.push((await send(down, { quota })).sends);
    expect(sends).toEqual([...Array<number>(50).fill(3), ...Array<number>(10).fill(1)]);
  });

  it.each([
    { calls: [], sends: 2, reason: "what one retry costs is there" },
    { calls: [down], sends: 1, reason: "it is spent" },
    { calls: [[answer(429)]], sends: 2, reason: "a 429 says nothing of the service's health" },
    { calls: Array<typeof well>(20).fill(well), sends: 2, reason: "there is never more than at the start" },
    { calls: [down, well, well, well, well], sends: 1, reason: "four calls that end well are not enough" },
    { calls: [down, well, well, well, well, well], sends: 2, reason: "five calls earn it back" },
    { calls: [helped], sends: 2, reason: "a retry that helped gives back what it cost" },
  ])("sends $sends times with a quota of one retry: $reason", async ({ calls, sends }) => {
    const quota = createRetryQuota(5);
    for (const outcomes of calls) await send(outcomes, { quota });
    expect((await send(down, { quota })).sends).toBe(sends);
  });
});
