/** Changes whose answer is lost: they are found, sent again only where they were not done, and awaited. */
import { scenarios } from "./scenarios";
import { pgSettings, size, unread, up, wireSize } from "./commands";
import { crowded, nothingRuns, seconds } from "./events";
import { answers, answersBody, cut, done, lost, operation, since, stale, times } from "./faults";

const db = { ...size(1) };

const [both, one] = [pgSettings({ work_mem: "8MB", jit: "off" }), pgSettings({ work_mem: "8MB" })];
const onlyOne = { settings: { pg_settings: { work_mem: "8MB" } } };

scenarios("a setting that is no longer declared, where the answer to its removal is lost", [
  {
    promise: "is seen to be gone: nothing is sent again",
    given: { db: { ...db, ...both }, service: { settingsRestart: true } },
    faults: { PATCH: lost },
    do: up(one),
    expect: { sent: ["PATCH <db>"], live: onlyOne, says: ["apply_config finished", "start_compute running"] },
  },
  {
    promise: "is seen to be there still, also where an earlier run could not remove it either",
    given: { db: { ...db, ...both } },
    faults: { PATCH: times(3, cut) },
    do: up(one),
    expect: { error: "updating…", state: one },
    then: [
      { faults: { PATCH: times(4, cut) }, do: up(one), expect: { error: "updating…" } },
      { do: up(one), expect: { live: onlyOne } },
      { do: up(one), expect: { sent: [] } },
    ],
  },
  {
    promise: "is removed where a change without an answer has set it, and the program takes it back",
    given: { db: { ...db, ...one }, engine: unread },
    // It is done, and no list shows it in time.
    faults: { PATCH: [lost, times(2, cut)], LIST: times(13, stale) },
    do: up(both),
    expect: { error: "updating…" },
    then: [{ do: up(one), expect: { live: onlyOne } }],
  },
]);

scenarios("a change without an answer", [
  ...[
    { next: "is sent again", more: size(2) },
    { next: "is taken back", more: size(1) },
    { next: "goes with another one", more: { ...size(2), suspendTimeoutSeconds: 900 } },
  ].map(({ next, more }) => ({
    promise: `is awaited by the next run while it is at work, where it ${next}`,
    given: { db, engine: unread },
    operations: [operation("start_compute", { runningMs: 120_000 })],
    faults: { PATCH: [lost, times(2, cut)], LIST: times(99, stale) },
    do: up(size(2)),
    expect: { error: "updating…" },
    then: [{ do: up(more), expect: { also: nothingRuns } }],
  })),
  ...[
    { reason: "a lock that is called a conflict", status: 409 },
    { reason: "a request that makes no sense any more", status: 400 },
  ].map(({ reason, status }) => ({
    promise: "that was a move is found though the second PATCH is refused",
    reason,
    given: { db },
    operations: [{ runningMs: 15_000, times: 2 }],
    faults: { PATCH: [lost, answers(status)], LIST: since("PATCH", times(3, stale)) },
    do: up({ branchId: "<other branch>" }),
    expect: { state: { branchId: "<other branch>" }, live: { branch_id: "<other branch>" } },
  })),
  {
    promise: "has its operations awaited where they are listed late",
    given: { db },
    meanwhile: [seconds(10)],
    operations: [operation("start_compute", { runningMs: 15_000 })],
    faults: { PATCH: lost, OPERATIONS: since("PATCH", stale) },
    do: up(size(2)),
    expect: { also: nothingRuns },
  },
  {
    promise: "has its operations awaited where others of the project push them off the newest page",
    given: { db },
    meanwhile: [seconds(10)],
    operations: [operation("start_compute", { runningMs: 60_000 })],
    faults: { PATCH: lost },
    during: { OPERATIONS: crowded },
    do: up(size(2)),
    expect: { also: nothingRuns },
  },
  {
    promise: "is not waited for where the list of operations stays without any",
    given: { db },
    meanwhile: [seconds(10)],
    operations: [operation("start_compute", { runningMs: 15_000 })],
    faults: { PATCH: lost, OPERATIONS: since("PATCH", times(100, stale)) },
    do: up(size(2)),
    expect: { count: { OPERATIONS: 4 } },
  },
]);

const gateway = done(503);

scenarios("a change that a gateway answered with 503 once it was done", [
  {
    promise: "has its operations awaited, which the answer to the second PATCH does not name",
    given: { db },
    operations: [operation("start_compute", { runningMs: 15_000 })],
    faults: {
      PATCH: [
        gateway,
        ({ emulator, idOf }) =>
          answersBody({
            endpoint: { ...emulator.endpoint(idOf("db")).endpoint, ...wireSize(2) },
            operations: emulator.operations(idOf("project")).slice(0, 1),
          }),
      ],
    },
    do: up(size(2)),
    expect: { also: nothingRuns },
  },
  {
    promise: "is not said to have restarted nothing",
    given: { db },
    faults: { PATCH: gateway },
    do: up(size(2)),
    expect: { restarts: 1, never: ["nothing was interrupted"] },
  },
  {
    promise: "names the operations to wait for where they cannot be listed",
    given: { db },
    operations: [operation("start_compute", { runningMs: 15_000 })],
    faults: { PATCH: gateway, OPERATIONS: times(3, answers(500)) },
    do: up(size(2)),
    expect: { error: "updating…" },
    then: [
      {
        do: up(size(2)),
        expect: { also: nothingRuns, never: ["operations of an earlier run have ended ("] },
      },
    ],
  },
]);
