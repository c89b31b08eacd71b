/** Operations that fail or take too long: what the state keeps, and how the next run goes on. */
import type { Row } from "./row";
import { scenarios } from "./scenarios";
import { destroy, size, unread, up, wireSize } from "./commands";
import { connected, goingSo, nothingPending, othersMake, seconds, stateEdited, suspended } from "./events";
import { always, answers, lists, lost, operation, page, unlisted } from "./faults";
import type { World } from "./world";

const failed = [operation("start_compute", { endStatus: "failed" })];
const endedAsFailed = "…operation start_compute (…) failed…";
const within = (create: number) => ({ timeouts: { create } });

scenarios("a create whose operation fails or takes too long", [
  {
    promise: "keeps the id, says why it failed, and is continued by the next run without a second POST",
    operations: failed,
    do: up(),
    expect: {
      error: /^creating compute <db>: operation start_compute \(.*\) failed/,
      state: { branchId: "<branch>" },
      also: ({ engine }) => {
        expect(engine.stored("db")?.outs["__operations"]).toHaveLength(1);
      },
    },
    then: [
      // Nothing has changed: the compute is still down.
      { meanwhile: [suspended()], do: up(), expect: { error: endedAsFailed, sent: [], said: [] } },
      // Somebody connects, and the compute starts after all.
      {
        meanwhile: [connected()],
        do: up(),
        expect: { sent: [], says: [") failed, but the compute is active now."], also: nothingPending },
      },
    ],
  },
  {
    promise: "keeps the id if the wait is too long, and the next run continues the wait",
    operations: [operation("start_compute", { runningMs: 60_000 })],
    do: up(within(10)),
    expect: { error: "…was still running after 10 s…", sent: ["POST"] },
    then: [
      {
        do: up(within(10)),
        expect: {
          sent: [],
          live: { current_state: "active" },
          rows: ["info: finished what an earlier run had started (start_compute 60 s)"],
        },
      },
      { do: destroy(), expect: { state: null } },
    ],
  },
  {
    promise: "keeps the id if the operation vanishes and the compute does not show how the operation ended",
    operations: [operation("start_compute", { vanished: true, stuck: "running" })],
    do: up(within(10)),
    expect: { error: "…the service no longer shows operation start_compute…" },
    then: [
      { do: up(within(10)), expect: { sent: [] } },
      { do: destroy(), expect: { state: null } },
    ],
  },
  {
    promise: "keeps the id if the operation has an unknown status, which does not count as success",
    operations: [operation("start_compute", { endStatus: "thawed" })],
    do: up(within(5)),
    expect: {
      error:
        '…: after 5 s, …has the status "thawed", which this version does not support. Check at the service how the operation ended, then run the same command again. It continues if the compute is active, or was active after that operation. A newer…',
    },
    then: [
      { meanwhile: [connected()], do: up(within(5)), expect: { also: nothingPending } },
      { do: destroy(), expect: { state: null } },
    ],
  },
  {
    promise: "no longer fails once the compute has run after the operation, even if it is idle now",
    operations: failed,
    do: up(),
    expect: { error: endedAsFailed },
    then: [
      {
        meanwhile: [seconds(60), connected(), seconds(5), suspended(), seconds(5)],
        do: up(),
        expect: {
          said: ["warning: …operation … (…) failed, but the compute is idle now."],
          also: nothingPending,
        },
      },
    ],
  },
  {
    promise: "does not hold up a change if the operation fails while the next update waits for it",
    operations: [operation("start_compute", { endStatus: "failed", runningMs: 20_000 })],
    do: up(within(5)),
    expect: { error: "…was still running…" },
    then: [{ do: up({ ...within(5), ...size(2) }), expect: { state: size(2), also: nothingPending } }],
  },
  {
    promise: "still fails in the next run if no list shows the compute",
    operations: failed,
    do: up(),
    expect: { error: endedAsFailed },
    then: [
      {
        meanwhile: [connected()],
        faults: { LIST: unlisted },
        do: up(),
        expect: { error: endedAsFailed, sent: [] },
      },
    ],
  },
  {
    promise: "fails even if the answer to its POST was lost",
    faults: { POST: lost },
    operations: failed,
    do: up(),
    expect: { error: endedAsFailed, sent: ["POST"] },
  },
  {
    promise: "fails in the next run if its own run could not list operations",
    faults: { POST: lost, OPERATIONS: always(answers(500)) },
    operations: [operation("start_compute", { runningMs: 120_000, endStatus: "failed" })],
    do: up(),
    expect: { error: "…", never: ["operation … (…) failed"] },
    then: [{ do: up(), expect: { error: endedAsFailed, sent: [] } }],
  },
  {
    promise: "does not hold up a change if the operation has an unknown status",
    operations: [operation("start_compute", { endStatus: "completed" })],
    do: up(within(5)),
    expect: { error: "…" },
    then: [{ do: up({ ...within(5), ...size(2) }), expect: { state: size(2), within: 15 } }],
  },
]);

/** The state has an operation that the service does not know; another compute of the project takes an hour to start. */
const ofNobody = [
  stateEdited((stored) => [
    { ...stored, outs: { ...stored.outs, __operations: ["11111111-1111-4111-8111-111111111111"] } },
  ]),
  goingSo(
    { action: "start_compute", runningMs: 3_600_000, times: 1 },
    othersMake("replica", { type: "read_only" }),
  ),
];
const about = { type: "about:blank", title: "Not Found", status: 404 };
const over: readonly Omit<Row, "promise" | "do">[] = [
  { reason: "the 404 has no body", faults: { OPERATION: answers(404) } },
  {
    reason: "the 404 has a web framework's body",
    faults: { OPERATION: answers(404, { body: { detail: "Not Found" } }) },
  },
  { reason: "the 404 has problem details", faults: { OPERATION: answers(404, { body: about }) } },
  {
    reason: "the 404 has the service's own words, and operations cannot be listed",
    faults: { OPERATIONS: always(answers(403, { body: { code: "FORBIDDEN", message: "no" } })) },
  },
];

const awaitedBeforeThePatch = ({ emulator }: World): void => {
  const all = emulator.requests().map(({ route }) => route);
  const before = all.slice(0, all.indexOf("updateEndpoint"));
  expect(before.filter((route) => route === "getOperation").length).toBeGreaterThan(2);
};

const stillRunning = {
  operations: [operation("start_compute", { runningMs: 60_000 })],
  do: up({ ...size(1), ...within(10) }),
  expect: { error: "…was still running…" },
};

scenarios("an update whose operation takes too long", [
  {
    promise: "stays in the state after the next run has waited for its operations, even if a list is late",
    given: { db: { ...size(1), timeouts: { update: 10 } }, engine: unread },
    operations: [{ runningMs: 60_000, times: 1 }],
    do: up(size(2)),
    expect: { error: "…was still running…" },
    then: [
      {
        meanwhile: [seconds(60)],
        faults: { LIST: lists((live) => [{ ...live, ...wireSize(1) }], 1) },
        do: up(size(2)),
        expect: { sent: [], state: size(2) },
      },
    ],
  },
]);

scenarios("an operation of an earlier run, whose read is answered with 404", [
  ...over.map((row) => ({
    promise: "counts as ended if the service has forgotten it",
    given: { db: size(1) },
    meanwhile: ofNobody,
    do: up(size(2)),
    expect: { state: size(2), within: 60 },
    ...row,
  })),
  ...[
    { reason: "the 404 is a gateway's page", body: page },
    { reason: "a copy of the service lags behind", body: { code: "NOT_FOUND", message: "?" } },
  ].map(({ reason, body }) => ({
    promise: "is waited for all the same",
    reason,
    ...stillRunning,
    then: [
      {
        faults: { OPERATION: answers(404, { body }) },
        do: up({ ...size(2), ...within(10) }),
        expect: { state: size(2), also: awaitedBeforeThePatch },
      },
    ],
  })),
  {
    promise: "stays in the state, and nothing is sent, if a web page comes instead of the list of operations",
    ...stillRunning,
    then: [
      {
        faults: {
          OPERATION: always(answers(404, { body: page })),
          OPERATIONS: always(answers(404, { body: page })),
        },
        do: up({ ...size(2), ...within(10) }),
        expect: { error: "…the service answered 404…", sent: [] },
      },
    ],
  },
]);
