/** What somebody else has: it is not shown, not touched, and not taken. */
import { scenarios } from "./scenarios";
import { pgSettings, preview, size, unread, up, without } from "./commands";
import { byHand, goingSo, idle, nothingPending } from "./events";
import { always, answers, cut, done, since, stale, times, unlisted } from "./faults";
import type { Values } from "../support/providerHandlers";
import type { Event, Row } from "./row";

const db = { ...size(1) };
const both = pgSettings({ work_mem: "8MB", jit: "off" });
const one = pgSettings({ work_mem: "8MB" });
const live = (settings: object): Values => ({ settings: { pg_settings: settings } });
/** A colleague sets this, in the console. */
const colleagueSets = byHand(live({ work_mem: "8MB", statement_timeout: "5s" }));
/** The settings of the compute at the service are these, and no others. */
const has =
  (settings: object): Event =>
  ({ emulator, idOf }) => {
    expect(emulator.endpoint(idOf("db")).endpoint.settings).toEqual({ pg_settings: settings });
  };

const adopting = { branchId: "<default branch>", adopt: "<default primary>" };
/** The compute to adopt has settings. */
const hadSettings: Event = ({ emulator, idOf, name }) => {
  const id = idOf("default primary");
  emulator.updateEndpoint(id, live({ work_mem: "8MB", jit: "off" }));
  name("db", id);
};
const replacesFromNow: Event = ({ emulator }) => {
  emulator.setSwitches({ settingsPatch: "replaces" });
};

scenarios("a PATCH of settings that is sent again", [
  ...[
    { reason: "the project was locked, and the colleague came first", fault: answers(423) },
    {
      reason: "the rate limit was used up for a minute",
      fault: answers(429, { headers: { "retry-after": "60" } }),
    },
    { reason: "a gateway answered 503", fault: answers(503) },
    { reason: "the service refused twice", fault: times(2, answers(423)) },
  ].map(({ reason, fault }): Row => ({
    promise: "keeps what a colleague has set meanwhile",
    reason,
    given: { db: { ...db, ...one } },
    faults: { PATCH: fault },
    during: { PATCH: colleagueSets },
    do: up(pgSettings({ work_mem: "16MB" })),
    expect: { also: has({ work_mem: "16MB", statement_timeout: "5s" }) },
  })),
  {
    promise: "keeps what a colleague has set while another compute of the project was starting",
    reason: "the service takes one write at a time",
    given: { db: { ...db, ...one }, service: { lock: "project" } },
    meanwhile: [
      goingSo({ runningMs: 20_000, times: 2 }, byHand({ autoscaling_limit_max_cu: 2 }, "default primary")),
    ],
    during: { PATCH: colleagueSets },
    do: up(pgSettings({ work_mem: "16MB" })),
    expect: { also: has({ work_mem: "16MB", statement_timeout: "5s" }) },
  },
  {
    promise: "still removes what the first send was to remove, and was carried out",
    given: { db: { ...db, ...both } },
    faults: { PATCH: done(503) },
    do: up(one),
    expect: { also: has({ work_mem: "8MB" }) },
    then: [{ do: up(one), expect: { sent: [] } }],
  },
]);

scenarios("a setting that no run of ours has sent", [
  {
    promise: "stays if an adopted compute had it, and the program declares the same value and drops it again",
    given: { db: undefined },
    meanwhile: [hadSettings],
    do: up({ ...adopting, ...both }),
    expect: { sent: [] },
    then: [
      {
        do: up({ ...adopting, ...without("settings") }),
        expect: { also: has({ work_mem: "8MB", jit: "off" }) },
      },
    ],
  },
  {
    promise: "stays if an adopted compute had it, and a PATCH of ours only sent it along",
    given: { db: undefined },
    meanwhile: [hadSettings],
    do: up({ ...adopting, ...pgSettings({ work_mem: "16MB", jit: "off" }) }),
    expect: { sent: ["PATCH <default primary>"] },
    then: [{ do: up({ ...adopting, ...without("settings") }), expect: { also: has({ jit: "off" }) } }],
  },
  {
    promise: "stays if the PATCH that was to set it never arrived, and a colleague has set it since",
    given: { db: { ...db, ...one }, engine: unread },
    faults: { PATCH: always(cut) },
    do: up(both),
    expect: { error: "updating…" },
    then: [
      {
        meanwhile: [byHand(live({ work_mem: "8MB", jit: "on" }))],
        do: up(one),
        expect: {
          also: has({ work_mem: "8MB", jit: "on" }),
          says: ["The service has the setting jit, which a change without an answer may have set…"],
        },
      },
      { do: up(one), expect: { sent: [], said: [] } },
    ],
  },
  {
    promise: "is removed if the PATCH that set it got no answer, and nobody has changed it since",
    given: { db: { ...db, ...one }, engine: unread },
    faults: { PATCH: [{ kind: "cut", when: "after" }, always(cut)], LIST: always(stale) },
    do: up(both),
    expect: { error: "updating…" },
    then: [{ do: up(one), expect: { also: has({ work_mem: "8MB" }) } }],
  },
  {
    promise: "is ours once a later run finds it as declared",
    given: { db: { ...db, ...one }, engine: unread },
    faults: { PATCH: [{ kind: "cut", when: "after" }, always(cut)], LIST: since("PATCH", always(unlisted)) },
    do: up(both),
    expect: { error: "updating…" },
    then: [
      { do: up(both), expect: { also: nothingPending } },
      { do: up(one), expect: { also: has({ work_mem: "8MB" }) } },
    ],
  },
  {
    promise: "of a secret value stays if nobody knows whose it is: its value is not stored",
    given: { db: { ...db, ...one }, engine: unread },
    faults: { PATCH: [{ kind: "cut", when: "after" }, always(cut)], LIST: always(stale) },
    do: up({ ...pgSettings({ work_mem: "8MB", "ext.key": "hunter2-4711" }), $secrets: ["settings"] }),
    expect: {
      error: "updating…",
      also: ({ engine }) => {
        expect(JSON.stringify(engine.stored("db")!.outs)).not.toContain("hunter2");
      },
    },
    then: [{ do: up(one), expect: { also: has({ work_mem: "8MB", "ext.key": "hunter2-4711" }) } }],
  },
]);

scenarios("at a service that merges settings, a setting that leaves the program", [
  {
    promise: "stays, the run says so, and it is still ours",
    given: { db: { ...db, ...both }, service: { settingsPatch: "merges" } },
    do: up(one),
    expect: {
      says: [
        "warning: updating compute <db>: the service kept settings.pgSettings.jit, which this change was to remove. The next preview shows the removal again.",
      ],
      never: ["other values of settings"],
      state: one,
    },
    then: [
      {
        do: preview(one),
        expect: { says: ["may interrupt: settings.pgSettings (removed: jit)…"], step: "updated" },
      },
      // The service is asked in another way, and removes it.
      { meanwhile: [replacesFromNow], do: up(one) },
      { do: up(one), expect: { sent: [], said: [] } },
    ],
  },
]);

scenarios("what the program ignores", [
  {
    promise: "is not sent: an unrelated change leaves a size that somebody has set by hand",
    given: {
      db: { ...db, ...one, $ignores: ["autoscalingLimitMinCu", "autoscalingLimitMaxCu"] },
      engine: unread,
    },
    meanwhile: [byHand({ autoscaling_limit_min_cu: 4, autoscaling_limit_max_cu: 4 })],
    do: up(pgSettings({ work_mem: "16MB" })),
    expect: {
      sent: [{ "PATCH <db>": { settings: { pg_settings: { work_mem: "16MB" } } } }],
      live: { autoscaling_limit_max_cu: 4 },
      never: ["size"],
      restarts: 0,
    },
    then: [{ do: up(pgSettings({ work_mem: "16MB" })), expect: { sent: [], said: [], step: "same" } }],
    behind: "the engine keeps the old value of what a program ignores",
  },
  {
    promise: "is not sent: a setting that somebody has set by hand stays as it is",
    given: { db: { ...db, ...both, $ignores: ["settings.pgSettings.jit"] }, engine: unread },
    meanwhile: [byHand(live({ work_mem: "8MB", jit: "on" }))],
    do: up(pgSettings({ work_mem: "16MB", jit: "never" })),
    expect: { also: has({ work_mem: "16MB", jit: "on" }), never: ["jit"] },
    behind: "the engine keeps the old value of what a program ignores",
  },
]);

scenarios("a compute that the state calls disabled", [
  {
    promise: "may restart, if nobody asks the service and somebody may have enabled it",
    given: { db: { ...db, disabled: true }, stack: { liveFacts: "false" }, engine: unread },
    meanwhile: [byHand({ disabled: false })],
    do: preview({ ...size(2), disabled: true }),
    expect: {
      said: ["warning: may restart: size 1 → 2 CU may drop open connections…"],
      verdict: { effect: "restart", certain: false },
    },
  },
  {
    promise: "does not restart, if the service says so",
    given: { db: { ...db, disabled: true }, engine: unread },
    do: preview({ ...size(2), disabled: true }),
    expect: { said: [] },
  },
]);

scenarios("a secret that is an ordinary word", [
  {
    promise: "does not turn our own sentences into riddles, which would give it away",
    given: {
      db: {
        ...db,
        ...pgSettings({ "ext.a": "idle", "ext.b": "restart", "ext.c": "4000" }),
        $secrets: ["settings"],
      },
    },
    meanwhile: [idle()],
    do: preview({ ...size(10), $secrets: ["settings"] }),
    expect: {
      said: [
        "warning: restart: size 1 → 10 CU drops open connections (compute idle now: none are open); max_connections 450 to 4000, RAM 4 to 40 GB, file cache 3.2 to 32 GB",
      ],
      verdict: { effect: "restart", certain: true, now: "idle" },
    },
  },
  {
    promise: "is still removed from what the service says",
    given: { db: { ...db, ...pgSettings({ "ext.a": "restart" }), $secrets: ["settings"] } },
    faults: { PATCH: answers(422, { body: { code: "NO", message: "ext.a is restart" } }) },
    do: up({ ...size(2), $secrets: ["settings"] }),
    expect: {
      error: "…the service answered 422 (NO: ext.a is [redacted])…",
      says: ["restart: size 1 → 2 CU…"],
    },
  },
]);
