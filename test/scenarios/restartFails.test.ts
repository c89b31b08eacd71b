/** Restarts by `restartTriggers` that fail or get no answer. */
import { pgSettings, preview, size, unread, up } from "./commands";
import { connected, nothingRuns, seconds, suspended } from "./events";
import { always, answers, cut, done, lost, operation } from "./faults";
import type { Event } from "./row";
import { scenarios } from "./scenarios";

const release = (number: number) => ({ restartTriggers: { release: number } });
const none = { restartTriggers: undefined };
const given = { db: size(1) };
const once = ["RESTART <db>"];
const failed = [operation("start_compute", { endStatus: "failed" })];
const endsAsFailed = { error: "…operation … (…) failed…" };

const leavesOperations: Event = ({ engine }) => {
  expect(engine.stored("db")?.outs).toHaveProperty("__operations");
};

scenarios("a restart that fails or gets no answer", [
  {
    promise: "is no longer due after a failed update has removed the triggers",
    given: { db: { ...size(1), ...release(1) } },
    operations: failed,
    do: up({ ...size(2), ...none }),
    expect: { error: "…operation … (…) failed…", state: { ...size(2), ...none } },
  },
  {
    promise: "is sent again by the next run if its operation failed: the state keeps the old triggers",
    given: { db: { ...size(1), ...release(1) } },
    operations: failed,
    do: up(release(2)),
    expect: {
      error:
        /^restarting compute <db>: operation start_compute \(\S+\) failed.* the next `pulumi up` sends it again\.$/,
      sent: once,
      state: release(1),
      also: ({ engine }) => {
        expect(engine.stored("db")).toMatchObject({ isUnfinished: true });
      },
    },
    then: [
      {
        meanwhile: [connected()],
        do: preview(release(2)),
        expect: { says: ["restart: restartTriggers (release)"] },
      },
      { do: up(release(2)), expect: { sent: once, state: release(2) } },
      { do: up(release(2)), expect: { step: "same" } },
    ],
  },
  {
    promise:
      "does not count as done while the compute is down: the next run checks the compute, and sends nothing",
    given,
    operations: failed,
    do: up(release(1)),
    expect: endsAsFailed,
    then: [
      { meanwhile: [suspended()], do: up(release(1)), expect: { ...endsAsFailed, sent: [], state: none } },
      { meanwhile: [connected()], do: up(release(1)), expect: { sent: once, state: release(1) } },
    ],
  },
  {
    promise:
      "does not make later runs forget that an earlier operation failed, if the service refuses the restart",
    given,
    operations: failed,
    do: up(size(2)),
    expect: endsAsFailed,
    then: [
      {
        faults: { RESTART: answers(403) },
        do: up({ ...size(2), ...release(1) }),
        expect: { error: "…the service answered 403…", state: none },
      },
      { meanwhile: [suspended()], do: up(size(2)), expect: { ...endsAsFailed, sent: [] } },
    ],
  },
  {
    promise: "is not said to be sent if the service was away from the beginning",
    given: { ...given, engine: unread },
    faults: { ANY: always(answers(503)) },
    do: up(release(1)),
    expect: {
      error: "listing …: the service answered 503…Run the same command again later…",
      sent: [],
      never: ["was sent"],
    },
    then: [{ do: up(release(1)), expect: { sent: once, restarts: 1 } }],
  },
  {
    promise: "is sent by the next run if the PATCH before it fails",
    given,
    operations: [operation("apply_config", { endStatus: "failed" })],
    do: up({ ...release(1), ...pgSettings({ a: "1" }) }),
    expect: { ...endsAsFailed, sent: ["PATCH <db>"], state: none },
    then: [
      {
        meanwhile: [connected()],
        do: up({ ...release(1), ...pgSettings({ a: "1" }) }),
        expect: { count: { RESTART: 1 }, state: release(1) },
      },
    ],
  },
  {
    promise: "waits for the operations of an earlier run before it is sent",
    given: { db: { ...size(1), timeouts: { update: 5 } } },
    operations: [operation("start_compute", { schedulingMs: 60_000 })],
    do: up(release(1)),
    expect: { error: "…after 5 s…", state: none },
    then: [{ meanwhile: [seconds(120)], do: up(release(1)), expect: { state: release(1) } }],
  },
  ...[
    { reason: "it was done, and the connection is cut", fault: lost, sent: once },
    { reason: "it was done, and the service answers 500", fault: done(500), sent: once },
    { reason: "it was done, and the service answers 503", fault: done(503), sent: once },
    {
      reason: "it was not done, and the service answers 503",
      fault: answers(503),
      sent: [...once, ...once],
    },
  ].map(({ reason, fault, sent }) => ({
    promise: "is looked for if its answer is lost",
    reason,
    given,
    faults: { RESTART: fault },
    do: up(release(1)),
    expect: { sent, restarts: 1 },
  })),
  {
    promise:
      "does not count as done if there is neither an answer nor a new start: the error says so, and the next run sends it again",
    given,
    faults: { RESTART: cut },
    do: up(release(1)),
    expect: {
      error:
        "…no operation shows that the compute was started…Run `pulumi up`, which sends the restart again…",
      sent: once,
      state: none,
    },
    then: [{ do: up(release(1)), expect: { restarts: 1, state: release(1) } }],
  },
  ...(["empty", "none"] as const).map((restartBody) => ({
    promise: "waits for operations that the answer leaves out",
    reason: `the switch restartBody is "${restartBody}"`,
    given: { ...given, service: { restartBody } },
    do: up(release(1)),
    expect: { live: { current_state: "active" }, says: [/^info: restarted/] },
  })),
  {
    promise: "is proven by the compute's start time if neither its answer nor a list names operations",
    given: { ...given, service: { service: "neon", restartBody: "empty" } },
    meanwhile: [seconds(2)],
    faults: { OPERATIONS: answers(403), RESTART: lost },
    do: up(release(1)),
    expect: {
      sent: once,
      restarts: 1,
      also: ({ engine, emulator, idOf }) => {
        const { started_at: startedAt = "" } = emulator.endpoint(idOf("db")).endpoint;
        expect(engine.rows.at(-1)).toContain(`info: restarted at ${startedAt.slice(11, 19)}`);
      },
    },
  },
  {
    promise: "does not hide that the change before it restarted the compute, if the compute is idle by now",
    given: { db: { ...size(1), ...release(1) }, service: { settingsRestart: true } },
    meanwhile: [connected()],
    faults: { RESTART: answers(409) },
    during: { RESTART: suspended() },
    do: up({ ...pgSettings({ jit: "off" }), ...release(2) }),
    expect: {
      rows: ["warning: restart: …", "info: restarted as announced…start_compute…"],
      state: release(2),
    },
  },
  ...([409, 422] as const).map((idleRestart) => ({
    promise: "does not fail if the compute has become idle since the run listed it",
    reason: `the service answers ${idleRestart}`,
    given: { ...given, service: { idleRestart } },
    meanwhile: [connected()],
    during: { RESTART: suspended() },
    do: up(release(1)),
    expect: { sent: once, restarts: 0, state: release(1), says: ["nothing was interrupted"] },
  })),
  {
    promise:
      "leaves its operations to the next run if they cannot be read, even if the service accepted the restart",
    given: { ...given, operationMs: 60_000 },
    faults: { OPERATION: always(answers(403)), OPERATIONS: always(answers(403)) },
    do: up(release(1)),
    expect: { error: "reading operation …", sent: once, state: none, also: leavesOperations },
    then: [{ do: up(release(1)), expect: { atLeast: 60, sent: once, state: release(1), also: nothingRuns } }],
  },
  {
    promise: "is sent again by the next run if the run that sent it was killed",
    given,
    do: up(release(1), { isKilled: true }),
    expect: { state: none, sent: once },
    then: [{ do: up(release(1)), expect: { sent: once, state: release(1) } }],
  },
]);
