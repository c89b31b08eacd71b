import type { ApiEndpoint } from "../../../../provider/service/schemas";
import type { Interruption } from "../../../../provider/model/interruption";
import {
  isUnannounced,
  receiptNotice,
  receiptOf,
  secondsText,
  type Receipt,
  type Evidence,
} from "../../../../provider/model/receipt";
import { applies, at, replaces, starts, suspends } from "../../../support/operations";

const will = (effect: Interruption["effect"], certain = true): Interruption => ({
  effect,
  certain,
  text: "",
});
const applied: Evidence = { operations: [applies(0.3)] };
const restarted: Evidence = {
  operations: [applies(0.3), starts(0.55)],
};
const suspended: Evidence = {
  operations: [applies(0.3), suspends(0.5)],
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
  const active = { ...compute, current_state: "active" };
  return {
    ...evidence,
    times: { before: { ...active, ...before }, after: { ...active, updated_at: at(3), ...after } },
  };
}
const started = (evidence: Evidence, before: string, after = before): Evidence =>
  during(evidence, { started_at: before }, { started_at: after });

const yesterday = { started_at: at(-86_400), suspended_at: at(-90_000) };
const both = "apply_config 0.3 s, start_compute 0.6 s";
const away = "not active for at most 0.9 s";
const notShown = (of: string): string =>
  `info: no operation shows whether connections dropped (${of}); a restart was announced`;

const noticeOf = (receipt: Receipt | undefined): string | undefined => {
  const notice = receipt && receiptNotice(receipt);
  return notice && `${notice.severity}: ${notice.text}`;
};

/** What test/scenarios/receipt has of the same is left out. */
describe("a receipt", () => {
  it.each<
    [
      reason: string,
      says: string | undefined,
      evidence: Evidence | undefined,
      announced?: Interruption | "none",
    ]
  >([
    [
      "a restart that was announced with may",
      `info: restarted, ${away}; a possible restart was announced (${both})`,
      restarted,
      will("restart", false),
    ],
    [
      "another interruption than was announced",
      "info: suspended: it starts with the next connection, unless it is disabled; a restart was announced (apply_config 0.3 s, suspend_compute 0.5 s)",
      suspended,
    ],
    [
      "a start that the service skipped",
      notShown("start_compute skipped"),
      { operations: [starts(0.5, { status: "skipped" })] },
    ],
    [
      "an operation that this version does not know",
      notShown("replace_compute 2 s"),
      { operations: [replaces(2)] },
    ],
    [
      "operations without times",
      "info: restarted, for how long is not known because its operations have no times, as announced (start_compute)",
      { operations: [starts(1, { updated_at: null })] },
    ],
    [
      "an end in whole seconds, which may be up to a second later than it says",
      "info: restarted, not active for at most 2.3 s, as announced (apply_config 0.3 s, start_compute 1 s)",
      { operations: [applies(0.3), starts(0.55, { updated_at: "2026-01-05T08:00:01Z" })] },
    ],
    [
      "a start that moved, with the operations that show it",
      `info: restarted at 08:00:00, ${away}, as announced (${both})`,
      started(restarted, at(-60), at(0.2)),
    ],
    [
      "a service that answers whole seconds, and started it in the second of the request",
      notShown("apply_config 0.3 s, replace_compute 1 s"),
      started({ operations: [applies(0.3), replaces(3, { created_at: at(2) })] }, "2026-01-05T08:00:00Z"),
    ],
    [
      "a service that answers whole seconds, and started it in the second before",
      "info: not restarted (running since 07:59:59); a restart was announced",
      started(applied, "2026-01-05T07:59:59Z"),
    ],
    [
      "a compute that runs since another day",
      "info: not restarted (running since 2026-01-04 08:00:00); a possible restart was announced",
      during(applied, yesterday, yesterday),
      will("restart", false),
    ],
    [
      "a suspension that neither an operation nor the state shows yet",
      "info: suspended at 08:00:01: it starts with the next connection, unless it is disabled, as announced (apply_config 0.3 s)",
      during(
        applied,
        { started_at: at(-60), suspended_at: at(-90) },
        { started_at: at(-60), suspended_at: at(1) },
      ),
      will("move"),
    ],
    [
      "operations that show a restart, of a list that is late",
      `info: restarted, ${away}, as announced (${both})`,
      started(restarted, at(-60)),
    ],
    [
      "a compute that runs again after a suspension for inactivity, which nothing announced",
      undefined,
      during(
        applied,
        { started_at: at(-60), suspended_at: at(-90) },
        { started_at: at(2), suspended_at: at(1) },
      ),
      "none",
    ],
    [
      "a start that moved, which nothing announced",
      "warning: restarted at 08:00:00, which nothing announced (apply_config 0.3 s)",
      started(applied, at(-60), at(0.2)),
      "none",
    ],
    [
      "a compute that is neither active nor suspended since",
      notShown("apply_config 0.3 s"),
      during(applied, { started_at: at(-60) }, { started_at: at(-60), current_state: "init" }),
    ],
    ["a start that goes back", notShown("apply_config 0.3 s"), started(applied, at(-60), at(-90))],
    ["an earlier run's operations, of which none is left", undefined, { operations: [], isEarlier: true }],
    [
      "a start that moved, without an operation",
      "info: restarted at 08:00:00, as announced",
      started({ operations: undefined }, at(-60), at(0.2)),
    ],
    ["a time that cannot be read", notShown("apply_config 0.3 s"), started(applied, "yesterday", "today")],
    [
      "a compute that is not listed afterwards",
      notShown("apply_config 0.3 s"),
      { ...applied, times: { before: { started_at: at(-60) } as ApiEndpoint, after: undefined } },
    ],
    ["an idle compute of which nothing was announced", undefined, { ...suspended, before: "idle" }, "none"],
    ["an update that sent nothing", undefined, undefined],
  ])("says of %s what the service answered: %s", (...[, says, evidence, announced = will("restart")]) => {
    const receipt = receiptOf(evidence, announced === "none" ? undefined : announced);
    expect(noticeOf(receipt)).toBe(says);
    expect(receipt !== undefined && isUnannounced(receipt)).toBe(says?.startsWith("warning: ") ?? false);
  });

  it("takes no more than 170 bytes of the state", () => {
    const operations = [applies(599), suspends(600.001), starts(601)];
    const longest = receiptOf({ operations }, will("unstated", false));
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
