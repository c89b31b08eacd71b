/**
 * The failure of a change to a compute that exists.
 */
import { messageOf } from "../errors";
import type { EndpointState } from "./state";

/**
 * The compute exists, but does not match the declaration. The engine keeps the id and properties, marks the resource,
 * and sends an update the next time (it shows only `reasons`, never the message).
 */
export class PartialFailure extends Error {
  override readonly name = "PartialFailure";
  readonly reasons: readonly string[];

  constructor(
    /** The current state of the compute. */
    readonly state: EndpointState,
    cause: unknown,
  ) {
    const reason = messageOf(cause);
    super(reason, { cause });
    this.reasons = [reason];
  }
}
