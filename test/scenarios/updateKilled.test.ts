/** What an update sends if an earlier run sent the same change and was killed, so that the state does not show it. */
import { scenarios } from "./scenarios";
import { size, unread, up, wireSize } from "./commands";
import { connected, nothingRuns, seconds } from "./events";
import { lists, operation } from "./faults";

const db = size(1);

/** What a killed run has sent, the state does not show. */
const sendsNothing = {
  do: up(size(2)),
  expect: { sent: [], restarts: 0, state: size(2), live: wireSize(2) },
};
/** A list from before the latest change. */
const lateLists = lists((live) => [{ ...live, ...wireSize(1) }], 2);

scenarios("a change in a run that was killed", [
  ...[{}, unread].map((engine) => ({
    promise: "is not sent again once the service shows it",
    reason: engine === unread ? "no variant reads first" : "the plugin reads first",
    given: { db, engine },
    meanwhile: [seconds(60), connected()],
    do: up(size(2), { isKilled: true }),
    then: [
      { meanwhile: [connected()], ...sendsNothing },
      { do: up(size(2)), expect: { sent: [], said: [] } },
    ],
  })),
  {
    promise: "is not sent again while its operations run: the next run waits for them",
    given: { db, engine: unread },
    meanwhile: [seconds(60), connected()],
    operations: [operation("start_compute", { runningMs: 60_000 })],
    do: up({ ...size(2), timeouts: { update: 1 } }, { isKilled: true }),
    then: [
      {
        do: up(size(2)),
        expect: {
          sent: [],
          also: nothingRuns,
          says: ["info: finished what an earlier run had started (start_compute…"],
        },
      },
    ],
  },
  {
    promise: "is sent again if its last operation failed",
    given: { db, engine: unread },
    meanwhile: [seconds(60), connected()],
    operations: [operation("start_compute", { endStatus: "failed" })],
    do: up(size(2), { isKilled: true }),
    then: [{ do: up(size(2)), expect: { sent: ["PATCH <db>"] } }],
  },
  {
    promise: "leaves only the rest to send, if the next run declares more",
    given: { db, engine: unread },
    meanwhile: [seconds(60), connected()],
    do: up(size(2), { isKilled: true }),
    then: [
      {
        do: up({ ...size(2), suspendTimeoutSeconds: 900 }),
        expect: { sent: [{ "PATCH <db>": { suspend_timeout_seconds: 900 } }], state: size(2) },
      },
    ],
  },
]);

scenarios("a change back to the former values", [
  {
    promise: "is sent, although late lists still show those values",
    given: { db, engine: unread },
    meanwhile: [seconds(60), connected()],
    do: up(size(2)),
    then: [{ faults: { LIST: lateLists }, do: up(size(1)), expect: { sent: ["PATCH <db>"] } }],
  },
]);
