/**
 * The loop for writes that must not happen twice: send, check the result, and send again only if the write was not
 * done. "Not done" is certain only once the service's Retry-After has passed as well.
 *
 * Three loops may repeat a write, each for its own reason. This loop repeats it after an unknown outcome, and sends it at most
 * `maxTries` times. Inside one send, `writePermits.ts` repeats a write that a lock has refused, and `retry.ts` repeats it after an
 * answer that says that nothing was done.
 */
import type { Deadline } from "../clock";
import { RequestError } from "../model/errors";
import { longestRequestMs, maxTries } from "../model/timing";

/** The result of checking a write whose outcome is unknown. A failed check cannot tell. */
export type WriteResult<T> = { readonly done: T } | "not done" | "cannot tell";

interface CheckedWrite<T> {
  /** When the call of the engine must be over: nothing is sent again after that. */
  readonly deadline: Deadline;
  readonly send: () => Promise<T>;
  /** Checks the result of the last send. */
  readonly checkResult: (error: RequestError) => Promise<WriteResult<T>>;
  /** True for a failure after which the write may have been done; by default, if its outcome is unknown. */
  readonly isUncertain?: (error: RequestError) => boolean;
  /** Whether the write may be sent again after "not done". */
  readonly mayRepeat: (error: RequestError) => boolean;
  /** The error if the outcome stays unknown. */
  readonly unknownOutcome: (error: RequestError) => unknown;
  /** The error if the write was certainly refused. */
  readonly refusal: (error: unknown) => Promise<unknown>;
}

export async function writeOnce<T>(write: CheckedWrite<T>): Promise<T> {
  const { deadline, isUncertain = ({ outcome }) => outcome === "unknown", mayRepeat } = write;
  let lost: RequestError | undefined;
  for (let sends = 1; ; sends++) {
    try {
      return await write.send();
    } catch (failure) {
      // A send that never left this machine says nothing about the send before it.
      const isUnsent = failure instanceof RequestError && failure.outcome === "unsent";
      const error = isUnsent ? (lost ?? failure) : failure;
      if (!(error instanceof RequestError) || !isUncertain(error)) throw await write.refusal(error);
      lost = error;
      const failedAtMs = deadline.elapsedMs();
      // Check at once, and again after the time that the service asked for: the service may still carry the write out until
      // then.
      for (let restMs = Infinity; restMs > 0;) {
        const seen = await write.checkResult(error);
        if (typeof seen === "object") return seen.done;
        const mayGoOn = seen === "not done" && sends < maxTries && deadline.leftMs() > 0;
        restMs = (error.retryAfterMs ?? 0) - (deadline.elapsedMs() - failedAtMs);
        const isTooLong = restMs > Math.min(longestRequestMs, deadline.leftMs());
        if (!mayGoOn || isTooLong || !mayRepeat(error)) throw await write.unknownOutcome(error);
        if (restMs > 0) await deadline.wait(restMs);
      }
    }
  }
}
