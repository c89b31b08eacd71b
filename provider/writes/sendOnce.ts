/**
 * The one loop for writes that must not happen twice: send, look what became of it, and send again only where the look
 * shows that it was not done.
 */
import type { Deadline } from "../clock";
import { RequestError } from "../errors";
import { maxSends } from "../timing";

/** What a look shows of a write whose outcome is not certain. A look that failed shows nothing. */
export type WriteResult<T> = { readonly done: T } | "not done" | "cannot tell";

export interface CheckedWrite<T> {
  /** When the call of the engine must be over: nothing is sent again after that. */
  readonly deadline: Deadline;
  readonly send: () => Promise<T>;
  /** Looks what became of the last send. */
  readonly look: (error: RequestError) => Promise<WriteResult<T>>;
  /** True for a failure that leaves open whether the write was done; by default one with an unknown outcome. */
  readonly isUncertain?: (error: RequestError, sends: number) => boolean;
  /** Whether it may be sent again after "not done"; by default always. */
  readonly mayRepeat?: (error: RequestError) => boolean;
  /** The error of a write whose outcome stays unknown. */
  readonly unknownOutcome: (error: RequestError) => unknown;
  /** The error of a write that was refused for sure. */
  readonly refusal: (error: unknown) => Promise<unknown>;
}

export async function sendOnce<T>(write: CheckedWrite<T>): Promise<T> {
  const { deadline, isUncertain = hasUnknownOutcome, mayRepeat = () => true } = write;
  for (let sends = 1; ; sends++) {
    try {
      return await write.send();
    } catch (error) {
      if (!(error instanceof RequestError) || !isUncertain(error, sends)) throw await write.refusal(error);
      const seen = await write.look(error);
      if (typeof seen === "object") return seen.done;
      const mayGoOn = seen === "not done" && sends < maxSends && deadline.leftMs() > 0;
      if (!mayGoOn || !mayRepeat(error)) throw await write.unknownOutcome(error);
    }
  }
}

function hasUnknownOutcome({ outcome }: RequestError): boolean {
  return outcome === "unknown";
}
