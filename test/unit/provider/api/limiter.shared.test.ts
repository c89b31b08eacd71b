import { RateLimit } from "../../../../emulator/http/rateLimit";
import { defaultSwitches } from "../../../../emulator/switches";
import { asMuchAs } from "../../../support/extent";
import { shareLimit, type SharedLimit } from "../../../support/sharedLimit";

/** What the best known service publishes. */
const published = { perMinute: 700, burst: 40 };

/** Whole minutes and whole seconds, as the emulator counts them. */
function wholeWindows(): SharedLimit["takes"] {
  const limit = new RateLimit();
  const switches = {
    ...defaultSwitches,
    rateLimitPerMinute: published.perMinute,
    rateLimitBurst: published.burst,
  };
  return (route, nowMs) => {
    try {
      limit.count(route, switches, nowMs);
      return true;
    } catch {
      return false;
    }
  };
}

/** A bucket that holds a burst and fills at the rate of the minute: stricter, since a pause saves up no more. */
function tokenBucket(): SharedLimit["takes"] {
  const buckets = new Map<string, { tokens: number; atMs: number }>();
  return (route, nowMs) => {
    const { tokens, atMs } = buckets.get(route) ?? { tokens: published.burst, atMs: nowMs };
    const filled = Math.min(published.burst, tokens + ((nowMs - atMs) * published.perMinute) / 60_000);
    const isTaken = filled >= 1;
    buckets.set(route, { tokens: isTaken ? filled - 1 : filled, atMs: nowMs });
    return isTaken;
  };
}

const services = [
  { service: "whole minutes and seconds", takesOf: wholeWindows },
  { service: "a bucket of tokens", takesOf: tokenBucket },
];

describe.each(services)("where the service counts by $service", ({ takesOf }) => {
  it.each(asMuchAs({ quick: [1, 2], full: [1, 2, 3, 4, 5, 6, 7, 8] }))(
    "20 processes are refused at most 5 %%, and all end well (chance %i)",
    async (seed) => {
      const { well, refused, requests } = await shareLimit({
        processes: 20,
        each: 20,
        parallel: 8,
        startsWithinMs: 1_500,
        roundTripMs: 30,
        seed,
        takes: takesOf(),
      });
      expect(well).toBe(20);
      expect(refused / requests).toBeLessThanOrEqual(0.05);
    },
  );

  it.each([
    { roundTripMs: 300, share: 0.1 },
    { roundTripMs: 1_000, share: 0.15 },
  ])("20 processes come back from refusals, all well, where answers take $roundTripMs ms", async (row) => {
    const plan = { processes: 20, each: 20, parallel: 8, startsWithinMs: 300, seed: 1, takes: takesOf() };
    const { well, refused, requests } = await shareLimit({ ...plan, roundTripMs: row.roundTripMs });
    expect(well).toBe(20);
    expect(refused / requests).toBeLessThanOrEqual(row.share);
  });
});

const lone = { processes: 1, startsWithinMs: 0, roundTripMs: 30, seed: 1 } as const;

describe("a process that is alone", () => {
  it("creates 50 computes without a refusal, the last of them a quarter of a second after its limits would let it", async () => {
    const { createdAtMs, refused } = await shareLimit({
      ...lone,
      each: 50,
      parallel: 50,
      takes: wholeWindows(),
    });
    expect(refused).toBe(0);
    expect(createdAtMs[35]).toBeLessThan(350);
    // 36 in the first second: the 37th waits for the next one in any case.
    expect(createdAtMs[49]).toBeLessThan(1_250);
  });

  it.each([
    { ...services[0], refusedAtMost: 0 },
    { ...services[1], refusedAtMost: 0.01 },
  ])("creates 1000 at 80 % of what $service allow, or faster", async ({ takesOf, refusedAtMost }) => {
    const outcome = await shareLimit({
      ...lone,
      each: 1_000,
      parallel: 64,
      takes: (takesOf ?? tokenBucket)(),
    });
    const allowedMs = ((1_000 - published.burst) / published.perMinute) * 60_000;
    expect(outcome.refused / outcome.requests).toBeLessThanOrEqual(refusedAtMost);
    expect(outcome.lastedMs).toBeLessThan(allowedMs / 0.8);
  });
});
