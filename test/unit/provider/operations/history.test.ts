import { startEmulator, Clock } from "../../../../emulator";
import type { ApiOperation } from "../../../../provider/api/schemas";
import { trackRecordOf, type TrackRecord, recordText } from "../../../../provider/operations/history";
import { connectsAgainMs } from "../../../../provider/timing";

const at = (seconds: number): string => new Date(Date.UTC(2026, 0, 5, 8) + seconds * 1000).toISOString();

interface Written {
  readonly action: string;
  readonly from: number;
  readonly to: number;
  readonly compute?: string;
  readonly status?: string;
}

/** A page as the service has it: newest first. */
function page(...operations: readonly Written[]): readonly ApiOperation[] {
  return operations
    .map(({ action, from, to, compute = "ep-a", status = "finished" }, index) => ({
      id: `op-${String(index)}`,
      action,
      status,
      endpoint_id: compute,
      created_at: at(from),
      updated_at: at(to),
    }))
    .reverse();
}

const apply = (from: number, more: Partial<Written> = {}): Written => ({
  action: "apply_config",
  from,
  to: from + 1,
  ...more,
});
const start = (from: number, to: number, more: Partial<Written> = {}): Written => ({
  action: "start_compute",
  from,
  to,
  ...more,
});
const suspend = (from: number, more: Partial<Written> = {}): Written => ({
  action: "suspend_compute",
  from,
  to: from + 1,
  ...more,
});
const bound = (seconds: number): number => seconds * 1000 + 1 + connectsAgainMs;
const none = { of: "compute", count: 1, restarted: 0 };
const one = { of: "compute", count: 1, restarted: 1, medianMs: bound(2), longestMs: bound(2) };

describe("what earlier changes did", () => {
  it.each([
    { reason: "an empty page", operations: page(), record: undefined },
    { reason: "a restart", operations: page(apply(0), start(0, 2)), record: one },
    {
      reason: "a start that is created when the change ends",
      operations: page(apply(0), start(1, 2)),
      record: one,
    },
    {
      reason: "equal times",
      operations: page(apply(0, { to: 0 }), start(0, 0)),
      record: { ...one, medianMs: bound(0), longestMs: bound(0) },
    },
    { reason: "a change while it ran", operations: page(apply(0)), record: none },
    {
      reason: "an inactivity and an access long after it",
      operations: page(apply(0), suspend(300), start(400, 401)),
      record: none,
    },
    {
      reason: "checks between",
      operations: page(apply(0), { action: "check_availability", from: 0.5, to: 0.6 }, start(0, 2)),
      record: one,
    },
    {
      reason: "a compute that was suspended before",
      operations: page(suspend(-10), apply(0)),
      record: undefined,
    },
    {
      reason: "a compute that was woken for it",
      operations: page(start(-1, 0.5), apply(0), suspend(0)),
      record: undefined,
    },
    { reason: "a move, or disabled", operations: page(apply(0), suspend(0)), record: undefined },
    { reason: "a change that failed", operations: page(apply(0, { status: "failed" })), record: undefined },
    {
      reason: "a start that failed",
      operations: page(apply(0), start(0, 2, { status: "failed" })),
      record: undefined,
    },
    {
      reason: "a change under way",
      operations: page(apply(0), start(0, 2, { status: "running" })),
      record: undefined,
    },
    {
      reason: "a start that was skipped",
      operations: page(apply(0), start(0, 2, { status: "skipped" })),
      record: undefined,
    },
    {
      reason: "an action that nobody told us of",
      operations: page(apply(0), { action: "replace_compute", from: 0, to: 2 }),
      record: undefined,
    },
    {
      reason: "two changes, one after the other",
      operations: page(apply(0), start(0, 2), apply(5), start(5, 8)),
      record: { of: "compute", count: 2, restarted: 2, medianMs: bound(3), longestMs: bound(3) },
    },
    {
      reason: "interleaved computes",
      operations: page(
        apply(0),
        apply(0, { compute: "ep-b" }),
        start(0, 9, { compute: "ep-b" }),
        start(0, 2),
      ),
      record: one,
    },
    {
      reason: "operations of no compute",
      operations: page(apply(0, { compute: "" }), start(0, 2, { compute: "" })),
      record: undefined,
    },
    {
      reason: "another compute alone: the project's",
      operations: page(apply(0, { compute: "ep-b" }), start(0, 2, { compute: "ep-b" })),
      record: { ...one, of: "project" },
    },
  ])("is right for $reason", ({ operations, record }) => {
    expect(trackRecordOf(operations, "ep-a")).toEqual(record);
  });

  it("agrees with what the control plane did", async () => {
    const clock = new Clock("manual");
    const emulator = await startEmulator({ clock, operationMs: 1_000 });
    const { project, endpoint } = emulator.createProject();
    clock.advance(5_000);
    for (const cu of [1, 2, 4, 1]) {
      emulator.updateEndpoint(endpoint.id, { autoscaling_limit_min_cu: cu, autoscaling_limit_max_cu: cu });
      clock.advance(5_000);
    }
    emulator.updateEndpoint(endpoint.id, { suspend_timeout_seconds: 900 });
    clock.advance(5_000);
    const operations = emulator.operations(project.id) as unknown as readonly ApiOperation[];
    expect(trackRecordOf(operations, endpoint.id)).toEqual({
      of: "compute",
      count: 5,
      restarted: emulator.counters(endpoint.id).restarts,
      medianMs: bound(2),
      longestMs: bound(2),
    });
    await emulator.close();
  });
});

describe("the words of a record", () => {
  it.each<{ record: TrackRecord; says: string }>([
    {
      record: { of: "compute", count: 4, restarted: 4, medianMs: 800, longestMs: 2_100 },
      says: "here: its last 4 changes restarted it for 0.8 s (longest 2.1 s)",
    },
    {
      record: { of: "compute", count: 1, restarted: 1, medianMs: 800, longestMs: 800 },
      says: "here: its last change restarted it for 0.8 s",
    },
    {
      record: { of: "compute", count: 4, restarted: 0 },
      says: "here: of its last 4 changes none restarted it",
    },
    { record: { of: "compute", count: 1, restarted: 0 }, says: "here: its last change did not restart it" },
    {
      record: { of: "compute", count: 4, restarted: 2, medianMs: 800, longestMs: 900 },
      says: "here: 2 of its last 4 changes restarted it for 0.8 s (longest 0.9 s)",
    },
    {
      record: { of: "project", count: 9, restarted: 9, medianMs: 800, longestMs: 900 },
      says: "here: the project's last 9 changes restarted their computes for 0.8 s (longest 0.9 s)",
    },
    { record: { of: "compute", count: 2, restarted: 2 }, says: "here: its last 2 changes restarted it" },
  ])("are $says", ({ record, says }) => {
    expect(recordText(record)).toBe(says);
  });
});
