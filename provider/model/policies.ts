/**
 * What a change that drops open connections does to a run. Pure.
 */

/**
 * From the least strict to the strictest: `defer` waits with each interruption until the compute is idle or a window opens;
 * with `forbid-when-active` no open connection is ever dropped; with `forbid` nothing is interrupted at all.
 */
export const policies = ["warn", "defer", "forbid-when-active", "forbid"] as const;

export type InterruptionPolicy = (typeof policies)[number];
