/** Answers that the interface does not describe: none of them loses a compute or blocks another one. */
import { scenarios } from "./scenarios";
import { destroy, preview, size, up } from "./commands";
import { nothingPending, nothingRuns, seconds } from "./events";
import {
  always,
  answers,
  answersBody,
  doesNothing,
  forAWhile,
  lists,
  operation,
  since,
  stale,
} from "./faults";
import type { World } from "./world";

const before = { ...size(1), suspendTimeoutSeconds: 600 };
const changed = { suspendTimeoutSeconds: 900 };

const notFound = answers(404, { body: { code: "NOT_FOUND", message: "no such operation" } });

scenarios("a service that forgets an operation once it has ended", [
  {
    promise: "does not make a move fail: the compute shows how the operation ended",
    given: { db: size(1) },
    operations: [{ vanished: true, runningMs: 20_000 }],
    do: up({ branchId: "<other branch>" }),
    // The move is over once the compute is at rest, not before.
    expect: {
      state: { branchId: "<other branch>" },
      live: { current_state: "idle", pending_state: undefined },
    },
  },
  {
    promise:
      "makes the run wait for an operation that is still listed, even if the compute was active before the change",
    given: { db: size(1) },
    operations: [operation("start_compute", { runningMs: 40_000 })],
    faults: { OPERATION: forAWhile(notFound) },
    do: up(size(2)),
    expect: { also: nothingRuns },
  },
  {
    promise: "does not hide that the operation failed",
    given: { db: size(1) },
    operations: [operation("start_compute", { runningMs: 40_000, endStatus: "failed" })],
    faults: { OPERATION: always(notFound) },
    do: up(size(2)),
    expect: { error: "…operation … (…) failed…" },
  },
]);

/** Somebody restarts another compute, and the restart fails. */
const anothersFails = ({ emulator, clock, idOf }: World): void => {
  emulator.setTimeline({ action: "start_compute", endStatus: "failed", times: 1 });
  emulator.restartEndpoint(idOf("default primary"));
  clock.advance(5_000);
};
const namesIt = ({ emulator, idOf }: World) =>
  answersBody({
    endpoint: emulator.endpoint(idOf("db")).endpoint,
    operations: emulator.operations(idOf("project")).filter(({ status }) => status === "failed"),
  });
const anothers =
  "(…), which failed. This operation belongs to compute <default primary>: check that compute at the service.";

scenarios("an answer that names a failed operation of another compute", [
  {
    promise: "does not make a change of this compute fail: the row names the operation and the other compute",
    given: { db: before },
    meanwhile: [anothersFails],
    faults: { PATCH: namesIt },
    do: up(changed),
    expect: { says: [`operation start_compute ${anothers}`], also: nothingPending },
  },
  {
    promise: "does not make the deletion of this compute fail",
    given: { db: before },
    meanwhile: [anothersFails],
    faults: { DELETE: namesIt },
    do: destroy(),
    expect: {
      state: null,
      said: [
        `warning: deleting compute <db>: the service's answer also named operation start_compute ${anothers}`,
      ],
    },
  },
]);

scenarios("a state that the interface does not list", [
  {
    promise: "does not excuse a failed operation",
    given: { db: before },
    operations: [operation("apply_config", { endStatus: "failed" })],
    do: up(changed),
    expect: { error: "…operation … (…) failed…" },
    then: [
      {
        faults: { LIST: lists((live) => [{ ...live, current_state: "error" }]) },
        do: up(changed),
        expect: { error: "…operation … (…) failed…" },
      },
    ],
  },
  ...[
    { isNamed: true, reason: "the compute stays in that state" },
    {
      isNamed: false,
      shown: { pending_state: "active" },
      reason: "the compute is on its way to another state",
    },
    { isNamed: false, shown: { disabled: true }, reason: "the compute is disabled" },
    {
      isNamed: false,
      shown: { current_state: "init" },
      reason: "for comparison, a state that the interface lists",
    },
    // Two lists show the state: the one after the change, and the one that checks again.
    { isNamed: false, count: 2, reason: "lists show it only for a moment" },
  ].map(({ isNamed, shown = {}, count, reason }) => ({
    promise: isNamed ? "is named on the row after a change" : "is not named on the row after a change",
    reason,
    given: { db: before },
    faults: {
      LIST: (world: World) =>
        since(
          "PATCH",
          lists((live) => {
            const later = { suspend_timeout_seconds: 900, updated_at: "2026-01-06T08:00:00.000Z" };
            return [{ ...live, ...later, current_state: "error", ...shown }];
          }, count)(world),
        ),
    },
    do: up(changed),
    expect: isNamed
      ? {
          said: [
            'warning: …the service shows the compute in the state "error". The compute may not be running. Check at the service…',
          ],
        }
      : { said: [] },
  })),
]);

scenarios("odd values of engines and services", [
  ...[{ error: { code: 7 } }, { error: 5 }, { error: ["no room"] }].map((more) => ({
    promise: "an operation with a member that the interface does not list is accepted",
    reason: JSON.stringify(more),
    given: { db: before },
    faults: {
      PATCH: ({ emulator, idOf }: World) =>
        answersBody({
          endpoint: emulator.endpoint(idOf("db")).endpoint,
          operations: [{ id: "op-odd", action: "apply_config", status: "finished", ...more }],
        }),
    },
    do: up(changed),
    expect: { sent: ["PATCH <db>"] },
  })),
  {
    promise: "Pulumi's placeholder for an unknown value is recognised, whatever the type of the argument",
    do: preview({
      autoscalingLimitMinCu: "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
      autoscalingLimitMaxCu: "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
      suspendTimeoutSeconds: "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
      poolerEnabled: "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
      settings: { pgSettings: "dd056dcd-154b-4c76-9bd3-c8f88648b5ff" },
      timeouts: "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
    }),
  },
  {
    promise:
      "a secret value that is too short to be found in texts does not appear in a warning about what the service shows",
    given: { db: { ...size(1), suspendTimeoutSeconds: 300 } },
    meanwhile: [seconds(10)],
    faults: { PATCH: doesNothing, LIST: always(stale) },
    do: up({ suspendTimeoutSeconds: 777, $secrets: ["suspendTimeoutSeconds"] }),
    expect: {
      said: [
        "…the service accepted the change, but shows a different value of suspendTimeoutSeconds (secret)…",
      ],
      never: ["777"],
    },
  },
  {
    promise: "a value that used to be secret does not appear in a warning about what the service shows",
    given: { db: { ...size(1), suspendTimeoutSeconds: 333, $secrets: ["suspendTimeoutSeconds"] } },
    meanwhile: [seconds(10)],
    faults: { PATCH: doesNothing, LIST: always(stale) },
    do: up({ suspendTimeoutSeconds: 600, $secrets: [] }),
    expect: {
      said: [
        "…the service accepted the change, but shows a different value of suspendTimeoutSeconds (secret)…",
      ],
      never: ["333"],
    },
  },
]);
