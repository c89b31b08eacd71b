import { stacksReportOf } from "../../../preview/judge/stacks";
import type { StacksReport } from "../../../preview/judge/shape";
import { commentLength, toStacksMarkdown } from "../../../preview/render/markdown";
import { reportOn, step, type StepParts } from "./previews";

const moves: StepParts = { name: "mover", new: { branchId: "br-b" } };
const settles: StepParts = { name: "settler", new: { suspendTimeoutSeconds: 60 } };
const starts: StepParts = { name: "starter", op: "create" };
const leaves: StepParts = { name: "leaver", op: "delete" };

describe("the length of a comment on several stacks", () => {
  const big = (
    stack: string,
    count: number,
    parts: StepParts,
  ): { file: string; report: ReturnType<typeof reportOn> } => {
    // Each with a change of its own: what changes alike shares a row.
    const steps = Array.from({ length: count }, (_, index) =>
      step({
        ...parts,
        name: `${stack}-${index}`,
        ...(parts.op !== "delete" && { new: { ...parts.new, suspendTimeoutSeconds: 60 + index } }),
      }),
    );
    return { file: `${stack}.json`, report: { ...reportOn(steps), stack } };
  };
  const comment = (report: StacksReport, maxLength = commentLength): string =>
    toStacksMarkdown(report, { maxLength });

  it("gives up details first, then the least serious rows of whatever stack, and says so", () => {
    const report = stacksReportOf(
      [big("create", 300, starts), big("delete", 200, leaves), big("settle", 200, settles)],
      [],
    );
    const markdown = comment(report, 40_000);
    expect(markdown.length).toBeLessThanOrEqual(40_000);
    expect(markdown.match(/^\| `delete-/gm)).toHaveLength(200);
    expect(markdown).not.toContain("| `create-");
    expect(markdown).toMatch(
      /Cut to fit 40,000 characters, the most serious first: 1 of 3 stacks are not shown; \d+ of 700 computes are not in the table \(.*300 are new\); details are given for \d of 700/,
    );
    const whole = stacksReportOf([big("delete", 200, leaves), big("settle", 200, settles)], []);
    expect(comment(whole).match(/^\| `/gm)).toHaveLength(400);
  });

  it("takes a serious compute of a harmless stack before a harmless one of a serious stack", () => {
    const mixed = big("mixed", 400, settles);
    const [serious] = reportOn([step(leaves)]).computes;
    const report = { ...mixed.report, computes: [serious!, ...mixed.report.computes] };
    const markdown = comment(
      stacksReportOf([{ file: "mixed.json", report }, big("moves", 60, moves)], []),
      20_000,
    );
    expect(markdown.match(/^\| `moves-/gm)).toHaveLength(60);
    expect(markdown).toContain("| `leaver`");
  });

  it("holds whatever many stacks do", () => {
    for (const count of [50, 400, 3_000]) {
      const stacks = Array.from({ length: count }, (_, index) =>
        big(`s${index}`, 2, index % 2 ? leaves : settles),
      );
      const torn = Array.from({ length: count }, (_, index) => ({
        file: `${index}|@a.json`,
        reason: "it is `cut`",
      }));
      for (const unreadable of [[], torn]) {
        const markdown = comment(stacksReportOf(stacks, unreadable));
        expect(markdown.length).toBeLessThanOrEqual(commentLength);
        if (count === 3_000) expect(markdown.length).toBeGreaterThan(commentLength * 0.8);
      }
    }
  });

  it("names twenty quiet stacks, and counts the others", () => {
    const quiet = Array.from({ length: 30 }, (_, index) => big(`q${index}`, 0, starts));
    expect(comment(stacksReportOf(quiet, []))).toMatch(/30 stacks change no compute: .*, and 10 more\./);
  });
});
