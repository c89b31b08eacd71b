/**
 * The values of `--fail-on`, and the exit code of each.
 */

/** The values of `--fail-on`, with the exit code of each; if several apply, the first one counts. */
export const failureCodes = {
  delete: 20,
  replace: 21,
  move: 22,
  suspend: 23,
  restart: 24,
  /** Connections may drop, and only the update will know. */
  may: 25,
  /** Connections certainly drop: computes that are idle or disabled have none. */
  drop: 26,
  /** Something was changed or deleted outside the program. */
  drift: 27,
} as const;

/**
 * What `--fail-on` refuses: an outcome, or `may` (only the update will know whether connections drop), `drop` (they
 * certainly do) or `drift` (something was changed or deleted outside the program).
 *
 * @useDeclaredType
 */
export type FailureKind = keyof typeof failureCodes;

export const failureKinds = Object.keys(failureCodes) as readonly FailureKind[];
