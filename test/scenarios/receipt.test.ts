/** What an update says afterwards: whether it interrupted the compute, and what was announced. */
import type { Switches } from "../../emulator";
import type { Values } from "../support/providerHandlers";
import type { Row } from "./row";
import { scenarios } from "./scenarios";
import { size, unread, up, updateAlone } from "./commands";
import { connected, restarted, seconds } from "./events";
import { always, lost, operation, since, stale } from "./faults";
import type { World } from "./world";

const db = size(1);
const restartedBy = "down for at most 2.3 s (apply_config 1 s, start_compute 2 s)";
const announced = "warning: restart: size 1 → 2 CU …";
/** The service gives times in whole seconds, so the compute must have started well before the update. */
const rested = [seconds(2)];
/** The state contains nothing from the receipt. */
const nowhereStored = ({ engine }: World): void => {
  expect(JSON.stringify(engine.stored("db"))).not.toMatch(/receipt|start_compute/);
};

interface Case {
  readonly reason: string;
  readonly args?: Values;
  readonly service?: Partial<Switches>;
  readonly more: Values;
  readonly rows: readonly (string | RegExp)[];
}
const cases: readonly Case[] = [
  { reason: "a restart", more: size(2), rows: [announced, `info: restarted as announced; ${restartedBy}`] },
  {
    reason: "an interruption that was not certain",
    args: { poolerEnabled: false },
    more: { poolerEnabled: true },
    rows: [
      "warning: may …",
      "info: no operation shows whether connections dropped (apply_config 1 s); a possible interruption was announced",
    ],
  },
  {
    reason: "it is empty if no interruption was announced and no operation shows one",
    more: { suspendTimeoutSeconds: 600 },
    rows: [],
  },
  {
    reason: "a restart by apply_config alone, with the time that the service shows",
    service: { service: "neon", restartedBy: "apply_config" },
    more: size(2),
    rows: [announced, /^info: restarted at \d\d:\d\d:\d\d as announced \(apply_config 1 s\)$/],
  },
  {
    reason: "a size that takes effect live, as the compute's start time shows",
    service: { service: "neon", restartedBy: "apply_config", resize: "live" },
    more: size(2),
    rows: [announced, /^info: not restarted \(running since \d\d:\d\d:\d\d\); a restart was announced$/],
  },
];

scenarios("the receipt of an update", [
  ...cases.map(({ reason, args = {}, service = {}, more, rows }): Row => ({
    promise: "says what happened",
    reason,
    given: { db: { ...db, ...args }, service },
    meanwhile: rested,
    do: up(more),
    expect: { rows, also: nowhereStored },
  })),
  {
    promise: "says after a lost answer that no operation shows what happened",
    given: { db },
    faults: { PATCH: lost },
    do: up(size(2)),
    expect: {
      rows: [announced, "info: no operation shows whether connections dropped; a restart was announced"],
    },
  },
  {
    promise: "shows no time from an outdated list, and the state has the values of the answer",
    given: { db, service: { service: "neon", restartedBy: "apply_config" } },
    meanwhile: rested,
    faults: { LIST: since("PATCH", always(stale)) },
    do: up(size(2)),
    expect: {
      rows: [
        announced,
        "info: no operation shows whether connections dropped (apply_config 1 s); a restart was announced",
      ],
      state: size(2),
    },
  },
  {
    promise: "is also given for an adoption that restarts the compute",
    meanwhile: [seconds(5)],
    do: up({ branchId: "<default branch>", adopt: "<default primary>", ...size(4) }),
    expect: {
      says: ["info: restarted as announced; down for at most 2.3 s (apply_config 1 s, start_compute 2 s)"],
    },
  },
  {
    promise: "needs no request besides the wait and the lists before and after the change",
    given: { db },
    meanwhile: [connected()],
    do: up(size(2)),
    expect: { requests: ["LIST", "PATCH", "OPERATIONS", "OPERATIONS", "OPERATION", "OPERATION", "LIST"] },
  },
  {
    promise: "says that nothing announced the restart if no diff ran in the same process",
    given: { db },
    meanwhile: rested,
    do: updateAlone(size(2)),
    expect: {
      said: [`warning: restarted; no interruption was announced; ${restartedBy}`],
    },
  },
]);

/** The timeout is shorter than the operations of the first run. */
const short = { ...size(2), timeouts: { update: 1 } };
/** If the plugin read the compute first, it would find the new size and send nothing. */
const running = { given: { db, engine: unread }, meanwhile: [connected(), seconds(60)] };
const slowly = { operations: [operation("apply_config", { runningMs: 5_000 })] };
const locked = { ...running, given: { ...running.given, service: { lock: "project" } as const } };
scenarios("a restart that an earlier run began", [
  ...[running, locked].map((one) => ({
    promise: "is not reported by the update that sends the change again",
    reason: one === locked ? "in a locked project" : "in a project that is not locked",
    ...one,
    ...slowly,
    do: up(short, { isKilled: true }),
    then: [
      {
        do: up(size(2)),
        // The service already shows the new size, so the diff announces nothing. A plugin's diff cannot tell an update from a
        // preview, so it prints what a preview would print.
        native: { rows: ["info: nothing is interrupted: the service already has these values"] },
        dynamic: { rows: [] },
      },
    ],
  })),
  {
    promise: "is reported by the update that only waits for it, but not as a restart",
    ...running,
    ...slowly,
    do: up(short),
    expect: { error: "…was still running…" },
    then: [
      {
        do: up(size(2)),
        expect: {
          rows: ["info: finished what an earlier run had started (apply_config 5 s, start_compute 6 s)"],
        },
      },
    ],
  },
  {
    promise: "is not reported by the update that waits for it and then changes something else",
    ...running,
    ...slowly,
    do: up(short),
    expect: { error: "…was still running…" },
    then: [{ do: up({ ...size(2), suspendTimeoutSeconds: 900 }), expect: { rows: [] } }],
  },
  ...[
    { reason: "for comparison, somebody else began the restart, which ended before that update", wait: 10 },
    { reason: "for comparison, somebody else began the restart, which ends during that update", wait: 0 },
  ].map(({ reason, wait }) => ({
    promise: "is not reported by a later update, which does not list operations because of it",
    reason,
    given: { db: { ...db, poolerEnabled: false }, engine: unread },
    meanwhile: [seconds(60), connected(), restarted(), seconds(wait)],
    do: up({ poolerEnabled: true }),
    expect: { count: { OPERATIONS: 0 }, never: [/restarted/] },
  })),
]);
