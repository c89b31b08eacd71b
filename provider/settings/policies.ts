/**
 * What a change that drops open connections does to a run. Pure.
 */

/**
 * From the least strict to the strictest: `when-idle` waits with each interruption until the compute is idle or a window
 * opens, `defer` until a window opens; with `forbid-when-active` no open connection is ever dropped; with `forbid`
 * nothing is interrupted at all. What `defer` applies, `when-idle` applies too.
 */
export const policies = ["warn", "when-idle", "defer", "forbid-when-active", "forbid"] as const;

export type InterruptionPolicy = (typeof policies)[number];
