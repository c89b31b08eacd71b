/**
 * Every wait and every limit of time or number, once, with its reason. In milliseconds where the name ends in `Ms`.
 * What a request may take stands in `api/transport.ts`, and the rates of requests in `api/limiter.ts`.
 */

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const dayMs = 24 * 60 * minuteMs;

/** Longest waits for the service where `timeouts` says nothing, in seconds. */
export const defaultTimeouts = { create: 600, update: 600, delete: 300 } as const;

/** Times that one call of the engine sends a write; each but the first after a look at what the last one did. */
export const maxSends = 3;

/** Longest that one request may take: the client gives it up then. */
export const longestRequestMs = minuteMs;

/** Longest Retry-After that is honoured: a longer one ends the call. */
export const longestRetryAfterMs = minuteMs;

/** The last look of a wait is sent when its time is over, and gets this long for its answer. */
export const lastAnswerMs = 5 * secondMs;

/** Between the two looks after which a compute that no list shows counts as gone: a list may lag for a moment. */
export const secondLookMs = 500;

/**
 * How old a compute must be before lists that do not show it prove that it is gone. A list may be behind the service's
 * writes, by a cache or a replica in front of it, and a compute that is taken for gone is created a second time. Longer
 * than such a list is late; short enough for somebody who really deleted a compute that was just created.
 */
export const listsProveAbsenceAfterMs = 5 * minuteMs;

/** Waits between looks at a list that does not show a change of ours yet. */
export const changeShowsAfterMs = [300, 700, 1_500] as const;

/** Waits before each look for the compute of a create without an answer: a list may lag that far, and no further. */
export const createShowsAfterMs = [500, 1_000, 2_000, 4_000, 7_500] as const;

/** Age of a create from which on a list shows what it made. */
export const createSettledAfterMs = createShowsAfterMs.reduce((sum, waitMs) => sum + waitMs, 0);

/** Waits before each look for what became of an update without an answer. */
export const updateShowsAfterMs = [500, 1_500, 3_000] as const;

/** Before the look at what became of a restart without an answer. */
export const restartShowsAfterMs = 500;

/** Before the look at what became of a deletion without an answer. */
export const deletionShowsAfterMs = secondMs;

/** How long after its POST was over a compute may still have been made by it, in the service's own time. */
export const createdWithinMs = minuteMs;

/** How far the clocks of one service differ: one stamps its answers, another its computes, both in whole seconds. */
export const serviceClocksDifferMs = 3 * secondMs;

/** The same between a service that tells no time of its own and this machine. */
export const clocksDifferMs = 5 * minuteMs;

/** A replica that nobody holds is named for so long: a killed run may have left it behind. */
export const lateReplicaMs = dayMs;

/** How long the answer of a list serves reads that come after it. */
export const listServesMs = 2 * secondMs;

/** The same for reads that need not see our own writes. */
export const listServesCreatesMs = 500;

/** How old a list may be when what was there before a create is written down. */
export const baselineHoldsMs = secondMs;

/**
 * How long a list waits for other reads to join it: the longer, the more computes the last one showed, so that the
 * lists of a project with a thousand computes, a megabyte each, are few.
 */
export const listBatchMs = { least: 5, forEachCompute: 0.5, most: 500 } as const;

/** Longest that a refresh waits for the answer to a compute's read. */
export const readLimitMs = 2 * minuteMs;

/** Longest that a preview waits for what the service says of a compute. */
export const previewLookMs = 2 * secondMs;

/** How long a project whose list was late is not asked again: previews check one compute after the other. */
export const previewLooksAgainMs = 30 * secondMs;

/**
 * Waits between looks at an operation. Most take about a second, so that one look is enough for them; long ones
 * settle at the 5 s that interface 4.7 suggests.
 */
export const operationLooksMs = [1_000, 1_000, 1_500, 2_500, 3_500, 5_000] as const;

/** Looks in a row that may fail before a wait gives up: a service that restarts must not fail a deployment. */
export const failedLooksAllowed = 3;

/** Before looking again after failed looks, for each of them. */
export const failedLookMs = secondMs;

/** A wait that takes this long says so once, for good. */
export const longWaitMs = minuteMs;

/**
 * How long looks at operations of a project wait for company, before one request answers them all: longer with each
 * round of the last second. Waits that never cease begin with seven rounds in a second, and settle below five.
 */
export const operationBatchMs = { least: 5, forEachRound: 50, roundsOf: secondMs } as const;

/** Waits between looks at a locked project's operations; the last one repeats. */
export const lockLooksMs = [300, 300, 500, 1_000, 2_000, 5_000] as const;

/** Looks at a locked project after which a write is tried again, whatever they show: about 20 s. */
export const lockLooksBeforeTry = 8;

/** Conflicts of one write that are taken for a lock, after which it is none. */
export const conflictsAllowed = 5;

/** Refusals in a row while no operation shows, after which it is no lock that refuses. */
export const idleRefusalsAllowed = 5;

/** A program that has declared nothing for so long has announced all replicas that restart before their primary. */
export const announcementsEndAfterMs = 500;

/** Longest that a primary waits for replicas whose updates are planned and do not begin: the engine's order stands then. */
export const announcedComesWithinMs = 3 * secondMs;

/** Longest turn of a compute that others of its branch wait for: it ends with an update, whose deadline is shorter. */
export const longestTurnMs = dayMs;

/** How long the journal's entries that were read serve the next resource: a large stack asks for each of its own. */
export const journalServesMs = 2 * secondMs;

/** Journal entries nobody came back for; a state that lost its create has been repaired by then. */
export const journalForgetsAfterMs = 90 * dayMs;

/** Before each further try to replace a file that another process has open, on Windows: it is done with a small one at once. */
export const replaceWaitsMs = [10, 20, 40, 80, 160, 320, 640] as const;

/**
 * Between looks at the engine's address, how long a look waits, and refusals in a row that mean that it is gone. Windows
 * asks a closed port several times before it says so, for about two seconds.
 */
export const engineWatch = { everyMs: 2 * secondMs, answerMs: 10 * secondMs, refusalsMeanGone: 2 } as const;
