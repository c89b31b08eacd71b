/** What an update sends and how often, what it says, and what it stores, even if its answer is lost. */
import { scenarios } from "./scenarios";
import { pgSettings, size, unread, up, wireSize, without } from "./commands";
import { byHand, crowded, nothingRuns, restarted, seconds } from "./events";
import {
  after,
  always,
  answers,
  answersBody,
  cut,
  doesNothing,
  done,
  looksAfterAWrite,
  lost,
  operation,
  since,
  stale,
  times,
  unlisted,
} from "./faults";

const db = { ...size(1) };

scenarios("an update", [
  {
    promise: "sends what changed and nothing else, waits and reads again",
    given: { db: { ...db, suspendTimeoutSeconds: 600, poolerEnabled: false } },
    do: up(size(2)),
    expect: { sent: [{ "PATCH <db>": wireSize(2) }], state: size(2), restarts: 1, step: "updated" },
  },
  {
    promise:
      "names the values that the service shows instead of the accepted ones, but never a setting's value",
    given: { db: { ...db, ...pgSettings({ work_mem: "8MB" }) } },
    faults: { PATCH: doesNothing },
    do: up({ ...size(2), ...pgSettings({ work_mem: "16MB" }) }),
    expect: {
      said: [
        "…",
        "warning: updating compute <db>: the service accepted the change, but shows autoscalingLimitMinCu 1 instead of 2, autoscalingLimitMaxCu 1 instead of 2, and other values of settings. The next preview shows the difference again.",
      ],
      state: size(1),
    },
  },
  {
    promise:
      "takes a 409 for a lock, and is sent again, if somebody has already moved the compute to the declared branch",
    given: { db, engine: unread, stack: { liveFacts: "false" } },
    meanwhile: [byHand({ branch_id: "<other branch>" }), restarted("default primary")],
    faults: { PATCH: answers(409) },
    do: up({ branchId: "<other branch>" }),
    expect: { state: { branchId: "<other branch>" }, sent: ["PATCH <db>", "PATCH <db>"] },
  },
  {
    promise: "sends nothing for an argument that is no longer declared",
    given: { db },
    do: up(without("autoscalingLimitMinCu", "autoscalingLimitMaxCu")),
    expect: { sent: [], said: [] },
  },
  {
    promise: "says once that it still waits, and for how long it waits at most",
    given: { db },
    operations: [operation("start_compute", { runningMs: 180_000 })],
    do: up(size(2)),
    expect: {
      rows: [
        "warning: restart: …",
        /^info: start_compute \(.*\) has the status running after 6\d s; waiting up to 600 s\.$/,
        "info: restarted as announced; down for at most 18…",
      ],
    },
  },
]);

/** Somebody else has set these settings since the last refresh. */
const othersSet = byHand({
  settings: { pg_settings: { work_mem: "8MB", statement_timeout: "5s" }, preload_libraries: ["pg_cron"] },
});
const withSettings = { ...db, ...pgSettings({ work_mem: "8MB" }) };
const kept = { pg_settings: { work_mem: "16MB", statement_timeout: "5s" }, preload_libraries: ["pg_cron"] };

scenarios("settings that the program does not declare", [
  ...[{}, { LIST: after(1, times(looksAfterAWrite, unlisted)) }].map((faults) => ({
    promise: "are sent along as they are",
    reason: "LIST" in faults ? "lists do not show the compute for a while" : "every list shows the compute",
    given: { db: withSettings, engine: unread },
    meanwhile: [othersSet],
    faults,
    do: up(pgSettings({ work_mem: "16MB" })),
    expect: { sent: [{ "PATCH <db>": { settings: kept } }] },
  })),
  {
    promise: "are never guessed: if no list shows them, the update fails, and changes nothing",
    given: { db: withSettings, engine: unread },
    meanwhile: [othersSet],
    faults: { LIST: unlisted },
    do: up(pgSettings({ work_mem: "16MB" })),
    expect: { error: "…is not listed yet…", sent: [] },
    then: [
      {
        meanwhile: [seconds(30)],
        faults: { LIST: unlisted },
        do: up(pgSettings({ work_mem: "16MB" })),
        expect: { error: "…the service no longer lists this compute…", sent: [] },
      },
    ],
  },
  {
    promise: "are kept if somebody adds a setting before a change is sent again",
    given: { db },
    faults: { PATCH: cut },
    during: {
      PATCH: ({ emulator, idOf }) =>
        emulator.updateEndpoint(idOf("db"), { settings: { pg_settings: { work_mem: "8MB" } } }),
    },
    do: up(pgSettings({ jit: "off" })),
    expect: { live: { settings: { pg_settings: { jit: "off", work_mem: "8MB" } } } },
  },
]);

const [both, one] = [pgSettings({ work_mem: "8MB", jit: "off" }), pgSettings({ work_mem: "8MB" })];
const onlyOne = { settings: { pg_settings: { work_mem: "8MB" } } };

scenarios("a setting that is no longer declared, and whose removal gets no answer", [
  {
    promise: "is seen to be gone, so nothing is sent again",
    given: { db: { ...db, ...both }, service: { settingsRestart: true } },
    faults: { PATCH: lost },
    do: up(one),
    expect: { sent: ["PATCH <db>"], live: onlyOne, says: ["apply_config finished", "start_compute running"] },
  },
  {
    promise: "is removed by a later run, even if two runs could not remove it",
    given: { db: { ...db, ...both } },
    faults: { PATCH: always(cut) },
    do: up(one),
    expect: { error: "updating…", state: one },
    then: [
      { faults: { PATCH: always(cut) }, do: up(one), expect: { error: "updating…" } },
      { do: up(one), expect: { live: onlyOne } },
      { do: up(one), expect: { sent: [] } },
    ],
  },
  {
    promise: "is removed even if the change that set it got no answer",
    given: { db: { ...db, ...one }, engine: unread },
    faults: { PATCH: [lost, always(cut)], LIST: always(stale) },
    do: up(both),
    expect: { error: "updating…" },
    then: [{ do: up(one), expect: { live: onlyOne } }],
  },
]);

scenarios("a change without an answer", [
  ...[
    { reason: "that run sends the change again", more: size(2) },
    { reason: "that run takes the change back", more: size(1) },
    { reason: "that run sends another change with it", more: { ...size(2), suspendTimeoutSeconds: 900 } },
  ].map(({ reason, more }) => ({
    promise: "makes the next run wait for its operations",
    reason,
    given: { db, engine: unread },
    operations: [operation("start_compute", { runningMs: 120_000 })],
    faults: { PATCH: [lost, always(cut)], LIST: always(stale) },
    do: up(size(2)),
    expect: { error: "updating…" },
    then: [{ do: up(more), expect: { also: nothingRuns } }],
  })),
  ...[
    { reason: "with 409, which means a lock here", status: 409 },
    { reason: "with 400, since the request no longer makes sense", status: 400 },
  ].map(({ reason, status }) => ({
    promise: "is recognized as done if it was a move, even if the second PATCH is refused",
    reason,
    given: { db },
    operations: [{ runningMs: 15_000, times: 2 }],
    faults: { PATCH: [lost, answers(status)], LIST: since("PATCH", times(3, stale)) },
    do: up({ branchId: "<other branch>" }),
    expect: { state: { branchId: "<other branch>" }, live: { branch_id: "<other branch>" } },
  })),
  ...[{}, pgSettings({ work_mem: "8MB" })].map((settings) => ({
    promise: "is seen to be done if it added a setting, and is not sent again",
    reason: `the compute was created with ${JSON.stringify(settings)}`,
    given: { db: { ...db, ...settings } },
    faults: { PATCH: lost },
    do: up(pgSettings({ work_mem: "8MB", jit: "off" })),
    expect: { sent: ["PATCH <db>"] },
  })),
  {
    promise: "waits for its operations even if lists show them late",
    given: { db },
    meanwhile: [seconds(10)],
    operations: [operation("start_compute", { runningMs: 15_000 })],
    faults: { PATCH: lost, OPERATIONS: since("PATCH", stale) },
    do: up(size(2)),
    expect: { also: nothingRuns },
  },
  {
    promise: "waits for its operations even if other operations of the project push them off the newest page",
    given: { db },
    meanwhile: [seconds(10)],
    operations: [operation("start_compute", { runningMs: 60_000 })],
    faults: { PATCH: lost },
    during: { OPERATIONS: crowded },
    do: up(size(2)),
    expect: { also: nothingRuns, never: ["the status finished"] },
  },
  {
    promise: "does not wait if lists never show its operations",
    given: { db },
    meanwhile: [seconds(10)],
    operations: [operation("start_compute", { runningMs: 15_000 })],
    faults: { PATCH: lost, OPERATIONS: since("PATCH", always(stale)) },
    do: up(size(2)),
    expect: { count: { OPERATIONS: 4 } },
  },
]);

scenarios("a change that a gateway answered with 503 after the service had made it", [
  {
    promise: "waits for its operations, though the answer to the second PATCH does not name them",
    given: { db },
    operations: [operation("start_compute", { runningMs: 15_000 })],
    faults: {
      PATCH: [
        done(503),
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
    promise: 'is not reported as "nothing was interrupted"',
    given: { db },
    faults: { PATCH: done(503) },
    do: up(size(2)),
    expect: { restarts: 1, never: ["nothing was interrupted"] },
  },
  {
    promise: "fails if its operations cannot be listed, and the next run waits for them",
    given: { db },
    operations: [operation("start_compute", { runningMs: 15_000 })],
    faults: { PATCH: done(503), OPERATIONS: always(answers(500)) },
    do: up(size(2)),
    expect: { error: "updating…" },
    then: [
      {
        do: up(size(2)),
        expect: { also: nothingRuns, never: ["finished what an earlier run had started ("] },
      },
    ],
  },
]);
