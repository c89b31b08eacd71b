/** `restartTriggers`: what restarts a compute and what does not, with and without a policy. */
import { unknownValue } from "../../provider/model/unknown";
import type { Given } from "./row";
import { scenarios } from "./scenarios";
import { pgSettings, preview, refresh, size, up, upAll, without } from "./commands";
import { byHand, hours, othersMake, seconds, suspended } from "./events";
import { operation } from "./faults";

const triggers = (restartTriggers: Record<string, unknown>) => ({ restartTriggers });
const release = (number: number) => triggers({ release: number });
const given = { db: size(1) };
const both = triggers({ release: 2, key: "a" });

interface Together extends Pick<Given, "service"> {
  readonly reason: string;
  readonly more: Record<string, unknown>;
  readonly sent: number;
  readonly restarts: number;
}

const together: readonly Together[] = [
  { reason: "a size, which restarts the compute", more: size(2), sent: 0, restarts: 1 },
  {
    reason: "a size, whose restart shows only as apply_config",
    service: { restartedBy: "apply_config" },
    more: size(2),
    sent: 0,
    restarts: 1,
  },
  { reason: "disabled, which suspends the compute", more: { disabled: true }, sent: 0, restarts: 0 },
  {
    reason: "a setting, which does not restart the compute according to the interface",
    more: pgSettings({ a: "1" }),
    sent: 1,
    restarts: 1,
  },
  {
    reason: "a suspend timeout, which does not interrupt the compute",
    more: { suspendTimeoutSeconds: 900 },
    sent: 1,
    restarts: 1,
  },
];

scenarios("restartTriggers", [
  {
    promise: "restart an active compute when a value is added or changes, and say what happened",
    given,
    do: up(release(1)),
    expect: {
      step: "updated",
      restarts: 1,
      says: [
        "restart: restartTriggers (release)",
        /^info: restarted as announced; down for .* \(.*start_compute.*\)$/,
      ],
    },
    then: [
      { do: up(release(1)), expect: { step: "same" } },
      { do: up(release(2)), expect: { restarts: 1 } },
      { do: up(both), expect: { restarts: 1, sent: ["RESTART <db>"], state: both } },
      { do: up(both), expect: { step: "same" } },
    ],
  },
  {
    promise: "send nothing if one or all of them are removed, or if timeouts or onInterruption change",
    given: { db: { ...size(1), ...triggers({ release: 1, key: "a" }) } },
    do: up(release(1)),
    expect: { step: "updated", sent: [], never: ["restart: "] },
    then: [
      {
        do: up({ ...release(1), timeouts: { update: 60 }, onInterruption: "warn" }),
        expect: { sent: [], state: { timeouts: { update: 60 }, onInterruption: "warn" } },
      },
      { do: up(without("restartTriggers")), expect: { sent: [], state: { restartTriggers: undefined } } },
      // A trigger that was removed counts as new when it comes back.
      { do: up(release(1)), expect: { sent: ["RESTART <db>"] } },
    ],
  },
  {
    promise: "restart nothing in a creation, a replacement, a refresh or an adoption",
    do: up({ ...size(1), ...release(1) }),
    expect: { sent: ["POST"], never: ["restart: "] },
    then: [
      {
        do: up({ ...size(1), ...release(2), type: "read_only" }),
        expect: { step: "replaced", count: { RESTART: 0 }, state: release(2) },
      },
      { do: refresh(), expect: { state: release(2) } },
      {
        meanwhile: [othersMake("theirs", { type: "read_only" }), seconds(10)],
        do: upAll({ heir: { type: "read_only", adopt: "<theirs>", ...release(1) } }),
        expect: {
          sent: ["DELETE <db 2>"],
          never: ["restart: "],
          also: ({ engine }) => {
            expect(engine.stored("heir")?.outs).toMatchObject(release(1));
          },
        },
      },
    ],
  },
  ...together.map(({ reason, service = {}, more, sent, restarts }) => ({
    promise: "go together with another change in one update",
    reason,
    given: { ...given, service },
    do: up({ ...release(1), ...more }),
    expect: { count: { RESTART: sent, PATCH: 1 }, restarts, state: release(1) },
    then: [{ do: up({ ...release(1), ...more }), expect: { step: "same" } as const }],
  })),
  {
    promise:
      "restart the compute if the service applies a size in the same update live, as the start time shows",
    given: { ...given, service: { service: "neon", resize: "live" } },
    meanwhile: [seconds(60)],
    do: up({ ...release(1), ...size(2) }),
    expect: { sent: ["PATCH <db>", "RESTART <db>"], restarts: 1, state: release(1) },
  },
  {
    promise: 'are announced with "may" in the preview of an idle compute, and drop nothing',
    given,
    meanwhile: [suspended(), seconds(60)],
    do: preview(release(1)),
    expect: {
      says: [
        "may restart: restartTriggers (release) may drop open connections (compute idle now: none are open)",
      ],
      verdict: { effect: "restart", certain: false, now: "idle" },
    },
    then: [{ do: up(release(1)), expect: { sent: [] } }],
  },
  {
    promise: "restart the compute after the PATCH, once its operations have ended",
    given: { ...given, service: { lock: "project" } },
    do: up({ ...release(1), ...pgSettings({ a: "1" }) }),
    expect: {
      sent: ["PATCH <db>", "RESTART <db>"],
      says: [/^info: restarted as announced; down for .* \(apply_config.*, .*start_compute.*\)$/],
    },
  },
  ...[
    { running: "idle", event: suspended() },
    { running: "disabled", event: byHand({ disabled: true }) },
  ].map(({ running, event }) => ({
    promise: "do not start a compute that is not running, and the row says so",
    reason: `it is ${running}`,
    given,
    meanwhile: [event, seconds(60)],
    do: up(release(1)),
    expect: {
      sent: [],
      says: [`info: The compute is ${running}: there is nothing to restart.`],
      state: release(1),
    },
  })),
  {
    promise: "do not restart a compute that the same update enables, and no row mentions a restart",
    given: { db: { ...size(1), disabled: true } },
    meanwhile: [seconds(60)],
    do: up({ ...release(1), disabled: false }),
    expect: { sent: ["PATCH <db>"], state: release(1), never: ["there is nothing to restart"] },
  },
  {
    promise:
      "keep a secret out of rows and errors, and its old value out of the state after a failed restart",
    given: {
      db: { ...size(1), ...triggers({ token: "hunter2", kept: "plain" }), $secrets: ["restartTriggers"] },
    },
    operations: [operation("start_compute", { endStatus: "failed" })],
    do: up(triggers({ token: "another-token", kept: "plain" })),
    expect: {
      error: "…operation … (…) failed…",
      says: ["restartTriggers (token)"],
      never: [/hunter2|another-token/],
      state: triggers({ kept: "plain" }),
    },
    then: [
      {
        do: up(triggers({ token: "third-token", kept: "plain" }), { stack: { onInterruption: "forbid" } }),
        expect: { error: "…restartTriggers (token)…", never: [/hunter2|another-token|third-token/] },
      },
    ],
  },
  {
    promise: 'are announced with "may" in the preview if a value is unknown',
    given: { db: { ...size(1), ...triggers({ image: "v1" }) } },
    do: preview(triggers({ image: unknownValue })),
    expect: {
      says: ["may restart: restartTriggers (image)"],
      verdict: { effect: "restart", certain: false },
    },
    then: [{ do: up(), expect: { step: "same" } }],
  },
]);

const under = (onInterruption: string) => ({ db: size(1), stack: { onInterruption } });
const untilMonday =
  /^warning: restart, deferred until .*Mon 5 Jan 10:00 \(UTC\): restartTriggers \(release\) /;

scenarios("a restart under a policy", [
  {
    promise: "makes the preview fail if the policy forbids it, but other changes pass",
    given: under("forbid"),
    do: preview(release(1)),
    expect: {
      error: "changing compute <db>: restart: restartTriggers (release)…This is forbidden here…",
    },
    then: [{ do: up({ suspendTimeoutSeconds: 600 }), expect: { sent: ["PATCH <db>"] } }],
  },
  {
    promise:
      "waits for the window under defer, as every run says, and is no longer due once the old trigger is back",
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
    promise: "does not hold up the other changes of the update under defer",
    given: under("defer"),
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
