import type { ApiOperation } from "../../../../provider/api/schemas";
import { durationOf, observationOf } from "../../../../provider/pure/observation";

const at = (seconds: number): string => new Date(Date.UTC(2026, 0, 5, 8) + seconds * 1000).toISOString();

/** An operation of one request: created with the others, ended when it says. */
function operation(action: string, endedAt: number, more: Partial<ApiOperation> = {}): ApiOperation {
  return {
    id: `op-${action}`,
    action,
    status: "finished",
    created_at: at(0),
    updated_at: at(endedAt),
    ...more,
  };
}

describe("what the operations of one request show", () => {
  it.each([
    {
      reason: "a size change (interface 3.1)",
      operations: [operation("apply_config", 0.3), operation("start_compute", 0.8)],
      shows: { happened: "restarted", mostMs: 1_051 },
    },
    {
      reason: "a restart (interface 4.5)",
      operations: [operation("suspend_compute", 0.3), operation("start_compute", 2)],
      shows: { happened: "restarted", mostMs: 2_251 },
    },
    {
      reason: "a start that is created later than what stops the compute",
      operations: [operation("suspend_compute", 1), operation("start_compute", 3, { created_at: at(1.5) })],
      shows: { happened: "restarted", mostMs: 3_251 },
    },
    {
      reason: "a move, and a compute that becomes disabled",
      operations: [operation("apply_config", 0.3), operation("suspend_compute", 0.8)],
      shows: { happened: "suspended" },
    },
    {
      reason: "a compute that wakes for its change and rests again",
      operations: [
        operation("start_compute", 1),
        operation("apply_config", 2),
        operation("suspend_compute", 3),
      ],
      shows: { happened: "suspended" },
    },
    {
      reason: "an apply_config alone, which proves neither a restart nor its absence",
      operations: [operation("apply_config", 0.3)],
      shows: {},
    },
    { reason: "a request without an operation", operations: [], shows: {} },
    {
      reason: "equal times: no bound is shorter than what they can show",
      operations: [operation("start_compute", 0)],
      shows: { happened: "restarted", mostMs: 251 },
    },
    {
      reason: "whole seconds: the end may be a second later than it says",
      operations: [
        operation("start_compute", 0, {
          created_at: "2026-01-05T08:00:00Z",
          updated_at: "2026-01-05T08:00:02Z",
        }),
      ],
      shows: { happened: "restarted", mostMs: 3_250 },
    },
    {
      reason: "an operation without a time",
      operations: [operation("start_compute", 1, { updated_at: null })],
      shows: { happened: "restarted", mostMs: undefined },
    },
    {
      reason: "an end before the beginning",
      operations: [operation("start_compute", -1)],
      shows: { happened: "restarted", mostMs: undefined },
    },
    {
      reason: "an action that nobody told us of",
      operations: [operation("apply_config", 1), operation("replace_compute", 2)],
      shows: {},
    },
    {
      reason: "an action that nobody told us of, beside one that we know",
      operations: [operation("replace_compute", 1), operation("start_compute", 2)],
      shows: { happened: "restarted", mostMs: 2_251 },
    },
    {
      reason: "a start that failed",
      operations: [operation("apply_config", 1), operation("start_compute", 2, { status: "failed" })],
      shows: {},
    },
    {
      reason: "a start that the service skipped",
      operations: [operation("apply_config", 1), operation("start_compute", 2, { status: "skipped" })],
      shows: {},
    },
  ])("is right for $reason", ({ operations, shows }) => {
    expect(observationOf(operations)).toEqual(shows);
  });
});

it.each([
  { reason: "is from its creation to its end", more: {}, ms: 800 },
  { reason: "is not known without a time", more: { updated_at: null }, ms: undefined },
  { reason: "is not known where it ends before it begins", more: { created_at: at(2) }, ms: undefined },
])("how long an operation took $reason", ({ more, ms }) => {
  expect(durationOf(operation("start_compute", 0.8, more))).toBe(ms);
});
