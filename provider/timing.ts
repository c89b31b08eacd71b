/**
 * All waits and limits of time or number, each with its reason. In milliseconds if the name ends in `Ms`. Limits of a
 * single request are in `api/transport.ts`, and the rates of requests in `api/limiter.ts`.
 */

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const dayMs = 24 * 60 * minuteMs;

/** Time limits for the service if `timeouts` is not set, in seconds. */
export const defaultTimeouts = { create: 600, update: 600, delete: 300 } as const;

/** How often one call of the engine sends a write; each time but the first, it checks what the last one did. */
export const maxSends = 3;

/** Time limit of one request. */
export const longestRequestMs = minuteMs;

/** Longest accepted Retry-After: a longer one ends the call. */
export const longestRetryAfterMs = minuteMs;

/** The last read of a wait is sent when its time is over, and may take this long. */
export const lastAnswerMs = 5 * secondMs;

/** Between the two lists after which a missing compute counts as gone: a list may lag for a moment. */
export const secondListMs = 500;

/**
 * Minimum age of a compute before lists that do not show it prove that it is gone. A list may lag behind the
 * service's writes, because of a cache or a replica in front of it, and a compute that wrongly counts as gone is
 * created a second time. It is longer than such a lag, but short enough for users who really deleted a compute that
 * was just created.
 */
export const listsProveAbsenceAfterMs = 30 * secondMs;

/** Waits between reads of a list that does not show our change yet. */
export const changeShowsAfterMs = [300, 700, 1_500] as const;

/** Waits before each search for the compute of a create without an answer: it sees what lists show within 15 s. */
export const createShowsAfterMs = [500, 1_000, 2_000, 4_000, 7_500] as const;

/** Waits before each check of an update without an answer. */
export const updateShowsAfterMs = [500, 1_500, 3_000] as const;

/** Waits before each check of a restart without an answer. */
export const restartShowsAfterMs = [500, 1_500, 3_000] as const;

/** Wait before the check of a deletion without an answer. */
export const deletionShowsAfterMs = secondMs;

/**
 * Largest difference between clocks of one service: one stamps its answers, another its computes, both in whole
 * seconds.
 */
export const serviceClocksDifferMs = 3 * secondMs;

/** Largest difference between this machine's clock and a service that does not state its time. */
export const clocksDifferMs = 5 * minuteMs;

/** How long a list is reused for later reads. */
export const listServesMs = 2 * secondMs;

/** How long a list is reused for the record of what was there before a create. */
export const listServesCreatesMs = 500;

/** How long a list waits for other reads to join it. */
export const listJoinMs = 5;

/** Time limit for the read of a compute in a refresh. */
export const readLimitMs = 2 * minuteMs;

/** Time limit for a preview's question to the service. */
export const previewReadMs = 2 * secondMs;

/** After a list was too slow, how long its project is not asked again: previews check one compute after the other. */
export const previewReadsAgainMs = 30 * secondMs;

/**
 * Waits between reads of an operation, which come sooner where another wait of the project is due. Most operations take
 * about a second, so that one read is enough; for long ones the wait rises to the 5 s that interface 4.7 suggests.
 */
export const operationPollMs = [1_000, 1_000, 1_500, 2_500, 3_500, 5_000] as const;

/** Failed reads in a row before a wait gives up: a service that restarts must not fail a deployment. */
export const failedReadsAllowed = 3;

/** Wait after failed reads, for each of them. */
export const failedReadMs = secondMs;

/**
 * What a client needs to connect again once its compute is active: part of the bound of a restart, so that the bound also
 * covers the silence that a client sees. On Postgres on one machine it took up to 0.08 s; a distant client needs longer.
 */
export const connectsAgainMs = 250;

/** After this long, a wait reports itself once, with a message that stays. */
export const longWaitMs = minuteMs;

/** Waits between reads of a locked project's operations; the last one repeats. */
export const lockPollMs = [300, 300, 500, 1_000, 2_000, 5_000] as const;

/** Reads of a locked project's operations after which a write is tried again, whatever they show: about 20 s. */
export const lockPollsBeforeTry = 8;

/** If one of a project's first writes is not answered within this time, the others are sent as well. */
export const probeAnswersWithinMs = 5 * secondMs;

/** A write that gets 409 more often than this is not waiting for a lock. */
export const conflictsAllowed = 5;

/** After this many 423s without a running operation, give up: it is not a lock. */
export const idleRefusalsAllowed = 5;

/**
 * If a program has declared nothing for this long, it has announced all replicas that restart before their primary.
 */
export const announcementsEndAfterMs = 500;

/** How long a primary waits for replicas whose updates are planned and do not start: then the engine's order wins. */
export const announcedComesWithinMs = 3 * secondMs;

/**
 * Longest turn of a compute that others of its branch wait for: the turn ends with an update, whose deadline is
 * shorter.
 */
export const longestTurnMs = dayMs;

/** How long the journal's entries are cached: in a large stack every resource asks for them. */
export const journalServesMs = 2 * secondMs;

/** A disk that takes longer for a small file, such as a network drive that is gone, counts as unwritable. */
export const longestDiskAnswerMs = 10 * secondMs;

/** Age at which a journal entry that no run has used is dropped; by then, its state has been repaired. */
export const journalForgetsAfterMs = 90 * dayMs;

/**
 * Waits before each further try to replace a file that another process has open, on Windows; other processes close a
 * small file quickly.
 */
export const replaceWaitsMs = [10, 20, 40, 80, 160, 320, 640] as const;

/**
 * Interval between checks of the engine's address, time limit of a check, and refusals in a row after which the
 * engine is gone. Windows tries a closed port several times, for about two seconds.
 */
export const engineWatch = { everyMs: 2 * secondMs, answerMs: 10 * secondMs, refusalsMeanGone: 2 } as const;
