/** A client without a socket, whose requests end as a test lists. */
import { createApi, type Api } from "../../../../provider/service/client";
import type { RateLimiter } from "../../../../provider/service/limiter";
import { createRetryQuota } from "../../../../provider/service/retry";
import type { Transport, WireResult, WireRequest } from "../../../../provider/service/transport";
import { RequestError, type RequestErrorKind } from "../../../../provider/model/errors";
import { createFakeClock, type FakeClock } from "../../../support/fakeClock";

/** The client's API key. */
export const secret = "s3cret";

export type Answer = Extract<WireResult, { kind: "answer" }>;

export function answer(status: number, more: Partial<Answer> = {}): WireResult {
  return { kind: "answer", status, headers: {}, body: {}, readable: true, requestId: "req-ours", ...more };
}

/** The error of a failed request of this kind. */
export function failureAs(
  kind: RequestErrorKind,
  facts: Partial<ConstructorParameters<typeof RequestError>[1]> = {},
): RequestError {
  const problem = { doing: "trying", what: "it failed", fix: "Try again" };
  return new RequestError(problem, { outcome: "not done", ...facts, kind });
}

export interface Client {
  readonly api: Api;
  /** What happened, in order: `acquire listEndpoints`, `send`, `ended listEndpoints`, `refused listEndpoints 7000`. */
  readonly log: string[];
  /** How many requests were sent. */
  readonly sends: () => number;
  /** The requests, as they were sent. */
  readonly sent: WireRequest[];
  readonly clock: FakeClock;
}

export async function failureOf(request: Promise<unknown>): Promise<RequestError> {
  return request.then(
    () => {
      throw new Error("it did not fail");
    },
    (error: unknown) => error as RequestError,
  );
}

/** @param outcomes - the outcome of each request; the last one repeats. */
export function clientOf(...outcomes: readonly WireResult[]): Client {
  return clientWith(createRetryQuota(), outcomes);
}

export function clientWith(
  quota: ReturnType<typeof createRetryQuota>,
  outcomes: readonly WireResult[],
): Client {
  const log: string[] = [];
  const sent: WireRequest[] = [];
  const clock = createFakeClock();
  const transport: Pick<Transport, "send"> = {
    send: ({ method, path, body }) => {
      log.push("send");
      sent.push({ method, path, ...(body === undefined ? {} : { body }) });
      return Promise.resolve(outcomes[Math.min(sent.length, outcomes.length) - 1]!);
    },
  };
  const limiter: RateLimiter = {
    wake: () => undefined,
    of: (route) => ({
      wake: () => undefined,
      acquire: async () => {
        await Promise.resolve();
        log.push(`acquire ${route}`);
        return 0;
      },
      ended: () => {
        log.push(`ended ${route}`);
      },
      refused: (retryAfterMs) => {
        log.push(`refused ${route} ${retryAfterMs}`);
      },
    }),
  };
  const api = createApi({
    transport: transport as Transport,
    limiter,
    clock,
    random: () => 0,
    quota,
    redact: (text) => text.replaceAll(secret, "[redacted]"),
  });
  return { api, log, sent, clock, sends: () => sent.length };
}
