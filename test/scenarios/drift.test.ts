/** Updates of a compute that somebody else has changed too. */
import { scenarios } from "./scenarios";
import { pgSettings, size, unread, up, wireSize } from "./commands";
import { byHand, connected, seconds } from "./events";
import { operation } from "./faults";

const db = { ...size(1), suspendTimeoutSeconds: 300 };
const given = { db, engine: unread };

scenarios("an argument that somebody else has changed", [
  {
    promise: "is not waited for, and not named, by an update that sends nothing",
    given,
    meanwhile: [byHand(wireSize(4))],
    do: up({ timeouts: { update: 60 } }),
    expect: { sent: [], said: [], state: size(4), within: 1 },
  },
  {
    promise: "is named if an update puts it back and the operation fails",
    given: { ...given, db: { ...db, ...pgSettings({ work_mem: "8MB" }) } },
    meanwhile: [byHand({ settings: { pg_settings: { work_mem: "1MB" } } }), connected()],
    operations: [operation("apply_config", { endStatus: "failed" })],
    do: up(size(2)),
    expect: { error: "…failed; the change of …settings.pgSettings may keep the compute from…" },
  },
  {
    promise: "does not hide that the service applied a size live: the restart of a trigger follows",
    given: { ...given, stack: { liveFacts: "false" }, service: { service: "neon", resize: "live" } },
    meanwhile: [byHand({ suspend_timeout_seconds: 600 }), connected(), seconds(60)],
    do: up({ ...size(2), restartTriggers: { release: 1 } }),
    expect: { sent: ["PATCH <db>", "RESTART <db>"], restarts: 1 },
  },
]);
