/** What a preview shows is reported: pending deletions, the reasons of policies, and what its form leaves out. */
import { reportOf } from "../../../preview/judge/report";
import type { Report } from "../../../preview/judge/shape";
import { readPreview } from "../../../preview/read/preview";
import { toReason } from "../../../provider/model/stored";
import { verdictOn } from "../../../preview/judge/verdict";
import { commentOn, eventLines, failure, reportOn, restarts, settles, step, urnOf } from "./previews";

/** A preview of these events, with its end. */
function reportOnEvents(...events: readonly object[]): Report {
  const end = { summaryEvent: { isPreview: true, result: "succeeded" } };
  return reportOf(readPreview(eventLines(...events, end)));
}

const state = (id: string): object => {
  const place = { projectId: "p", branchId: "br-a", type: "read_write" };
  return { id, inputs: {}, outputs: { endpointId: id, ...place, host: `${id}.example` } };
};
const event = (op: string, metadata: { old?: object; new?: object; diffs?: readonly string[] }): object => ({
  resourcePreEvent: { metadata: { op, urn: urnOf("app"), ...metadata } },
});
const codeOf = (report: Report): number => verdictOn({ reports: [report], failOn: ["delete"] }).code;

it.each([
  { now: "idle", drops: "no" },
  { now: "active", drops: "yes" },
] as const)(
  "a replacement by the plugin drops $drops while the compute is $now, though its last event has no reasons",
  ({ now, drops }) => {
    const verdict = { effect: "replace", certain: true, now, endpointId: "ep-old" } as const;
    const old = state("ep-old");
    const parts = { old, new: { inputs: { type: "read_only" } }, diffs: ["type", toReason(verdict)] };
    const deletes = event("delete-replaced", { old });
    const report = reportOnEvents(event("create-replacement", parts), event("replace", parts), deletes);
    expect(report.computes).toMatchObject([{ outcome: "replace", certain: true, drops, now }]);
  },
);

describe("a deletion that an earlier replacement left over", () => {
  const pending = event("delete-replaced", { old: { ...state("ep-old"), delete: true } });

  it("is a deletion in the events, beside whatever its successor does", () => {
    const settled = { old: state("ep-new"), new: { inputs: { suspendTimeoutSeconds: 60 } } };
    const report = reportOnEvents(event("update", settled), pending);
    expect(report.computes.map(({ id, outcome, drops }) => [id, outcome, drops].join(" "))).toEqual([
      "ep-old delete yes",
      "ep-new none no",
    ]);
    expect(codeOf(report)).toBe(20);
    expect(reportOnEvents(pending).summary).toBe("1 compute is deleted");
  });

  it("is not in the document, and the report says so", () => {
    expect(commentOn(reportOn([step(settles)]))).toContain(
      "pending deletions and the reasons of policies, which only the events have (PULUMI_ENABLE_STREAMING_JSON_PREVIEW=true).",
    );
    expect(commentOn(reportOnEvents(pending))).not.toContain("PULUMI_ENABLE");
  });
});

describe("a policy's refusal", () => {
  const said = { message: "Not outside the window.", policyName: "window", policyPackName: "acme" };
  const policy = (change: object): object => ({
    policyEvent: { ...said, enforcementLevel: "mandatory", ...change },
  });
  const reason = "policy acme/window: Not outside the window.";
  const failed = { diagnosticEvent: { severity: "error", message: "error: preview failed\n" } };

  it("of a compute is told on it, with its reason", () => {
    const resize = event("update", { old: state("ep-app"), new: { inputs: {} } });
    const report = reportOnEvents(resize, policy({ resourceUrn: urnOf("app") }), failed);
    expect(report.computes).toMatchObject([{ outcome: "refused", errors: [reason] }]);
    expect(codeOf(report)).toBe(4);
  });

  it("of the stack is told as an error, and a remark as nothing", () => {
    expect(reportOnEvents(policy({}), failed).errors).toEqual([reason]);
    const remark = reportOnEvents(policy({ enforcementLevel: "advisory" }));
    expect(remark).toMatchObject({ failed: false, errors: [] });
  });

  it("has no reason in the document, which says where it is", () => {
    expect(reportOn([], failure("error: preview failed\n")).errors).toEqual([
      "preview failed; if a policy refused it, the reason is in the events alone: PULUMI_ENABLE_STREAMING_JSON_PREVIEW=true",
    ]);
  });
});

describe("computes that change alike", () => {
  const resize = (name: string, lastAccess = "2 min ago"): object =>
    step({
      ...restarts,
      name,
      verdict: { now: "active", effect: "restart", service: "interface", lastAccess },
    });
  const many = Array.from({ length: 25 }, (_, index) => resize(`r${index + 1}`, `${index} min ago`));
  const rowsOf = (markdown: string): readonly string[] =>
    markdown.split("\n").filter((line) => /^\| [^C-]/.test(line));

  it("share a row, with their names folded away", () => {
    expect(rowsOf(commentOn(reportOn(many)))).toEqual([
      expect.stringMatching(
        /^\| <details><summary>25 computes, active<\/summary>`r1`, `r2`, .*`r9`, `r10`, .*`r25`<\/details> \| 🟠 restarts \| size: 1 → 2 CU \| Open connections drop;/,
      ),
    ]);
  });

  it("have rows of their own where they are two, with what each does now", () => {
    const rows = rowsOf(commentOn(reportOn(many.slice(0, 2))));
    expect(rows.map((row) => row.split(" | ")[0])).toEqual([
      "| `r1`<br><sub>active, 0 min ago</sub>",
      "| `r2`<br><sub>active, 1 min ago</sub>",
    ]);
  });

  it("need no HTML where the host renders none", () => {
    const plain = commentOn(reportOn(many), { plain: true });
    expect(plain).toContain("| 25 computes, active: `r1`, `r2`,");
    expect(plain).not.toMatch(/<\/?(details|summary|sub|br)/);
  });
});

it("does not count the engine's own default providers, which an event log has and `--json` has not", () => {
  const updateOf = (name: string): object => {
    const urn = `urn:pulumi:dev::shop::pulumi:providers:pulumi-nodejs::${name}`;
    return { resourcePreEvent: { metadata: { op: "update", urn } } };
  };
  expect(reportOnEvents(updateOf("default"), updateOf("default_3_246_0")).otherChanges).toBe(0);
  expect(reportOnEvents(updateOf("default-region")).otherChanges).toBe(1);
});
