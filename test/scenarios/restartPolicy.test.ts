/** A restart that a trigger asks for, under a policy. */
import { preview, size, up } from "./commands";
import { hours, suspended } from "./events";
import { scenarios } from "./scenarios";

const release = (number: number) => ({ restartTriggers: { release: number } });
const given = (onInterruption: string) => ({ db: size(1), stack: { onInterruption } });
const untilMonday =
  /^warning: deferred until .*Mon 5 Jan 10:00 \(UTC\): restart: restartTriggers \(release\) /;

scenarios("a restart under a policy", [
  ...[
    { reason: "of the resource", db: { onInterruption: "forbid" }, stack: {} },
    { reason: "of the stack", db: {}, stack: { onInterruption: "forbid" } },
  ].map(({ reason, db, stack }) => ({
    promise: "that forbids it fails the preview, and no other change",
    reason,
    given: { db: { ...size(1), ...db }, stack },
    do: preview(release(1)),
    expect: {
      error:
        "changing compute <db>: restart: restartTriggers (release)…This is forbidden here…",
    },
    then: [{ do: up({ suspendTimeoutSeconds: 600 }), expect: { sent: ["PATCH <db>"] } }],
  })),
  {
    promise: "that forbids it lets the run pass that creates the compute, and one that removes a trigger",
    given: { stack: { onInterruption: "forbid" } },
    do: up({ ...size(1), ...release(1) }),
    expect: { count: { POST: 1, RESTART: 0 } },
    then: [{ do: up({ ...size(1), restartTriggers: {} }), expect: { sent: [] } }],
  },
  {
    promise: "forbid-when-active refuses while it is active, and passes once it is idle",
    given: given("forbid-when-active"),
    do: preview(release(1)),
    expect: { error: "…This is forbidden here…" },
    then: [{ meanwhile: [suspended()], do: up(release(1)), expect: { sent: [] } }],
  },
  {
    promise:
      "defer waits for the window, says so in every run, and nothing waits once the old trigger is back",
    given: {
      db: { ...size(1), suspendTimeoutSeconds: -1 },
      stack: { onInterruption: "defer", interruptionWindow: "Mon 10:00-12:00 UTC" },
    },
    do: up(release(1)),
    expect: { says: [untilMonday], sent: [], state: { restartTriggers: undefined } },
    then: [
      { do: preview(release(1)), expect: { says: [untilMonday], step: "updated" } },
      { meanwhile: [hours(2)], do: up(release(1)), expect: { sent: ["RESTART <db>"], state: release(1) } },
      { meanwhile: [hours(2)], do: up(release(2)), expect: { sent: [], state: release(1) } },
      { do: up(release(1)), expect: { step: "same" } },
    ],
  },
  {
    promise: "defer applies the other changes of the update now",
    given: given("defer"),
    do: up({ ...release(1), suspendTimeoutSeconds: 900 }),
    expect: {
      sent: ["PATCH <db>"],
      live: { suspend_timeout_seconds: 900 },
      state: { restartTriggers: undefined },
    },
    then: [
      {
        meanwhile: [hours(1)],
        do: up({ ...release(1), suspendTimeoutSeconds: 900 }),
        expect: { sent: [], state: release(1) },
      },
    ],
  },
]);
