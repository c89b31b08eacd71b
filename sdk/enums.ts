/**
 * Names for the values of arguments: programs that `pulumi import` writes use them. Plain text is valid as well.
 */

/** Values of `type`. */
export const ComputeType = {
  /** The primary of its branch. */
  ReadWrite: "read_write",
  /** A read replica. */
  ReadOnly: "read_only",
} as const;

/** Values of `poolerMode`. */
export const PoolerMode = {
  /** Each transaction uses a connection of the pool. */
  Transaction: "transaction",
} as const;

/** Values of `onInterruption`. */
export const InterruptionPolicy = {
  /** Warns and applies the change. */
  Warn: "warn",
  /** Fails the preview. */
  Forbid: "forbid",
  /** Fails the preview while the compute runs. */
  ForbidWhenActive: "forbid-when-active",
  /** Waits until the compute is idle or the stack's `compute:interruptionWindow` is open; the other changes are applied. */
  Defer: "defer",
} as const;
