import type { ApiOperation } from "../../../../provider/api/schemas";
import { endedSince, observationOf, together } from "../../../../provider/operations/interruptions";

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
      shows: { happened: "restarted", action: "start_compute", mostMs: 1_051 },
    },
    {
      reason: "a restart (interface 4.5)",
      operations: [operation("suspend_compute", 0.3), operation("start_compute", 2)],
      shows: { happened: "restarted", action: "start_compute", mostMs: 2_251 },
    },
    {
      reason: "a start that is created later than what stops the compute",
      operations: [operation("suspend_compute", 1), operation("start_compute", 3, { created_at: at(1.5) })],
      shows: { happened: "restarted", action: "start_compute", mostMs: 3_251 },
    },
    {
      reason: "a move, and a compute that becomes disabled",
      operations: [operation("apply_config", 0.3), operation("suspend_compute", 0.8)],
      shows: { happened: "suspended", action: "suspend_compute" },
    },
    {
      reason: "a compute that wakes for its change and rests again",
      operations: [
        operation("start_compute", 1),
        operation("apply_config", 2),
        operation("suspend_compute", 3),
      ],
      shows: { happened: "suspended", action: "suspend_compute" },
    },
    {
      reason: "a change that is applied while it runs",
      operations: [operation("apply_config", 0.3)],
      shows: { happened: "none" },
    },
    { reason: "a request without an operation", operations: [], shows: { happened: "none" } },
    {
      reason: "equal times: no bound is shorter than what they can show",
      operations: [operation("start_compute", 0)],
      shows: { happened: "restarted", action: "start_compute", mostMs: 251 },
    },
    {
      reason: "whole seconds: the end may be a second later than it says",
      operations: [
        operation("start_compute", 0, {
          created_at: "2026-01-05T08:00:00Z",
          updated_at: "2026-01-05T08:00:02Z",
        }),
      ],
      shows: { happened: "restarted", action: "start_compute", mostMs: 3_250 },
    },
    {
      reason: "an operation without a time",
      operations: [operation("start_compute", 1, { updated_at: null })],
      shows: { happened: "restarted", action: "start_compute" },
    },
    {
      reason: "an end before the beginning",
      operations: [operation("start_compute", -1)],
      shows: { happened: "restarted", action: "start_compute" },
    },
    {
      reason: "an action that nobody told us of",
      operations: [operation("apply_config", 1), operation("replace_compute", 2)],
      shows: { happened: "unknown", action: "replace_compute" },
    },
    {
      reason: "an action that nobody told us of, beside one that we know",
      operations: [operation("replace_compute", 1), operation("start_compute", 2)],
      shows: { happened: "restarted", action: "start_compute", mostMs: 2_251 },
    },
    {
      reason: "a start that failed",
      operations: [operation("apply_config", 1), operation("start_compute", 2, { status: "failed" })],
      shows: { happened: "none" },
    },
    {
      reason: "a start that the service skipped",
      operations: [operation("apply_config", 1), operation("start_compute", 2, { status: "skipped" })],
      shows: { happened: "none" },
    },
  ])("is right for $reason", ({ operations, shows }) => {
    expect(observationOf(operations)).toEqual(shows);
  });
});

describe("what several requests did together", () => {
  const restarted = (mostMs: number | undefined) =>
    ({ happened: "restarted", action: "start_compute", mostMs }) as const;

  it.each([
    { reason: "nothing was sent", observations: [], shows: undefined },
    {
      reason: "the most serious counts",
      observations: [{ happened: "none" } as const, restarted(800)],
      shows: restarted(800),
    },
    {
      reason: "two restarts are as long as both",
      observations: [restarted(800), restarted(700)],
      shows: restarted(1_500),
    },
    {
      reason: "of a length that is not known nothing is known",
      observations: [restarted(800), restarted(undefined)],
      shows: restarted(undefined),
    },
    {
      reason: "what is not known is not nothing",
      observations: [{ happened: "none" } as const, { happened: "unknown" } as const],
      shows: { happened: "unknown" },
    },
  ])("$reason", ({ observations, shows }) => {
    expect(together(observations)).toEqual(shows);
  });
});

describe("what ended after a moment", () => {
  const later = { created_at: at(10) };
  const before = [operation("start_compute", 1, { id: "op-first" })];
  const change = [operation("apply_config", 11, later), operation("start_compute", 20, later)];

  it.each([
    { reason: "nothing", sinceMs: at(30), operations: [...before, ...change], shows: [] },
    {
      reason: "a start, with what it waited for",
      sinceMs: at(15),
      operations: [...before, ...change],
      shows: change,
    },
    {
      reason: "a start without a time of its creation, by itself",
      sinceMs: at(15),
      operations: [...change.slice(0, 1), operation("start_compute", 20, { created_at: undefined })],
      shows: [operation("start_compute", 20, { created_at: undefined })],
    },
    {
      reason: "nothing that was skipped, or decides nothing",
      sinceMs: at(15),
      operations: [operation("apply_config", 20), operation("start_compute", 20, { status: "skipped" })],
      shows: [],
    },
  ])("is $reason", ({ sinceMs, operations, shows }) => {
    expect(endedSince(operations, Date.parse(sinceMs))).toEqual(shows);
  });
});
