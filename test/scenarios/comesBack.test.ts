/** When a compute counts as running again after a change whose operation failed, and what each run does until then. */
import { pgSettings, preview, size, up, without } from "./commands";
import { connected, nothingPending, seconds, suspended } from "./events";
import { always, answers, lost, operation, since } from "./faults";
import { scenarios } from "./scenarios";
import type { World } from "./world";

const good = pgSettings({ shared_buffers: "128MB" });
const fatal = pgSettings({ shared_buffers: "400GB" });
const failed = [operation("start_compute", { endStatus: "failed" })];
const given = { db: { ...size(1), ...good }, service: { settingsRestart: true } };
const again = {
  error:
    /^updating compute <db>: operation start_compute \(\S+\) failed; the change of settings\.pgSettings \(shared_buffers\) may keep the compute from starting\. Set the old values again, or take the settings out of the program\. Then run `pulumi up`\. If the new values are right, start the compute once \(connect to it\): the next `pulumi up` then continues\.$/,
  sent: [],
};

scenarios("a compute whose change failed, and that has been idle since", [
  {
    promise:
      "does not count as running again: the next runs fail with the same error, which says what was sent",
    given,
    operations: failed,
    do: up(fatal),
    expect: { ...again, sent: ["PATCH <db>"] },
    then: [
      { meanwhile: [suspended()], do: up(fatal), expect: again },
      { do: preview(fatal) },
      { meanwhile: [seconds(3_600)], do: up(fatal), expect: again },
    ],
  },
  {
    promise:
      "counts as running again once somebody starts it, as the error suggests: the row says which change the service keeps",
    given,
    operations: failed,
    do: up(fatal),
    expect: { error: again.error },
    then: [
      { meanwhile: [suspended()], do: up(fatal), expect: again },
      {
        meanwhile: [connected()],
        do: up(fatal),
        expect: {
          sent: [],
          says: [
            /\) failed, but the compute is active now\. The service keeps the change of settings\.pgSettings \(shared_buffers\)\.$/,
          ],
          also: nothingPending,
        },
      },
      { do: up(fatal), expect: { step: "same" } },
    ],
  },
  {
    promise:
      "gets the old value of the setting back, as the error suggests, and no run checks the failed operation again",
    given,
    operations: failed,
    do: up(fatal),
    expect: { error: again.error },
    then: [
      {
        meanwhile: [suspended()],
        do: up(good),
        expect: {
          sent: ["PATCH <db>"],
          live: { settings: { pg_settings: { shared_buffers: "128MB" } } },
          also: nothingPending,
        },
      },
    ],
  },
  ...[
    { reason: "the change's operation failed", operations: failed, faults: {} },
    {
      reason: "the change's answer was lost, and no list shows what was done",
      operations: [],
      faults: { PATCH: always(lost), LIST: since("PATCH", always(answers(500))) },
    },
    { reason: "for comparison, the change succeeded", operations: [], faults: {} },
  ].map(({ reason, ...wrong }) => ({
    promise: "loses its only setting when the program removes the argument settings",
    reason,
    given: { db: size(1) },
    ...wrong,
    do: up(fatal),
    expect: { mayFail: true as const },
    then: [
      {
        do: preview(without("settings")),
        expect: { says: ["may interrupt: settings.pgSettings (removed: shared_buffers);"] },
      },
      {
        do: up(without("settings")),
        expect: {
          sent: ["PATCH <db>"],
          also: ({ emulator, idOf }: World) => {
            expect(emulator.endpoint(idOf("db")).endpoint.settings).toEqual({ pg_settings: {} });
          },
        },
      },
      { do: up(without("settings")), expect: { step: "same" as const } },
    ],
  })),
]);

const notApplied = [operation("apply_config", { endStatus: "failed", times: 1 })];
const sentBefore = {
  error:
    "…operation apply_config (…) failed; the change of … may keep the compute from starting…run `pulumi up` again: it sends…",
};

scenarios("a compute that is idle, and whose change failed before any start", [
  ...[
    { reason: "a size and a setting", change: { ...size(2), ...pgSettings({ shared_buffers: "256MB" }) } },
    { reason: "a size", change: size(2) },
    { reason: "a timeout", change: { suspendTimeoutSeconds: 900 } },
  ].map(({ reason, change }) => ({
    promise: "gets the change again with the next run, which ends well",
    reason,
    given,
    meanwhile: [suspended()],
    operations: notApplied,
    do: up(change),
    expect: { ...sentBefore, sent: ["PATCH <db>"] },
    then: [
      { do: preview(change), expect: { sent: [] } },
      { do: up(change), expect: { sent: ["PATCH <db>"], restarts: 0, also: nothingPending } },
      { do: up(change), expect: { step: "same" as const } },
    ],
  })),
  {
    promise: "gets the change again with the next run, which ends well",
    reason: "it is enabled",
    given: { ...given, db: { ...given.db, disabled: true } },
    operations: notApplied,
    do: up({ disabled: false }),
    expect: { error: "…operation apply_config (…) failed…" },
    then: [{ do: up({ disabled: false }), expect: { live: { disabled: false }, also: nothingPending } }],
  },
  {
    promise: "gets it once in each run, as long as it fails",
    given,
    meanwhile: [suspended()],
    operations: [operation("apply_config", { endStatus: "failed" })],
    do: up(fatal),
    expect: { ...sentBefore, sent: ["PATCH <db>"] },
    then: [
      {
        operations: [operation("apply_config", { endStatus: "failed" })],
        do: up(fatal),
        expect: {
          error: "…failed; the change of settings.pgSettings (shared_buffers) may keep…",
          sent: ["PATCH <db>"],
        },
      },
      {
        do: up(good),
        expect: { sent: ["PATCH <db>"], live: { settings: { pg_settings: { shared_buffers: "128MB" } } } },
      },
    ],
  },
]);
