/**
 * The failure of a change to a compute that exists all the same.
 */
import { messageOf } from "../errors";
import type { EndpointState } from "./state";

/**
 * The compute exists, but is not as it was asked to be. The engine keeps the id and properties, marks the
 * resource, and sends an update the next time (it shows `reasons` alone, never the message).
 */
export class PartialFailure extends Error {
  override readonly name = "PartialFailure";
  readonly reasons: readonly string[];

  constructor(
    /** The compute as it is now. */
    readonly state: EndpointState,
    cause: unknown,
  ) {
    const reason = messageOf(cause);
    super(reason, { cause });
    this.reasons = [reason];
  }
}
