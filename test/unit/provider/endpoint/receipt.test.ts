import type { ApiEndpoint, ApiOperation } from "../../../../provider/api/schemas";
import {
  isUnannounced,
  receiptNotice,
  receiptOf,
  secondsText,
  type Announcement,
  type Receipt,
  type Evidence,
} from "../../../../provider/pure/receipt";

const at = (seconds: number): string => new Date(Date.UTC(2026, 0, 5, 8) + seconds * 1000).toISOString();

function operation(action: string, endedAt: number, more: Partial<ApiOperation> = {}): ApiOperation {
  const times = { created_at: at(0), updated_at: at(endedAt) };
  return { id: `op-${action}`, action, status: "finished", ...times, ...more };
}

const will = (effect: Announcement["effect"], certain = true): Announcement => ({ effect, certain });
const applied: Evidence = { operations: [operation("apply_config", 0.3)] };
const restarted: Evidence = {
  operations: [operation("apply_config", 0.3), operation("start_compute", 0.55)],
};
const suspended: Evidence = {
  operations: [operation("apply_config", 0.3), operation("suspend_compute", 0.5)],
};
/** With what the service answered of the compute before and after. */
function during(evidence: Evidence, before: Partial<ApiEndpoint>, after: Partial<ApiEndpoint>): Evidence {
  const compute = {
    id: "ep-a",
    project_id: "p",
    branch_id: "br-a",
    type: "read_write",
    created_at: at(-100_000),
  };
  return {
    ...evidence,
    times: {
      before: { ...compute, current_state: "active", ...before },
      after: { ...compute, current_state: "active", updated_at: at(3), ...after },
    },
  };
}

const both = "apply_config 0.3 s, start_compute 0.6 s";
const toRest = "apply_config 0.3 s, suspend_compute 0.5 s";

const noticeOf = (receipt: Receipt | undefined): string | undefined => {
  const notice = receipt && receiptNotice(receipt);
  return notice && `${notice.severity}: ${notice.text}`;
};

describe("a receipt", () => {
  it.each<{
    reason: string;
    evidence: readonly Evidence[];
    announced?: Announcement;
    says: string | undefined;
  }>([
    {
      reason: "an announced restart",
      evidence: [restarted],
      announced: will("restart"),
      says: `info: restarted, not active for at most 0.9 s, as announced (${both})`,
    },
    {
      reason: "an announced move",
      evidence: [suspended],
      announced: will("move"),
      says: `info: suspended: it starts with the next connection, unless it is disabled, as announced (${toRest})`,
    },
    {
      reason: "a restart that was announced with may",
      evidence: [restarted],
      announced: will("restart", false),
      says: `info: restarted, not active for at most 0.9 s; a possible restart was announced (${both})`,
    },
    {
      reason: "another interruption than was announced",
      evidence: [suspended],
      announced: will("restart"),
      says: `info: suspended: it starts with the next connection, unless it is disabled; a restart was announced (${toRest})`,
    },
    {
      reason: "an apply_config alone, which proves neither a restart nor its absence",
      evidence: [applied],
      announced: will("restart"),
      says: "info: no operation shows whether connections dropped (apply_config 0.3 s); a restart was announced",
    },
    {
      reason: "an interruption that was possible and that no operation shows",
      evidence: [applied],
      announced: will("unstated", false),
      says: "info: no operation shows whether connections dropped (apply_config 0.3 s); a possible interruption was announced",
    },
    {
      reason: "a start that the service skipped",
      evidence: [{ operations: [operation("start_compute", 0.5, { status: "skipped" })] }],
      announced: will("restart"),
      says: "info: no operation shows whether connections dropped (start_compute skipped); a restart was announced",
    },
    {
      reason: "an operation that this version does not know",
      evidence: [{ operations: [operation("replace_compute", 2)] }],
      announced: will("restart"),
      says: "info: no operation shows whether connections dropped (replace_compute 2 s); a restart was announced",
    },
    {
      reason: "a lost answer",
      evidence: [{ operations: undefined }],
      announced: will("restart"),
      says: "info: no operation shows whether connections dropped; a restart was announced",
    },
    {
      reason: "a restart that nobody announced",
      evidence: [restarted],
      says: `warning: restarted, not active for at most 0.9 s, which nothing announced (${both})`,
    },
    {
      reason: "a restart after a change that shows none",
      evidence: [applied, restarted],
      announced: will("restart"),
      says: `info: restarted, not active for at most 0.9 s, as announced (apply_config 0.3 s, ${both})`,
    },
    {
      reason: "operations of an earlier run",
      evidence: [{ ...restarted, isEarlier: true }],
      announced: will("restart"),
      says: `info: operations of an earlier run have ended (${both})`,
    },
    {
      reason: "an idle compute",
      evidence: [{ ...suspended, before: "idle" }],
      announced: will("restart"),
      says: `info: nothing was interrupted (${toRest}): the compute ran nothing directly before`,
    },
    {
      reason: "operations without times",
      evidence: [{ operations: [operation("start_compute", 1, { updated_at: null })] }],
      announced: will("restart"),
      says: "info: restarted, for how long is not known because its operations have no times, as announced (start_compute)",
    },
    { reason: "a change of which nothing was announced", evidence: [applied], says: undefined },
    {
      reason: "a start that moved, though no operation shows one",
      evidence: [during(applied, { started_at: at(-60) }, { started_at: at(0.2) })],
      announced: will("restart"),
      says: "info: restarted at 08:00:00, as announced (apply_config 0.3 s)",
    },
    {
      reason: "a start that moved, with the operations that show it",
      evidence: [during(restarted, { started_at: at(-60) }, { started_at: at(0.2) })],
      announced: will("restart"),
      says: `info: restarted at 08:00:00, not active for at most 0.9 s, as announced (${both})`,
    },
    {
      reason: "a compute that runs since before",
      evidence: [during(applied, { started_at: at(-60) }, { started_at: at(-60) })],
      announced: will("restart"),
      says: "info: not restarted (running since 07:59:00); a restart was announced",
    },
    {
      reason: "a service that answers whole seconds, and started it in the second of the request",
      evidence: [
        during(applied, { started_at: "2026-01-05T08:00:00Z" }, { started_at: "2026-01-05T08:00:00Z" }),
      ],
      announced: will("restart"),
      says: "info: no operation shows whether connections dropped (apply_config 0.3 s); a restart was announced",
    },
    {
      reason: "a service that answers whole seconds, and started it in the second before",
      evidence: [
        during(applied, { started_at: "2026-01-05T07:59:59Z" }, { started_at: "2026-01-05T07:59:59Z" }),
      ],
      announced: will("restart"),
      says: "info: not restarted (running since 07:59:59); a restart was announced",
    },
    {
      reason: "a compute that runs since another day",
      evidence: [during(applied, { started_at: at(-86_400) }, { started_at: at(-86_400) })],
      announced: will("restart", false),
      says: "info: not restarted (running since 2026-01-04 08:00:00); a possible restart was announced",
    },
    {
      reason: "a suspension that no operation shows",
      evidence: [
        during(
          applied,
          { started_at: at(-60), suspended_at: at(-90) },
          { started_at: at(-60), suspended_at: at(1), current_state: "idle" },
        ),
      ],
      announced: will("move"),
      says: "info: suspended at 08:00:01: it starts with the next connection, unless it is disabled, as announced (apply_config 0.3 s)",
    },
    {
      reason: "operations that show a restart, of a list that is late",
      evidence: [during(restarted, { started_at: at(-60) }, { started_at: at(-60) })],
      announced: will("restart"),
      says: `info: restarted, not active for at most 0.9 s, as announced (${both})`,
    },
    {
      reason: "a compute that runs again after a suspension for inactivity, which nothing announced",
      evidence: [
        during(
          applied,
          { started_at: at(-60), suspended_at: at(-90) },
          { started_at: at(2), suspended_at: at(1) },
        ),
      ],
      says: undefined,
    },
    {
      reason: "a start that moved, which nothing announced",
      evidence: [during(applied, { started_at: at(-60) }, { started_at: at(0.2) })],
      says: "warning: restarted at 08:00:00, which nothing announced (apply_config 0.3 s)",
    },
    {
      reason: "a time that cannot be read",
      evidence: [during(applied, { started_at: "yesterday" }, { started_at: "today" })],
      announced: will("restart"),
      says: "info: no operation shows whether connections dropped (apply_config 0.3 s); a restart was announced",
    },
    {
      reason: "a compute that is not listed afterwards",
      evidence: [{ ...applied, times: { before: { started_at: at(-60) } as ApiEndpoint, after: undefined } }],
      announced: will("restart"),
      says: "info: no operation shows whether connections dropped (apply_config 0.3 s); a restart was announced",
    },
    {
      reason: "two requests, of which the second restarted it",
      evidence: [
        during(applied, { started_at: at(-60) }, { started_at: at(-60) }),
        during(restarted, { started_at: at(-60) }, { started_at: at(0.5) }),
      ],
      announced: will("restart"),
      says: `info: restarted at 08:00:00, not active for at most 0.9 s, as announced (apply_config 0.3 s, ${both})`,
    },
    {
      reason: "an idle compute of which nothing was announced",
      evidence: [{ ...suspended, before: "idle" }],
      says: undefined,
    },
    { reason: "an update that sent nothing", evidence: [], announced: will("restart"), says: undefined },
  ])("says of $reason what the service answered", ({ evidence, announced, says }) => {
    const receipt = receiptOf(evidence, announced);
    expect(noticeOf(receipt)).toBe(says);
    expect(receipt !== undefined && isUnannounced(receipt)).toBe(says?.startsWith("warning: ") ?? false);
  });

  it("takes no more than 170 bytes of the state", () => {
    const long = { operations: [operation("apply_config", 599), operation("suspend_compute", 600.001)] };
    const longest = receiptOf([long, restarted], will("unstated", false));
    expect(JSON.stringify(longest).length).toBeLessThanOrEqual(170);
  });

  it.each([
    [1, "0.1 s"],
    [800, "0.8 s"],
    [801, "0.9 s"],
    [61_001, "62 s"],
  ])("rounds %d ms up", (ms, text) => {
    expect(secondsText(ms)).toBe(text);
  });
});
