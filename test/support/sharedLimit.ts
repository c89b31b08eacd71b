/**
 * Processes that share one account's rate limit, in a time that costs nothing: each has the package's own client,
 * and knows of the others only by what the service refuses.
 */
import { createServiceClock } from "../../provider/api/answers";
import { createApi, type Api } from "../../provider/api/client";
import { createRateLimiter } from "../../provider/api/limiter";
import { createRetryQuota } from "../../provider/api/retry";
import type { Transport, WireOutcome, WireRequest } from "../../provider/api/transport";
import type { Clock } from "../../provider/clock";
import { createFakeClock } from "./fakeClock";

export interface SharedLimit {
  readonly processes: number;
  /** Computes that each process creates, and waits for. */
  readonly each: number;
  /** Creates that a process has under way at once. */
  readonly parallel: number;
  /** The processes start within this time, at moments that chance gives. */
  readonly startsWithinMs: number;
  /** From a request to its answer. */
  readonly roundTripMs: number;
  readonly seed: number;
  /** Whether the service takes a request of this route now. */
  readonly takes: (route: string, nowMs: number) => boolean;
}

export interface SharedLimitOutcome {
  /** Processes whose calls all went well. */
  readonly well: number;
  readonly requests: number;
  readonly refused: number;
  /** When each request reached the service, in the order in which they did. */
  readonly createdAtMs: readonly number[];
  readonly lastedMs: number;
}

const operationMs = 1_000;
const firstLookMs = 1_000;

export async function shareLimit(plan: SharedLimit): Promise<SharedLimitOutcome> {
  const clock = createFakeClock();
  const random = seededRandom(plan.seed);
  const seen = { requests: 0, refused: 0, createdAtMs: [] as number[] };
  const transport = serviceOf(plan, clock, seen);
  const ends = Array.from({ length: plan.processes }, async () => {
    await clock.sleep(random() * plan.startsWithinMs);
    const limiter = createRateLimiter(clock, random);
    const context = {
      transport,
      clock,
      random,
      limiter,
      quota: createRetryQuota(),
      serviceClock: createServiceClock(clock),
      redact: String,
    };
    return liveThrough(createApi(context), clock, plan);
  });
  const ended = await Promise.all(ends);
  return { ...seen, well: ended.filter(Boolean).length, lastedMs: clock.monotonicMs() };
}

/** @returns whether every call went well. */
async function liveThrough(api: Api, clock: Clock, { each, parallel }: SharedLimit): Promise<boolean> {
  let left = each;
  const work = async (): Promise<void> => {
    while (left-- > 0) {
      const { operations } = await api.createEndpoint("p", { branch_id: "br-a" });
      for (let status = "running"; status !== "finished";) {
        await clock.sleep(firstLookMs);
        ({ status } = await api.getOperation("p", operations?.[0]?.id ?? ""));
      }
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: parallel }, work));
  return ended.every(({ status }) => status === "fulfilled");
}

function serviceOf(
  { takes, roundTripMs }: SharedLimit,
  clock: Clock,
  seen: { requests: number; refused: number; createdAtMs: number[] },
): Transport {
  const answer = (request: WireRequest): { status: number; body: unknown } => {
    const nowMs = clock.monotonicMs();
    const isCreate = request.method === "POST";
    seen.requests += 1;
    if (!takes(isCreate ? "createEndpoint" : "getOperation", nowMs)) {
      seen.refused += 1;
      return { status: 429, body: undefined };
    }
    if (isCreate) seen.createdAtMs.push(nowMs);
    // An operation's id says when it began, so that nothing has to be kept.
    const beganMs = isCreate ? nowMs : Number(request.path.split("/").at(-1));
    const status = nowMs - beganMs >= operationMs ? "finished" : "running";
    const operation = { id: String(beganMs), action: "start_compute", status };
    const endpoint = { id: "ep-a", project_id: "p", branch_id: "br-a", type: "read_only" };
    return { status: 200, body: isCreate ? { endpoint, operations: [operation] } : { operation } };
  };
  return {
    close: () => Promise.resolve(),
    send: async (request): Promise<WireOutcome> => {
      await clock.sleep(roundTripMs / 2);
      const { status, body } = answer(request);
      await clock.sleep(roundTripMs / 2);
      return { kind: "answer", status, headers: {}, body, readable: true, requestId: "" };
    },
  };
}

/** Mulberry32: the same numbers in every run. */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
