/** The comment as Markdown; golden.test.ts has the comments on real previews. */
import { commentLength, markerLine, toMarkdown } from "../../../preview/render/markdown";
import { readPreview } from "../../../preview/input";
import { reportOf } from "../../../preview/judge/report";
import type { Report, StacksReport } from "../../../preview/shape";
import { stacksReportOf } from "../../../preview/judge/stacks";
import { toPlain } from "../../../preview/render/plain";
import {
  commentOn,
  failure,
  fixture,
  fixtureNames,
  fixtureReport,
  leaves,
  outsideCode,
  reportOn,
  restarts,
  runPreview,
  settles,
  starts,
  step,
  type StepParts,
} from "./previews";
import { max, planOf } from "./peers/others";

it("the marker comes first, and no stack's marker is the beginning of another's", () => {
  const markdown = commentOn(fixtureReport("changes.json"), { marker: "prod" });
  expect(markdown.startsWith("<!-- compute-preview: prod -->\n")).toBe(true);
  expect(markerLine("prod").startsWith(markerLine())).toBe(false);
  expect(markerLine("prod-2").startsWith(markerLine("prod"))).toBe(false);
});

it("a replacement names its cause, and does not name other effects: the new compute has all changes from the start", () => {
  const plan = planOf({ actions: "delete,create", sides: `branch_id: br-a → br-b; ${max(1)} → 2` });
  const comment = commentOn(reportOf(readPreview(Buffer.from(JSON.stringify(plan)))));
  expect(comment).toContain("🔴 replaced");
  expect(comment).not.toMatch(/\((moves|restarts)\)/);
});

it("computes that change alike share a row, which in plain Markdown lists their names", () => {
  const verdict = { now: "active", effect: "restart", service: "interface" } as const;
  const many = Array.from({ length: 25 }, (_, index) =>
    step({ ...restarts, name: `r${index + 1}`, verdict: { ...verdict, lastAccess: `${index} min ago` } }),
  );
  const shown = commentOn(reportOn(many), { plain: true }).match(/^\| [^C-].*/gm);
  expect(shown).toEqual([expect.stringMatching(/^\| 25 computes, active: `r1`, `r2`,/)]);
});

/** A stack with many computes. Each has a different change, since computes that change alike share a row. */
function big(stack: string, count: number, parts: StepParts = starts): { file: string; report: Report } {
  const steps = Array.from({ length: count }, (_, index) => {
    const change = { new: { ...parts.new, suspendTimeoutSeconds: 60 + index } };
    return step({ ...parts, name: `${stack}-${index}`, ...(parts.op !== "delete" && change) });
  });
  return { file: `${stack}.json`, report: { ...reportOn(steps), stack } };
}

const rowsOf = (markdown: string): number => markdown.match(/^\| `/gm)?.length ?? 0;

describe("a long comment", () => {
  const together = (...read: { file: string; report: Report }[]): StacksReport =>
    stacksReportOf({ read, unreadable: [] });
  const one = (deletes: number, others: number): Report => {
    const { report } = big("delete", deletes, leaves);
    return { ...report, computes: [...report.computes, ...big("settle", others, settles).report.computes] };
  };
  const many = [big("create", 300), big("delete", 200, leaves), big("settle", 200, settles)];

  it.each<[reason: string, report: Report | StacksReport, deletes: number, rows: number, maxLength?: number]>(
    [
      ["one stack that is too long", one(1_500, 1_500), 1_500, 3_000],
      ["several stacks that are too long", together(...many), 200, 700, 40_000],
    ],
  )(
    "leaves out details first, then the least serious rows, and says what is left out: %s",
    (...[, report, deletes, rows, most]) => {
      const maxLength = most ?? commentLength;
      const markdown = commentOn(report, { maxLength });
      expect(markdown.length).toBeLessThanOrEqual(maxLength);
      const shown = rowsOf(markdown);
      const left = rows - shown;
      if (left > 0) expect(markdown.length).toBeGreaterThan(maxLength * 0.9);
      const what = left > 0 ? `details and the last ${left} of ${rows} computes` : "details";
      expect(markdown).toContain(
        `Cut to fit ${maxLength.toLocaleString("en")} characters: ${what} are left out.`,
      );
      expect(markdown).toContain(" `compute-preview --format text` prints the full report.");
      expect(markdown.match(/^\| `delete-/gm)).toHaveLength(Math.min(deletes, shown));
      // Folded parts are closed even where the comment is cut.
      expect(markdown.match(/<details>/g)?.length).toBe(markdown.match(/<\/details>/g)?.length);
    },
  );

  it("stays within its limit for any values and any number of stacks", () => {
    const nasty = "|`<\\\n\u202e".repeat(400);
    const parts = { old: { regionId: nasty }, new: { branchId: nasty, interruption: `restart: ${nasty}` } };
    for (const op of ["update", "delete"])
      for (const maxLength of [20_000, commentLength]) {
        const steps = Array.from({ length: 40 }, (_, index) =>
          step({ ...parts, name: `${index}${nasty}`, op }),
        );
        expect(commentOn(reportOn(steps, failure(nasty)), { maxLength }).length).toBeLessThanOrEqual(
          maxLength,
        );
      }
    const { report } = big("s", 2, leaves);
    const read = Array.from({ length: 1_000 }, (_, index) => ({
      file: `s${index}.json`,
      report: { ...report, stack: `s${index}` },
    }));
    const torn = { reason: "it is `cut`", advice: "Preview again." };
    const unreadable = read.map(({ file }) => ({ file: `|@${file}`, ...torn }));
    const { length } = commentOn(stacksReportOf({ read, unreadable }));
    expect(length).toBeLessThanOrEqual(commentLength);
    expect(length).toBeGreaterThan(commentLength * 0.8);
  });

  it("names twenty stacks without changes, and counts the others", () => {
    const quiet = Array.from({ length: 30 }, (_, index) => big(`q${index}`, 0));
    expect(commentOn(together(...quiet))).toMatch(/^- 30 stacks change no compute: .*, and 10 more$/m);
  });
});

describe("plain Markdown", () => {
  const plain = (report: Report | StacksReport, maxLength = commentLength): string =>
    commentOn(report, { maxLength, plain: true, marker: "dev" });
  const stacks = stacksReportOf({
    read: [{ file: "a.json", report: fixtureReport("changes.json") }],
    unreadable: [{ file: "b.json", reason: "it is empty", advice: "Preview again." }],
  });
  const reports = [
    ...fixtureNames.map((name) => [name, fixtureReport(name)] as const),
    ["stacks", stacks] as const,
  ];

  it.each(reports)("has no HTML and no alert: %s", (_name, report) => {
    expect(outsideCode(plain(report))).not.toMatch(/<\/?[a-z!]|&#|\[!|<!--/i);
    expect(plain(report)).not.toContain("</code>");
    expect(plain(report).length).toBeLessThanOrEqual(commentOn(report, { marker: "dev" }).length);
  });

  it("says the same as GitHub's comment, after a marker that no host displays", () => {
    const markdown = plain(fixtureReport("changes.json"));
    expect(
      markdown.startsWith(
        "[_]: # (compute-preview: dev)\n\n### 🔴 1 compute is deleted, 1 is replaced, 3 drop",
      ),
    ).toBe(true);
    const cut = plain(big("c", 400, leaves).report, 10_000);
    expect(cut).toContain("> Note:\n> Cut to fit 10,000 characters");
    expect(cut.length).toBeLessThanOrEqual(10_000);
    const { out } = runPreview(["--plain", "--format", "markdown"], fixture("changes.json"));
    expect(out).toBe(toPlain(toMarkdown(fixtureReport("changes.json"), { maxLength: commentLength })));
  });

  it("does not change the text of a message", () => {
    const message = "> [!NOTE]\n<details><summary>x</summary>\n<br><sub>\n```text";
    const report: Report = { ...reportOn([]), failed: true, errors: [message] };
    expect(plain(report)).toContain(`\`\`\`\`text\n${message}\n\`\`\`\``);
  });

  it.each([
    ["`", "`"],
    ["` `b", "` `b"],
    ["<b>@.:#1", "<b>@.:#1"],
    ["a|b", "a\\u{7c}b"],
    ["\\", "\\"],
  ])("shows each value unchanged, and Markdown in it has no effect: %j", (name, is) => {
    const row = /^\| (`+)(.*?)(?<!`)\1 \|/m.exec(plain(reportOn([step({ name, new: { branchId: name } })])))!;
    const [, ticks = "", text = ""] = row;
    // CommonMark's rule: the code contains no run of ticks as long as the delimiter, and loses one space on each side.
    expect([...text.matchAll(/`+/g)].map(([run]) => run.length)).not.toContain(ticks.length);
    expect(ticks.length > 1 ? text.slice(1, -1) : text).toBe(is);
  });
});
