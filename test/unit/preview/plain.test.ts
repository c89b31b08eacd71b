import fc from "fast-check";
import { commentLength, toMarkdown } from "../../../preview/render/markdown";
import { toPlain } from "../../../preview/render/plain";
import { stacksReportOf } from "../../../preview/judge/stacks";
import type { Report } from "../../../preview/judge/shape";
import { fixture, fixtureNames, fixtureReport, reportOn, runPreview, step } from "./previews";

const plain = (report: Report, maxLength = commentLength): string =>
  toMarkdown(report, { maxLength, plain: true, marker: "dev" });

/** Without what stands in code, where HTML is text. */
function outsideCode(markdown: string): string {
  return markdown.replaceAll(/(`+)[^`][^]*?(?<!`)\1(?!`)/g, "");
}

describe("plain Markdown", () => {
  it.each(fixtureNames)("has no HTML and no alert: %s", (name) => {
    const markdown = plain(fixtureReport(name));
    expect(outsideCode(markdown)).not.toMatch(/<\/?[a-z!]|&#|\[!|<!--/i);
    expect(markdown.length).toBeLessThanOrEqual(
      toMarkdown(fixtureReport(name), { maxLength: commentLength, marker: "dev" }).length,
    );
  });

  it("says what the comment says", () => {
    const markdown = plain(fixtureReport("changes.json"));
    const rows = markdown.split("\n").filter((line) => line.startsWith("| `"));
    expect(rows).toHaveLength(8);
    expect(rows[4]).toBe(
      "| `orders` | 🟠 restarts | size: 0.25 → 1 CU; `suspendTimeoutSeconds`: 300 → 600 | Open connections drop; max_connections 112 → 450; RAM 1 → 4 GB; file cache 0.8 → 3.2 GB |",
    );
    expect(markdown).toContain("\n**Every change, and the provider's own words**\n\n- `legacy`");
    expect(markdown).toMatch(/\nNot shown: .*\.\n$/);
  });

  it("begins with a marker that no host shows", () => {
    const markdown = plain(fixtureReport("changes.json"));
    expect(markdown.startsWith("[_]: # (compute-preview: dev)\n\n### 🟠 Passed: 5 computes drop ")).toBe(
      true,
    );
  });

  it("keeps the words of a failed preview and of a cut", () => {
    const failed = plain(fixtureReport("refusedArgument.json"));
    expect(failed).toContain("### ⛔ Failed: the preview failed, 1 compute is refused\n");
    const many = reportOn(
      Array.from({ length: 400 }, (_, index) => step({ name: `c${index}`, op: "delete" })),
    );
    const cut = plain(many, 10_000);
    expect(cut).toContain("> Note:\n> Cut to fit 10,000 characters");
    expect(cut.length).toBeLessThanOrEqual(10_000);
  });

  it("leaves the text of a message alone", () => {
    const message = "> [!NOTE]\n<details><summary>x</summary>\n<br><sub>\n```text";
    const report: Report = { ...reportOn([]), failed: true, errors: [message] };
    expect(plain(report)).toContain(`\`\`\`\`text\n${message}\n\`\`\`\``);
  });

  it("lets no value act, and shows each as it is", () => {
    const values = fc.string({
      unit: fc.constantFrom("`", "|", "<", "&", "b", ">", " ", "@", "#1", "\\", "é"),
    });
    fc.assert(
      fc.property(values, (value) => {
        const markdown = plain(reportOn([step({ name: `n${value}n`, new: { branchId: `b${value}` } })]));
        const [row] = markdown.split("\n").filter((line) => /^\| `/.test(line));
        const [, ticks = "", text = ""] = /^(`+)(.*)\1$/.exec(row!.split("|")[1]!.trim())!;
        // As CommonMark reads it: no run of the same length is within, and one space on each side goes.
        expect([...text.matchAll(/`+/g)].map(([run]) => run.length)).not.toContain(ticks.length);
        const shown = ticks.length > 1 ? text.slice(1, -1) : text;
        expect(shown).toBe(`n${value}n`.replaceAll("|", "\\u{7c}"));
      }),
    );
  });

  it("is the same of several stacks", () => {
    const stacks = stacksReportOf({
      read: [{ file: "a.json", report: fixtureReport("changes.json") }],
      unreadable: [{ file: "b.json", reason: "the input is empty" }],
    });
    const markdown = toMarkdown(stacks, { maxLength: commentLength, plain: true });
    expect(outsideCode(markdown)).not.toMatch(/<\/?[a-z!]|&#|\[!/i);
    expect(markdown).toContain("- `b.json`: **not known**, it is no preview: `the input is empty`");
  });

  it("is an option of Markdown alone", () => {
    expect(runPreview(["--plain", "--format", "json"], fixture("changes.json")).code).toBe(2);
    expect(runPreview(["--plain", "--format", "markdown"], fixture("changes.json")).out).toBe(
      toPlain(toMarkdown(fixtureReport("changes.json"), { maxLength: commentLength })),
    );
  });
});
