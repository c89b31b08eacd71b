/**
 * The two tables of a report: what can happen to a compute, and what `--fail-on` can refuse. Order, marks, phrases and exit codes
 * follow from their rows.
 */

/** An outcome, the most serious first: the order of every report. */
interface OutcomeRow {
  /** Never used alone: the phrase next to it says the same. */
  readonly mark: string;
  /** What is said of one compute, of several, and of one for which only the update can confirm it. */
  readonly one: string;
  readonly many: string;
  readonly may?: string;
}

const rows = {
  /** The preview failed on this compute. */
  refused: { mark: "⛔", one: "has an error", many: "have errors" },
  delete: { mark: "🔴", one: "is deleted", many: "are deleted" },
  replace: { mark: "🔴", one: "is replaced", many: "are replaced", may: "may be replaced" },
  move: {
    mark: "🟠",
    one: "moves to another branch",
    many: "move to another branch",
    may: "may move to another branch",
  },
  suspend: { mark: "🟠", one: "is suspended", many: "are suspended", may: "may be suspended" },
  restart: { mark: "🟠", one: "restarts", many: "restart", may: "may restart" },
  /** Connections may drop; the service does not document whether they do. */
  interrupt: { mark: "🟡", one: "may be interrupted", many: "may be interrupted" },
  /** It was deleted outside the program. */
  gone: { mark: "🔵", one: "is gone (deleted outside)", many: "are gone (deleted outside)" },
  /** An existing compute is adopted, and gets the declared values. */
  adopt: { mark: "🟢", one: "is taken over", many: "are taken over" },
  /** It was changed outside the program, and the update does not change it. */
  drift: { mark: "🔵", one: "changed outside", many: "changed outside" },
  /** It leaves the stack and continues to run (`retainOnDelete`). */
  release: { mark: "⚪", one: "leaves the stack", many: "leave the stack" },
  /** Its interruption waits for a window, or until the compute is idle. The other changes are applied. */
  deferred: { mark: "🕓", one: "has a deferred change", many: "have a deferred change" },
  /** It changes, and connections are unaffected. */
  none: { mark: "🟢", one: "changes without interruption", many: "change without interruption" },
  create: { mark: "🟢", one: "is new", many: "are new" },
} as const satisfies Record<string, OutcomeRow>;

/** What happens to a compute: a word of the table. */
export type OutcomeName = keyof typeof rows;

export const outcomeTable: Readonly<Record<OutcomeName, OutcomeRow>> = rows;

/** What `--fail-on` refuses: an exit code, and what the change does, with `#` for the computes. If several apply, the first counts. */
export const failures = {
  delete: { code: 20, does: "deletes #" },
  replace: { code: 21, does: "replaces #" },
  move: { code: 22, does: "moves # to another branch" },
  suspend: { code: 23, does: "suspends #" },
  restart: { code: 24, does: "restarts #" },
  /** Connections may drop, and only the update will know. */
  may: { code: 25, does: "may interrupt # (only the update can tell)" },
  /** Open connections certainly drop. Idle and disabled computes have none, so they do not count. */
  drop: { code: 26, does: "drops the open connections of #" },
  /** Something was changed or deleted outside the program. */
  drift: { code: 27, does: "# changed outside" },
} as const;
