import { stacksReportOf } from "../../../preview/judge/stacks";
import type { Report, StacksReport } from "../../../preview/judge/shape";
import { commentLength, toMarkdown } from "../../../preview/render/markdown";
import { leaves, reportOn, settles, starts, step, type StepParts } from "./previews";

describe("the length of a comment on several stacks", () => {
  const big = (stack: string, count: number, parts: StepParts): { file: string; report: Report } => {
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
    toMarkdown(report, { maxLength });

  it("gives up details first, then the last rows of the least serious stacks, and says so", () => {
    const report = stacksReportOf({
      read: [big("create", 300, starts), big("delete", 200, leaves), big("settle", 200, settles)],
      unreadable: [],
    });
    const markdown = comment(report, 40_000);
    expect(markdown.length).toBeLessThanOrEqual(40_000);
    expect(markdown.match(/^\| `delete-/gm)).toHaveLength(200);
    expect(markdown).not.toContain("| `create-");
    const shown = markdown.match(/^\| `/gm)!.length;
    expect(markdown).toContain(
      `Cut to fit 40,000 characters: details and the last ${700 - shown} of 700 computes are left out.`,
    );
    // The table that is cut is closed.
    expect(markdown.match(/<details>/g)).toHaveLength(markdown.match(/<\/details>/g)!.length);
    const whole = stacksReportOf({
      read: [big("delete", 200, leaves), big("settle", 200, settles)],
      unreadable: [],
    });
    expect(comment(whole).match(/^\| `/gm)).toHaveLength(400);
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
        const markdown = comment(stacksReportOf({ read: stacks, unreadable }));
        expect(markdown.length).toBeLessThanOrEqual(commentLength);
        if (count === 3_000) expect(markdown.length).toBeGreaterThan(commentLength * 0.8);
      }
    }
  });

  it("names twenty quiet stacks, and counts the others", () => {
    const quiet = Array.from({ length: 30 }, (_, index) => big(`q${index}`, 0, starts));
    const report = stacksReportOf({ read: quiet, unreadable: [] });
    expect(comment(report)).toMatch(/^- 30 stacks change no compute: .*, and 10 more$/m);
  });
});
