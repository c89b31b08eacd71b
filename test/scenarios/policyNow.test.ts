/** Changes that the policy judges again right before they are sent, since the compute could have changed after the preview. */
import type { Event } from "./row";
import { scenarios } from "./scenarios";
import { size, unread, up, wireSize } from "./commands";
import { byHand, connected, hours, idle } from "./events";
import { answers, cut, times } from "./faults";

const defer = { onInterruption: "defer" };
const both = { ...size(2), suspendTimeoutSeconds: 600 };
const db = { ...size(1), suspendTimeoutSeconds: 300 };

const closed = { ...defer, interruptionWindow: "Mon 05:00-07:59 UTC" };
/** How many LIST requests precede the one of the update itself: check and diff share one. */
const updatesList = 1;
const connects = { LIST: [updatesList, connected()] as const };

/** Two hours pass, from eight to ten, and a client connects: the window opens. */
const opensWindow: Event = (world) => {
  hours(2)(world);
  connected()(world);
};

scenarios("an update that was checked while the compute was idle", [
  ...[
    { reason: "without a window", stack: defer, until: "until an update finds the compute idle" },
    {
      reason: "after its window",
      stack: closed,
      until: "until an update finds the compute idle or runs in the window from Mon 12 Jan 05:00 (UTC)",
    },
  ].map(({ reason, stack, until }) => ({
    promise:
      "defers the interrupting part if the compute has become active, and a later update applies that part",
    reason,
    given: { db, stack, engine: unread },
    meanwhile: [idle()],
    during: connects,
    do: up(both),
    expect: {
      state: { autoscalingLimitMaxCu: 1, suspendTimeoutSeconds: 600 },
      sent: [{ "PATCH <db>": { suspend_timeout_seconds: 600 } }],
      said: [
        "…applied if the update finds the compute idle, otherwise left for a later update",
        `warning: restart, deferred ${until}: size 1 → 2 CU …active now…`,
      ],
    },
    then: [{ meanwhile: [hours(1)], do: up(both), expect: { state: { autoscalingLimitMaxCu: 2 } } }],
  })),
  {
    promise:
      'reports "restarted as announced" if the diff deferred the restart and the window has opened since',
    given: { db, stack: { ...defer, interruptionWindow: "Mon 10:00-12:00 UTC" } },
    meanwhile: [connected()],
    during: { LIST: [updatesList, opensWindow] },
    do: up({ ...size(2), timeouts: { update: 9_000 } }),
    expect: {
      rows: [
        "warning: restart, deferred until an update finds the compute idle or runs in the window from Mon 5 Jan 10:00 (UTC): size 1 → 2 CU…",
        "info: apply_config …has the status running after 7205 s…",
        "info: restarted as announced; down for at most … (…",
      ],
      state: { autoscalingLimitMaxCu: 2 },
    },
  },
  ...[
    { reason: "under defer", stack: defer },
    { reason: "under forbid-when-active", stack: { onInterruption: "forbid-when-active" } },
  ].map(({ reason, stack }) => ({
    promise: "does not send its change again once a client uses the compute, and the next run decides anew",
    reason,
    given: { db: size(1), stack, engine: unread },
    meanwhile: [idle()],
    faults: { PATCH: cut },
    during: { PATCH: connected() },
    do: up(size(2)),
    expect: { error: "…", sent: ["PATCH <db>"], state: size(1), live: { autoscaling_limit_max_cu: 1 } },
    then: [{ meanwhile: [idle()], do: up(size(2)), expect: { state: size(2) } }],
  })),
  {
    promise: "does not report the compute as idle if it sent the change twice",
    given: { db: size(1), stack: defer, engine: unread },
    meanwhile: [idle()],
    faults: { PATCH: cut },
    do: up(size(2)),
    expect: { sent: ["PATCH <db>", "PATCH <db>"], never: ["was not running"] },
  },
  {
    promise: "lists the computes again right before it sends the change, after other writes to the project",
    given: { db, stack: defer, engine: unread },
    meanwhile: [idle()],
    do: up(size(2)),
    expect: {
      requests: ["LIST", "LIST", "PATCH", "OPERATIONS", "OPERATIONS", "OPERATION", "OPERATION", "LIST"],
    },
  },
  {
    promise: "treats the compute as active if it cannot list the computes",
    given: { db, stack: defer, engine: unread },
    meanwhile: [idle()],
    during: {
      LIST: [
        updatesList,
        ({ emulator }) => {
          emulator.addFault(times(3, { ...answers(404), route: "listEndpoints" }));
        },
      ],
    },
    do: up(size(2)),
    expect: {
      error: "…",
      says: ["restart, deferred until an update finds the compute idle: "],
      sent: [],
    },
  },
  ...[
    {
      what: "a move",
      policy: "defer",
      more: { branchId: "<other branch>" },
      error:
        "…. This cannot be deferred, although …. Moves, replacements…Run `pulumi up` once the compute is idle. To apply the change now, set…",
    },
    {
      what: "a new size",
      policy: "forbid-when-active",
      more: {},
      error: "changing compute <db>: restart: …(compute active now…This is forbidden here…",
    },
  ].map(({ what, policy, more, error }) => ({
    promise:
      "refuses a change that would interrupt a client, and a later update applies it once the compute is idle",
    reason: `${what} under ${policy}`,
    given: { db, stack: { onInterruption: policy }, engine: unread },
    meanwhile: [idle()],
    during: connects,
    do: up({ ...size(2), ...more }),
    expect: { error, sent: [] },
    then: [{ meanwhile: [idle()], do: up({ ...size(2), ...more }), expect: { state: size(2) } }],
  })),
  {
    promise: "sends only what differs from the state if live facts are off, as its preview said",
    given: { db: size(1), stack: { ...defer, liveFacts: "false" }, engine: unread },
    meanwhile: [byHand(wireSize(2)), idle()],
    do: up({ ...size(1), poolerEnabled: true }),
    expect: { sent: [{ "PATCH <db>": { pooler_enabled: true } }] },
    behind: "somebody changed the size by hand",
  },
  {
    promise: "does not show a secret size in its refusal",
    given: { db: size(1), stack: { onInterruption: "forbid-when-active" }, engine: unread },
    meanwhile: [idle()],
    during: connects,
    do: up({ ...size(2), $secrets: ["autoscalingLimitMinCu", "autoscalingLimitMaxCu"] }),
    expect: { error: "changing compute <db>: restart: size (secret) drops…", sent: [] },
  },
  {
    promise: "refuses an adoption that cannot be deferred, and a later update adopts the compute",
    reason: "for comparison: here the check finds the compute active",
    given: { stack: defer },
    meanwhile: [connected("default primary")],
    do: up({ branchId: "<default branch>", adopt: "<default primary>", ...size(4) }),
    expect: { error: "…cannot be deferred…", sent: [] },
    then: [
      {
        meanwhile: [hours(1)],
        do: up({ branchId: "<default branch>", adopt: "<default primary>", ...size(4) }),
        expect: { state: { autoscalingLimitMaxCu: 4 } },
      },
    ],
  },
]);
