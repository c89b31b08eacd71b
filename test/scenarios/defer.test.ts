/** `onInterruption: "defer"`: which changes wait, until when, and which are refused because they cannot wait. */
import { scenarios } from "./scenarios";
import { pgSettings, preview, size, up } from "./commands";
import { byHand, connected, hours, idle } from "./events";
import { answers } from "./faults";

const defer = { onInterruption: "defer" };
/** The clock starts on a Monday at 08:00. */
const inWindow = { ...defer, interruptionWindow: "Mon 10:00-12:00 UTC" };
const awake = { suspendTimeoutSeconds: -1 };
const both = { ...size(2), suspendTimeoutSeconds: 600 };
const db = { ...size(1), suspendTimeoutSeconds: 300 };

const untilIdle =
  "warning: restart, deferred until an update finds the compute idle: size 1 → 2 CU …(compute active now…";
const untilMonday =
  "warning: restart, deferred until an update finds the compute idle or runs in the window from Mon 5 Jan 10:00 (UTC): size 1 → 2 CU …";

scenarios("onInterruption defer", [
  {
    promise:
      "puts off the restart of an active compute, applies the other changes at once, and resizes the compute once it is idle",
    given: { db, stack: defer },
    meanwhile: [connected()],
    do: up(both),
    expect: {
      rows: [untilIdle],
      step: "updated",
      sent: [{ "PATCH <db>": { suspend_timeout_seconds: 600 } }],
      live: { autoscaling_limit_max_cu: 1, suspend_timeout_seconds: 600 },
      state: { autoscalingLimitMaxCu: 1, suspendTimeoutSeconds: 600 },
    },
    then: [
      { do: up(both), expect: { rows: [untilIdle], step: "updated", sent: [] } },
      // A change that is taken back no longer waits.
      { do: up({ suspendTimeoutSeconds: 600 }), expect: { step: "same" } },
      {
        meanwhile: [idle()],
        do: up(both),
        expect: {
          rows: [
            "warning: restart: size 1 → 2 CU …(compute idle now: none are open)…; applied if the update finds the compute idle, otherwise left for a later update",
            "info: nothing was interrupted: the compute was not running (apply_config 1 s, suspend_compute 2 s)",
          ],
          live: { autoscaling_limit_max_cu: 2, current_state: "idle" },
        },
      },
      { do: up(both), expect: { step: "same", rows: [] } },
    ],
  },
  {
    promise: "stores no old value of a secret setting while a change of that setting waits",
    given: {
      db: { ...db, ...pgSettings({ "ext.a": "of-before", "ext.b": "kept" }), $secrets: ["settings"] },
      stack: defer,
    },
    meanwhile: [connected()],
    do: up({ ...pgSettings({ "ext.a": "in-clear", "ext.b": "kept" }), $secrets: ["settings"] }),
    expect: { sent: [], state: { settings: { pgSettings: { "ext.b": "kept" } } } },
    then: [
      {
        meanwhile: [idle()],
        do: up({ ...pgSettings({ "ext.a": "in-clear", "ext.b": "kept" }), $secrets: ["settings"] }),
        expect: {
          sent: ["PATCH <db>"],
          live: { settings: { pg_settings: { "ext.a": "in-clear", "ext.b": "kept" } } },
        },
      },
    ],
  },
  {
    promise: "puts off the restart for a renamed secret trigger, and stores none of its values",
    given: {
      db: { ...db, restartTriggers: { old: "of-before" }, $secrets: ["restartTriggers"] },
      stack: defer,
    },
    meanwhile: [connected()],
    do: up({ restartTriggers: { renamed: "of-now" }, $secrets: ["restartTriggers"] }),
    expect: { sent: [], state: { restartTriggers: {} } },
    then: [
      {
        do: up({ restartTriggers: { renamed: "of-now" } }, { stack: { interruptionWindow: "always" } }),
        expect: { sent: ["RESTART <db>"], state: { restartTriggers: { renamed: "of-now" } } },
      },
    ],
  },
  {
    promise: "refuses a change that also declares a secret size in plain text, and says why",
    given: { db: { ...db, $secrets: ["autoscalingLimitMinCu", "autoscalingLimitMaxCu"] }, stack: defer },
    meanwhile: [connected()],
    do: up({ ...size(2), $secrets: [] }),
    expect: {
      error:
        "…This cannot be deferred, …(compute:onInterruption). A change that makes a secret value public is refused instead: …in plain text. Run `pulumi up` once the compute is idle.…",
      sent: [],
    },
  },
  {
    promise: "says only what waits if somebody has changed the size by hand",
    given: { db, stack: defer, engine: { readsFirst: false } },
    meanwhile: [byHand({ autoscaling_limit_min_cu: 2, autoscaling_limit_max_cu: 2 }), connected()],
    do: up(size(4)),
    expect: { said: ["warning: restart, deferred until an update finds the compute idle: size 2 → 4 CU …"] },
  },
  {
    promise: "applies the changes that interrupt nothing at once, and the others in the window",
    given: { db, stack: inWindow },
    meanwhile: [connected()],
    do: up({ ...size(2), ...awake }),
    expect: { step: "updated", rows: [untilMonday] },
    then: [
      {
        meanwhile: [hours(2)],
        do: up({ ...size(2), ...awake }),
        expect: { live: { autoscaling_limit_max_cu: 2, current_state: "active" } },
      },
    ],
  },
  {
    promise: "announces in the preview which change waits, as text and as data",
    given: { db, stack: inWindow },
    meanwhile: [connected()],
    do: preview(size(2)),
    expect: {
      verdict: {
        effect: "none",
        now: "active",
        deferred: {
          effect: "restart",
          text: "until an update finds the compute idle or runs in the window from Mon 5 Jan 10:00 (UTC)",
        },
      },
      rows: [untilMonday],
      sent: [],
    },
  },
  {
    promise: "puts off a suspension too",
    given: { db, stack: defer },
    do: up({ disabled: true }),
    expect: { live: { disabled: false } },
    then: [
      {
        do: up({ disabled: true }, { stack: { interruptionWindow: "always" } }),
        expect: { live: { disabled: true } },
      },
    ],
  },
  {
    promise: "treats a disabled compute as idle, and enables it at any time",
    given: { db, stack: defer },
    meanwhile: [idle()],
    do: up({ disabled: true }),
    then: [
      {
        do: up({ disabled: true, ...size(2) }),
        expect: { live: { autoscaling_limit_max_cu: 2, disabled: true } },
      },
      { do: up({ disabled: false, ...size(2) }), expect: { live: { disabled: false } } },
    ],
  },
  ...[
    { reason: "a move", stack: defer, more: { branchId: "<other branch>" } },
    { reason: "a replacement", stack: defer, more: { type: "read_only" } },
    { reason: "a move outside the window", stack: inWindow, more: { branchId: "<other branch>" } },
    // The dynamic provider is not told that a replacement is forced: it sees a new compute.
    {
      reason: "a forced replacement",
      stack: inWindow,
      more: {},
      how: { replace: ["db"] },
      type: "read_only",
      variants: ["native" as const],
    },
  ].map(({ reason, stack, more, how = {}, type, variants }) => ({
    promise: "refuses a change that cannot be deferred if the compute is active, and sends nothing",
    reason,
    ...(variants && { variants }),
    given: { db: { ...db, type }, stack },
    meanwhile: [connected()],
    do: up({ ...size(2), ...more }, how),
    expect: {
      error: `…. This cannot be deferred, although onInterruption is "defer" in the stack's configuration (compute:onInterruption). Moves, replacements…Run \`pulumi up\` once the compute is idle${stack === defer ? "" : ", or in the window from Mon 5 Jan 10:00 (UTC)"}. To apply the change now, set…`,
      sent: [],
      state: size(1),
    },
    then: [{ meanwhile: [hours(2)], do: up({ ...size(2), ...more }, how) }],
  })),
  {
    promise: "has nothing to put off if the compute already runs as declared",
    given: { db, stack: inWindow },
    meanwhile: [byHand({ autoscaling_limit_min_cu: 2, autoscaling_limit_max_cu: 2 })],
    do: up(size(2)),
    expect: { said: [], state: { autoscalingLimitMaxCu: 2 } },
  },
  {
    promise: "still puts off the interruption after an update that failed, and applies the other changes",
    given: { db, stack: inWindow },
    meanwhile: [hours(2), connected()],
    faults: { PATCH: answers(400) },
    do: up({ ...size(2), ...awake }),
    expect: { error: "…the service answered 400…" },
    then: [
      {
        meanwhile: [hours(4), connected()],
        do: up({ ...size(2), suspendTimeoutSeconds: 3_600 }),
        expect: {
          said: [
            "warning: restart, deferred until an update finds the compute idle or runs in the window from Mon 12 Jan 10:00 (UTC): size 1 → 2 CU…",
          ],
          live: { suspend_timeout_seconds: 3_600 },
          sent: ["PATCH <db>"],
        },
      },
      {
        do: up({ ...size(2), suspendTimeoutSeconds: 3_600 }, { stack: { onInterruption: "warn" } }),
        expect: { sent: ["PATCH <db>"] },
      },
    ],
  },
]);
