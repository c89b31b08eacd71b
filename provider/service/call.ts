/**
 * One call of the service: what it asks, until when, what its row shows, and for a write, whose turn it is.
 */
import type { Deadline } from "../clock";
import type { WireRequest } from "./transport";

export interface CallOptions {
  /** When the caller stops waiting for the answer; undefined if nobody waits. */
  readonly deadline?: Deadline | undefined;
  /** Called for each retry, for the row of the resource. */
  readonly onRetry?: ((attempt: number, waitMs: number) => void) | undefined;
  /** Called before a write is sent again that the service may have carried out, whatever a gateway said. */
  readonly onDoubt?: (() => void) | undefined;
  /** Of a write: its turn in the project. */
  readonly turn?: WriteTurn | undefined;
}

/** The turn of one write in its project. */
export interface WriteTurn {
  readonly permit: WritePermit;
  readonly deadline: Deadline;
  /** Called after a conflict: true if the cause is not a lock, so that waiting does not help. */
  readonly isTaken?: (() => Promise<boolean>) | undefined;
}

/** The permission to send a write: until its answer, or in a locked project until its operations have ended. */
export interface WritePermit {
  /** Sends a write. If the project is locked, waits until it is not, and sends it again. */
  send<T>(request: () => Promise<T>, how: Omit<WriteTurn, "permit">): Promise<T>;
  /** Call it when the operations of the write have ended, successfully or not: the next write may be sent. */
  end(): void;
}

/** A request, and what it is for. */
export interface ServiceRequest extends WireRequest {
  /** Name of the route, for the rate limit. */
  readonly route: string;
  /** The action, as errors name it. */
  readonly doing: string;
  /** Of a write: what lists that were sent before it do not show; undefined for a create. */
  readonly changes?: ComputeScope;
}

/** The computes of a project, or one of them. */
export interface ComputeScope {
  readonly projectId: string;
  readonly endpointId?: string | undefined;
}
