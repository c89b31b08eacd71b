/** Updates that fail or get no answer: what the state keeps, and what the next run does. */
import type { Row } from "./row";
import { scenarios } from "./scenarios";
import { pgSettings, size, unread, up, updateAlone, wireSize } from "./commands";
import { byHand, deleted, goingSo, justDeleted, nothingPending, restarted, seconds } from "./events";
import { after, always, answers, cut, forAWhile, lost, operation, since, times, unlisted } from "./faults";

const db = { ...size(1) };
/** More lists than one look sends, retries included. */
const listsOfSeveralLooks = 16;
const refused = (status: number, code: string, message: string) =>
  answers(status, { body: { code, message } });

scenarios("an update that meets a fault", [
  {
    promise: "succeeds with a warning if no list shows the compute afterwards: the state keeps the compute",
    given: { db },
    meanwhile: [seconds(60)],
    faults: { LIST: since("PATCH", unlisted) },
    do: up({ suspendTimeoutSeconds: 900 }),
    expect: {
      said: [
        "…the service does not list the compute. The state keeps the last known values…whether somebody deleted the compute.",
      ],
      state: { suspendTimeoutSeconds: 900 },
    },
  },
  ...[
    { reason: "an operation failed", before: [] },
    {
      reason: "before that operation, another one failed and was repeated with success",
      before: [
        goingSo(operation("apply_config", { endStatus: "failed" }), byHand({ suspend_timeout_seconds: 700 })),
        byHand({ suspend_timeout_seconds: 800 }),
      ],
    },
  ].map(({ reason, before }) => ({
    promise: "does not fail because of an earlier operation if its own answer is lost and the compute runs",
    reason,
    given: { db: { ...db, suspendTimeoutSeconds: 600 } },
    meanwhile: [...before, goingSo({ endStatus: "failed", times: 2 }, restarted()), seconds(10)],
    faults: { PATCH: lost },
    do: up({ suspendTimeoutSeconds: 900 }),
    expect: {
      state: { suspendTimeoutSeconds: 900 },
      said: [],
    },
  })),
  {
    promise: "sends nothing while the operations of an earlier update run, however long they take",
    given: { db: { ...db, timeouts: { update: 10 } } },
    operations: [{ runningMs: 60_000, times: 1 }],
    do: up(size(2)),
    expect: { error: "…was still running after 10 s…", sent: ["PATCH <db>"] },
    then: [{ do: up(size(4)), expect: { error: "…was still running…", sent: [] } }],
  },
  {
    promise: "stores what the list shows, including somebody else's changes, when it gives up",
    given: { db: { ...db, suspendTimeoutSeconds: 600 }, engine: unread },
    meanwhile: [byHand({ suspend_timeout_seconds: 900 })],
    faults: { PATCH: always(cut) },
    do: up(size(2)),
    expect: { error: "updating…", state: { ...size(1), suspendTimeoutSeconds: 900 }, count: { PATCH: 3 } },
  },
  {
    promise: "keeps the earlier state if it gives up and no list can be read",
    given: { db: { ...db, suspendTimeoutSeconds: 600 }, engine: unread },
    meanwhile: [byHand({ suspend_timeout_seconds: 900 })],
    faults: { PATCH: always(cut), LIST: always(answers(500)) },
    do: up(size(2)),
    expect: { error: "updating…", state: { ...size(1), suspendTimeoutSeconds: 600 }, count: { PATCH: 1 } },
  },
  {
    promise: "stores only declared settings when it gives up, and the next update removes the others",
    given: { db: { ...db, ...pgSettings({ work_mem: "8MB", application_name: "of-before" }) } },
    faults: { PATCH: cut, LIST: since("PATCH", always(answers(500))) },
    do: up({ ...size(2), ...pgSettings({ work_mem: "8MB" }) }),
    expect: {
      error: "updating…",
      state: { settings: { pgSettings: { work_mem: "8MB" } } },
      also: ({ engine }) => {
        expect(JSON.stringify(engine.stored("db")?.outs)).not.toContain("of-before");
      },
    },
    then: [
      {
        do: up({ ...size(2), ...pgSettings({ work_mem: "8MB" }) }),
        expect: {
          sent: [{ "PATCH <db>": { ...wireSize(2), settings: { pg_settings: { work_mem: "8MB" } } } }],
        },
      },
    ],
  },
  {
    promise:
      "stores what one list showed, even if its answer is lost, its operation fails and later lists fail",
    given: { db },
    faults: { PATCH: lost, LIST: since("PATCH", after(1, always(answers(500)))) },
    operations: [operation("start_compute", { endStatus: "failed" })],
    do: up(size(2)),
    expect: {
      error: "…operation … (…) failed…",
      state: size(2),
      // The create's own start had succeeded, so it is not left to the next run.
      also: ({ engine, emulator, idOf }) => {
        const left = engine.stored("db")?.outs["__operations"] as readonly string[];
        const actions = emulator.operations(idOf("project")).filter(({ id }) => left.includes(id));
        expect(actions.map(({ action }) => action).sort()).toEqual(["apply_config", "start_compute"]);
      },
    },
  },
  {
    promise:
      "names what it sent, without values, if its operation fails, and can be undone as the error says",
    given: { db: { ...pgSettings({ work_mem: "4MB", log_connections: "on" }) } },
    operations: [operation("apply_config", { endStatus: "failed" })],
    do: up({ ...pgSettings({ work_mem: "8MB", shared_buffers: "9TB" }), suspendTimeoutSeconds: 900 }),
    expect: {
      error:
        /^updating compute <db>: operation apply_config \(\S+\) failed; the change of settings\.pgSettings \(work_mem, shared_buffers, log_connections\) and suspendTimeoutSeconds may keep the compute from starting\. Set the old values again and run `pulumi up`\. To undo a Postgres setting, you can also remove it\. Removing any other argument is not enough: the service keeps what was sent\. If the new values are right, run `pulumi up` again: it sends the change once more if the compute is idle, and continues if the compute runs\.$/,
    },
    then: [
      {
        do: up({ suspendTimeoutSeconds: 300 }),
        expect: {
          live: {
            settings: { pg_settings: { work_mem: "4MB", log_connections: "on" } },
            suspend_timeout_seconds: 300,
          },
          also: ({ emulator, idOf }) => {
            expect(emulator.endpoint(idOf("db")).endpoint.settings).not.toHaveProperty(
              "pg_settings.shared_buffers",
            );
          },
        },
      },
    ],
  },
  {
    promise: "is sent again if it adds the first setting and the service did nothing",
    given: { db, service: { settingsDefault: "empty" } },
    faults: { PATCH: cut },
    do: up(pgSettings({ work_mem: "8MB" })),
    expect: { sent: ["PATCH <db>", "PATCH <db>"], live: { settings: { pg_settings: { work_mem: "8MB" } } } },
  },
  {
    promise: "is sent again without the settings if it changes none, so that the declared ones stay",
    given: { db: { ...db, ...pgSettings({ work_mem: "8MB" }) } },
    faults: { PATCH: cut },
    do: up({ suspendTimeoutSeconds: 600 }),
    expect: {
      sent: [
        { "PATCH <db>": { suspend_timeout_seconds: 600 } },
        { "PATCH <db>": { suspend_timeout_seconds: 600 } },
      ],
      live: { settings: { pg_settings: { work_mem: "8MB" } } },
      said: [],
    },
  },
  {
    promise: "sends nothing if `pulumi do` asks for a change that needs a new compute",
    given: { db },
    do: updateAlone({ type: "read_only" }),
    expect: { error: "…type cannot be changed on an existing compute; nothing was sent…", requests: [] },
  },
]);

const away = [
  { reason: "the service answers 503", fault: answers(503) },
  { reason: "a gateway answers 502", fault: answers(502) },
  { reason: "the connection breaks", fault: cut },
] as const;

scenarios("an update whose service is away for a while after the PATCH", [
  ...away.map(({ reason, fault }) => ({
    promise: "goes on once the service is back, and its row says that it tries again",
    reason,
    given: { db },
    faults: { OPERATION: forAWhile(fault), LIST: since("PATCH", forAWhile(fault)) },
    do: up(size(2)),
    expect: {
      sent: ["PATCH <db>"],
      state: size(2),
      says: [/^no usable answer from the service; attempt \d in/],
      atLeast: 12,
      also: nothingPending,
    },
  })),
  ...away.map(({ reason, fault }) => ({
    promise:
      "says at its timeout that the change was sent, and the next run goes on without sending it again",
    reason,
    given: { db: { ...db, timeouts: { update: 60 } } },
    faults: { OPERATION: always(fault), OPERATIONS: always(fault), LIST: since("PATCH", always(fault)) },
    do: up(size(2)),
    expect: {
      error:
        "updating compute <db>: operation apply_config (…) was …when the service last answered; the service has been unavailable since (…)…. The change was sent. Run `pulumi up` again: it goes on waiting, and sends nothing twice.",
      never: ["base URL"],
      within: 75,
    },
    then: [{ do: up(size(2)), expect: { sent: [], state: size(2), also: nothingPending } }],
  })),
  {
    promise: "looks for its change again and again if its answer was lost as well",
    given: { db },
    faults: { PATCH: lost, LIST: since("PATCH", times(listsOfSeveralLooks, answers(503))) },
    do: up(size(2)),
    expect: { sent: ["PATCH <db>"], state: size(2), atLeast: 8 },
  },
]);

const because: readonly Omit<Row, "promise">[] = [
  {
    reason: "the compute is gone",
    meanwhile: [deleted()],
    do: up(size(2)),
    expect: { error: "…the service no longer lists this compute. Run `pulumi refresh`…" },
  },
  {
    reason: "the compute is too young to be listed",
    meanwhile: [justDeleted()],
    do: up(size(2)),
    expect: {
      error:
        /^updating compute <db>: compute <db> is not listed yet, \d+ s after its creation\. Run the same command again in a moment: lists may be late, so the compute counts as deleted only if it is still missing 30 s after its creation\.$/,
    },
  },
  {
    reason: "the service refuses the change, so no list is needed",
    faults: { PATCH: refused(422, "NO", "not today"), LIST: unlisted },
    do: up(size(2)),
    expect: { error: "…the service answered 422 (NO: not today)…", requests: ["LIST", "PATCH"] },
  },
  {
    reason: "it is refused with 404, and no list can be read to see what is gone",
    faults: { PATCH: refused(404, "NOT_FOUND", "nothing here"), LIST: always(answers(500)) },
    do: up(size(2)),
    expect: { error: "…the service answered 404 (NOT_FOUND: nothing here)…" },
  },
  {
    reason: "a branch is missing, not the compute",
    faults: { PATCH: refused(404, "NOT_FOUND", "branch not found") },
    do: up({ branchId: "br-nowhere-1" }),
    expect: { error: "…the service answered 404 (NOT_FOUND: branch not found)…" },
  },
  {
    reason: "the service no longer knows the project",
    faults: {
      ANY: always({ ...refused(404, "NOT_FOUND", "project not found"), path: "/projects/<project>/" }),
    },
    do: up(size(2)),
    dynamic: {
      error: "updating compute <db>: the service at <service> finds no project …`pulumi state delete URN`…",
    },
    native: { error: "…the service finds no project <project>: …404 (NOT_FOUND: project not found)…" },
  },
];

scenarios("an update that fails", [
  ...because.map((row) => ({ promise: "says why, and what to do", given: { db, engine: unread }, ...row })),
]);
