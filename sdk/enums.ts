/**
 * The values of arguments by name: programs that `pulumi import` writes use them. Text does as well.
 */

export const ComputeType = { ReadWrite: "read_write", ReadOnly: "read_only" } as const;

export const PoolerMode = { Transaction: "transaction" } as const;

export const InterruptionPolicy = {
  Warn: "warn",
  Forbid: "forbid",
  ForbidWhenActive: "forbid-when-active",
  Defer: "defer",
} as const;
