/** What an update sends and how often, what it says, and what it stores. */
import { scenarios } from "./scenarios";
import { pgSettings, size, unread, up, wireSize, without } from "./commands";
import { byHand, restarted, seconds } from "./events";
import { after, answers, cut, doesNothing, operation, since, stale, times, unlisted } from "./faults";

const db = { ...size(1) };
const patch = { "PATCH <db>": wireSize(2) };

scenarios("an update", [
  {
    promise: "sends what changed and nothing else, waits and reads again",
    given: { db: { ...db, suspendTimeoutSeconds: 600, poolerEnabled: false } },
    do: up(size(2)),
    expect: { sent: [patch], state: size(2), restarts: 1, step: "updated" },
  },
  {
    promise: "stores what its answer had, where every list is older",
    given: { db: { ...db, disabled: false } },
    meanwhile: [seconds(1)],
    faults: { LIST: since("PATCH", times(100, stale)) },
    do: up(size(2)),
    expect: { state: size(2), never: ["instead of", "not restarted"] },
  },
  {
    promise: "says what the service shows in place of what it took, but of settings no value",
    given: { db: { ...db, ...pgSettings({ work_mem: "8MB" }) } },
    faults: { PATCH: doesNothing },
    do: up({ ...size(2), ...pgSettings({ work_mem: "16MB" }) }),
    expect: {
      said: [
        "…",
        "warning: updating compute <db>: the service took the change, but shows autoscalingLimitMinCu 1 instead of 2, autoscalingLimitMaxCu 1 instead of 2, settings other values instead of other values. The next preview shows the difference again.",
      ],
      state: size(1),
    },
  },
  {
    promise: "waits for a lock that is called a conflict, where the compute has moved there by hand",
    given: { db, engine: unread },
    meanwhile: [byHand({ branch_id: "<other branch>" }), restarted("default primary")],
    faults: { PATCH: answers(409) },
    do: up({ branchId: "<other branch>" }),
    expect: { state: { branchId: "<other branch>" }, sent: ["PATCH <db>", "PATCH <db>"] },
  },
  {
    promise: "sends nothing for arguments of ours alone",
    given: { db },
    do: up({ timeouts: { update: 30 }, onInterruption: "forbid" }),
    expect: { sent: [], state: { ...size(1), timeouts: { update: 30 }, onInterruption: "forbid" }, said: [] },
  },
  {
    promise: "sends nothing for what is no longer declared",
    given: { db },
    do: up(without("autoscalingLimitMinCu", "autoscalingLimitMaxCu")),
    expect: { sent: [], said: [] },
  },
  {
    promise: "says once that it waits for long, and until when",
    given: { db },
    operations: [operation("start_compute", { runningMs: 180_000 })],
    do: up(size(2)),
    expect: {
      rows: [
        "warning: restart: …",
        /^info: start_compute \(.*\) is running after 6\d s; waiting up to 600 s\.$/,
        "info: restarted, not active for at most 18…",
      ],
    },
  },
]);

/** Settings of somebody else's, set since the last refresh. */
const othersSet = byHand({
  settings: { pg_settings: { work_mem: "8MB", statement_timeout: "5s" }, preload_libraries: ["pg_cron"] },
});
const withSettings = { ...db, ...pgSettings({ work_mem: "8MB" }) };
const kept = { pg_settings: { work_mem: "16MB", statement_timeout: "5s" }, preload_libraries: ["pg_cron"] };

scenarios("settings that nobody declared", [
  ...[0, 4].map((count) => ({
    promise: `are sent along as they are, though ${count} lists do not show the compute`,
    given: { db: withSettings, engine: unread },
    meanwhile: [othersSet],
    faults: count === 0 ? {} : { LIST: after(1, times(count, unlisted)) },
    do: up(pgSettings({ work_mem: "16MB" })),
    expect: { sent: [{ "PATCH <db>": { settings: kept } }] },
  })),
  {
    promise: "are never sent unseen: the update ends in an error, and changes nothing",
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
        expect: { error: "…the service no longer knows this compute…", sent: [] },
      },
    ],
  },
  {
    promise: "are kept where somebody makes one before a change is sent again",
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
