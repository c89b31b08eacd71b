/**
 * The values of arguments by name: programs that `pulumi import` writes use them. Text does as well.
 */

/** What `type` may be. */
export const ComputeType = {
  /** The primary of its branch. */
  ReadWrite: "read_write",
  /** A read replica. */
  ReadOnly: "read_only",
} as const;

/** What `poolerMode` may be. */
export const PoolerMode = {
  /** A connection of the pool for each transaction. */
  Transaction: "transaction",
} as const;

/** What `onInterruption` may be. */
export const InterruptionPolicy = {
  /** Says what it drops, and does it. */
  Warn: "warn",
  /** Fails the preview. */
  Forbid: "forbid",
  /** Fails the preview while the compute runs. */
  ForbidWhenActive: "forbid-when-active",
  /** Waits for the stack's `compute:interruptionWindow`; the rest is applied. */
  Defer: "defer",
} as const;
