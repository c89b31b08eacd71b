/**
 * All waits, time limits and counts, each with its reason. Values whose names end in `Ms` are in milliseconds. Limits of a
 * single request are in `service/transport.ts`, and the rates of requests in `service/limiter.ts`.
 */

const secondMs = 1_000;
const minuteMs = 60 * secondMs;

/** Time limits for the service if `timeouts` is not set, in seconds. */
export const defaultTimeouts = { create: 600, update: 600, delete: 300 } as const;

/**
 * How many times a write is sent, or how many reads may fail in a row, before the call fails: a service that restarts must not
 * fail a deployment. Before a write is sent again, the result of the last send is checked.
 */
export const maxTries = 3;

/** Time limit of one request, and the longest accepted Retry-After: a longer Retry-After ends the call. */
export const longestRequestMs = minuteMs;

/** The last read of a wait is sent when the time of the wait is over, and may take this long. */
export const lastAnswerMs = 5 * secondMs;

/** Pause between two lists before a compute counts as gone, or a deletion as not done: a list may lag for a moment. */
export const secondListMs = 500;

/**
 * How old a compute must be before lists that do not show it prove that it is gone. A list may lag behind the service's writes,
 * because of a cache or a replica in front of it, and a compute that wrongly counts as gone is created a second time. This age
 * is longer than such a lag, but short enough for users who really deleted a compute that was just created.
 */
export const listsProveAbsenceAfterMs = 30 * secondMs;

/** Waits before each search for a compute that a create without an answer may have made: 15 s in all. */
export const createShowsAfterMs = [500, 1_000, 2_000, 4_000, 7_500] as const;

/** Maximum age of a replica that a message names because an unanswered create of an earlier run may have made it. */
export const recentMs = 10 * minuteMs;

/**
 * How long a program may take to declare its other resources before the resource of a pending create counts as not declared.
 */
export const declaredWithinMs = 1_000;

/** Waits before each read while the service does not show our write yet, for example after an update without an answer. */
export const writeShowsAfterMs = [500, 1_500, 3_000] as const;

/**
 * Largest difference between two clocks of one service: the clock that dates its answers, and the clock that dates its
 * computes. Both may state whole seconds only.
 */
export const serviceClocksDifferMs = 3 * secondMs;

/** Largest difference between the clocks of this machine and of a service that does not state its time. */
export const clocksDifferMs = 5 * minuteMs;

/** How long a list is reused for later reads. */
export const listServesMs = 2 * secondMs;

/** How long a list is reused to record what existed before a create. */
export const listServesCreatesMs = 1_000;

/** How long a list waits for other reads to join it. */
export const listJoinMs = 5;

/** Time limit for the read of a compute in a refresh. */
export const readLimitMs = 2 * minuteMs;

/** Time limit of a preview's read: a long list through a gateway, or a full rate limit, takes some seconds. */
export const previewReadMs = 10 * secondMs;

/**
 * After a project's list has failed, previews do not list the project again for this long: they check one compute after the
 * other, and each check would wait for a list.
 */
export const previewReadsAgainMs = 30 * secondMs;

/**
 * Waits between reads of an operation. A read comes sooner if another wait of the project is due. Many operations take
 * less than a second; for long ones the wait rises to the 5 s that interface 4.7 suggests.
 */
const operationPollMs = [500, 500, 1_000, 2_250, 4_250] as const;
const longestPollMs = 5 * secondMs;

/** The wait before the next read of an operation, after this many reads. */
export function operationPollAfter(reads: number): number {
  return operationPollMs[reads] ?? longestPollMs;
}

/** Wait before an operation is read again after a failed read; twice as long after the second failure. */
export const failedReadMs = 1_000;

/**
 * Once a run has awaited more than `fewOperations` operations of a project at once, its reads of them are at least
 * `sharedPollMs` apart: one list then serves many waits.
 */
export const fewOperations = 10;
export const sharedPollMs = 1_000;

/**
 * What a client needs to connect again once its compute is active. The reported maximum downtime of a restart includes this
 * time, so that it covers the whole gap that a client sees. On Postgres on one machine it took up to 0.08 s; a distant client
 * needs longer.
 */
export const connectsAgainMs = 250;

/** A wait that takes longer than this reports itself once, with a message that stays. */
export const longWaitMs = minuteMs;

/** Waits between reads of a locked project's operations. After the last one, about 20 s in all, the write is tried again. */
export const lockPollMs = [300, 300, 500, 1_000, 2_000, 5_000, 5_000, 5_000] as const;

/** If one of a project's first writes is not answered within this time, the others are sent as well. */
export const probeAnswersWithinMs = 5 * secondMs;

/** A write that is refused more often than this (by 409, or by 423 while no operation runs) is not waiting for a lock. */
export const lockRefusalsAllowed = 5;

/** Time limit for Pulumi's backend to say which creates of the stack are pending: usually it takes less than a second. */
export const backendAnswersWithinMs = 5 * secondMs;

/**
 * Interval between checks of the engine's address, time limit of a check, and refusals in a row after which the
 * engine counts as gone. Windows tries a closed port several times, for about two seconds.
 */
export const engineWatch = { everyMs: 2 * secondMs, answerMs: 10 * secondMs, refusalsMeanGone: 2 } as const;

/** A timestamp of the service in milliseconds; NaN if there is none. */
export function timeOf(text: string | null | undefined): number {
  return Date.parse(text ?? "");
}

/** `90 min`, `3 h`: a duration, for people. */
export function spanText(minutes: number): string {
  return minutes < 120 ? `${Math.round(minutes)} min` : `${Math.round(minutes / 60)} h`;
}
