/** What operations and times show about an update, and what the receipt says. The rest is in test/scenarios/receipt. */
import type { Interruption } from "../../../../provider/model/interruption";
import { isUnannounced, receiptNotice, receiptOf, secondsText } from "../../../../provider/lifecycle/receipt";
import type { Shown } from "../../../../provider/lifecycle/receipt";
import type { ApiEndpoint, ApiOperation } from "../../../../provider/service/schemas";

/** The time this many seconds after 08:00 on a Monday. */
const at = (seconds: number): string => new Date(Date.UTC(2026, 0, 5, 8) + seconds * 1000).toISOString();

/** @returns a function for operations of this action, created at eight, that end this many seconds later. */
const operation =
  (action: string) =>
  (endedAt: number, more: Partial<ApiOperation> = {}): ApiOperation => ({
    ...{ id: `op-${action}`, action, status: "finished", created_at: at(0), updated_at: at(endedAt) },
    ...more,
  });
const applies = operation("apply_config");
const starts = operation("start_compute");
const suspends = operation("suspend_compute");
/** This version does not know the action. */
const replaces = operation("replace_compute");

const will = (effect: Interruption["effect"], certain = true): Interruption => ({
  effect,
  certain,
  text: "",
});
const maybe = will("restart", false);
const nothing = "none";

const applied: Shown = { operations: [applies(0.3)] };
const restarted: Shown = { operations: [applies(0.3), starts(0.55)] };
const suspended: Shown = { operations: [applies(0.3), suspends(0.5)] };
const anew: Shown = { operations: [applies(0.3), replaces(3, { created_at: at(2) })] };

/** Adds what the service answered about the compute before and after the update. */
function during(evidence: Shown, before: Partial<ApiEndpoint>, after = before): Shown {
  const made = {
    id: "ep-a",
    project_id: "p",
    branch_id: "br-a",
    type: "read_write",
    created_at: at(-100_000),
  };
  const active = { ...made, current_state: "active" };
  return {
    ...evidence,
    before: { ...active, ...before },
    after: { ...active, updated_at: at(3), ...after },
  };
}
const started = (evidence: Shown, before: string, after = before): Shown =>
  during(evidence, { started_at: before }, { started_at: after });
const ran = { started_at: at(-60), suspended_at: at(-90) };
const yesterday = { started_at: at(-86_400), suspended_at: at(-90_000) };

const resumes = "the next connection starts the compute, unless it is disabled";
const notShown = (of: string): string =>
  `info: no operation shows whether connections dropped (${of}); a restart was announced`;
const onlyApplied = notShown("apply_config 0.3 s");

it.each<[reason: string, says: string | undefined, given: Shown, announced?: Interruption | "none"]>([
  [
    "an interruption other than the announced one",
    `info: suspended; a restart was announced; ${resumes} (apply_config 0.3 s, suspend_compute 0.5 s)`,
    suspended,
  ],
  [
    "a stop and then a start, both caused by the request",
    "info: restarted as announced; down for at most 3.3 s (suspend_compute 1 s, start_compute 1.5 s)",
    { operations: [suspends(1), starts(3, { created_at: at(1.5) })] },
  ],
  [
    "a start that was skipped",
    notShown("start_compute skipped"),
    { operations: [starts(1, { status: "skipped" })] },
  ],
  [
    "operations that have no times, or end before they begin",
    "info: restarted as announced; the downtime is not known: the operations have no times (apply_config, start_compute)",
    { operations: [applies(1, { updated_at: null }), starts(-1)] },
  ],
  [
    "an end in whole seconds, which can be up to a second later than it says",
    "info: restarted as announced; down for at most 2.3 s (apply_config 0.3 s, start_compute 1 s)",
    { operations: [applies(0.3), starts(0.55, { updated_at: "2026-01-05T08:00:01Z" })] },
  ],
  [
    "a start time that moved",
    "info: restarted at 08:00:00 as announced; down for at most 0.9 s (apply_config 0.3 s, start_compute 0.6 s)",
    started(restarted, at(-60), at(0.2)),
  ],
  [
    "whole seconds, and a start in the second of the request",
    notShown("apply_config 0.3 s, replace_compute 1 s"),
    started(anew, "2026-01-05T08:00:00Z"),
  ],
  [
    "whole seconds, and a start in the second before",
    "info: not restarted (running since 07:59:59); a restart was announced",
    started(applied, "2026-01-05T07:59:59Z"),
  ],
  [
    "a compute that has been running since another day",
    "info: not restarted (running since 2026-01-04 08:00:00); a possible restart was announced",
    during(applied, yesterday),
    maybe,
  ],
  [
    "a suspension that neither an operation nor the state shows yet",
    `info: suspended at 08:00:01 as announced; ${resumes} (apply_config 0.3 s)`,
    during(applied, ran, { ...ran, suspended_at: at(1) }),
    will("move"),
  ],
  [
    "a compute that was idle in between",
    undefined,
    during(applied, ran, { started_at: at(2), suspended_at: at(1) }),
    nothing,
  ],
  ["a start time that goes back", onlyApplied, started(applied, at(-60), at(-90))],
])("a receipt says for %s: %s", (...[, says, evidence, announced = will("restart")]) => {
  const receipt = receiptOf(evidence, announced === "none" ? undefined : announced);
  const notice = receiptNotice(receipt);
  expect(notice && `${notice.severity}: ${notice.text}`).toBe(says);
  expect(isUnannounced(receipt)).toBe(says?.startsWith("warning: ") ?? false);
});

it.each([
  [1, "0.1 s"],
  [800, "0.8 s"],
  [801, "0.9 s"],
  [61_001, "62 s"],
])("a bound of %d ms is rounded up", (ms, text) => {
  expect(secondsText(ms)).toBe(text);
});
