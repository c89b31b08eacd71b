import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import fc from "fast-check";

import { commentLength, markerLine, toMarkdown } from "../../../preview/render/markdown";
import type { Report } from "../../../preview/judge/shape";
import { toText } from "../../../preview/render/text";
import { failure, fixtureNames, fixtureReport, reportOn, size, step } from "./previews";

const comment = (report: Report, maxLength = commentLength): string => toMarkdown(report, { maxLength });

describe("the comment on a real preview", () => {
  // `changes.ndjson` is `changes.json` in its other form.
  it.each(fixtureNames.filter((name) => name !== "changes.ndjson"))("is as kept in golden/: %s", (name) => {
    const file = path.join(__dirname, "golden", `${path.parse(name).name}.txt`);
    const markdown = comment(fixtureReport(name));
    // Removed by hand to take a new one; read it before it is committed.
    if (!existsSync(file)) writeFileSync(file, markdown);
    expect(markdown).toBe(readFileSync(file, "utf8"));
  });

  it("is the one that the documentation shows", () => {
    const page = readFileSync(path.join(__dirname, "../../../docs/compute-preview.md"), "utf8");
    const [shown] = comment(fixtureReport("changes.json")).split("<details>");
    expect(page).toContain(shown!.split("\n").slice(1).join("\n").trim());
  });
});

it.each([
  ["an unchanged secret is not a change", 2, "size: 1 → 2 CU"],
  ["a secret is what may change if nothing else does", 1, "`settings.pgSettings.a`: secret"],
])("%s", (_reason, cu, is) => {
  const settings = { pgSettings: { a: "[secret]" } };
  const report = reportOn([step({ old: { ...size(1), settings }, new: { ...size(cu), settings } })]);
  const markdown = comment(report);
  const row = markdown.split("\n").find((line) => line.startsWith("| `"))!;
  expect(cellsOf(row)[2]?.trim()).toBe(is);
  expect(markdown).toContain("`settings.pgSettings.a`: secret (whether it changes is not shown)");
});

it("the marker comes first, and no stack's is the beginning of another's", () => {
  const markdown = toMarkdown(fixtureReport("changes.json"), { marker: "prod", maxLength: commentLength });
  expect(markdown.startsWith("<!-- compute-preview: prod -->\n")).toBe(true);
  expect(markerLine("prod").startsWith(markerLine())).toBe(false);
  expect(markerLine("prod-2").startsWith(markerLine("prod"))).toBe(false);
});

/** Cells of a row, the way GitHub splits it: a pipe ends a cell unless a backslash is before it. */
function cellsOf(row: string): readonly string[] {
  return row.slice(1, -1).split(/(?<!\\)\|/);
}

/** What is left of Markdown without its code, where nothing of others may stand. */
function outsideCode(markdown: string): string {
  return markdown.replaceAll(/(`+)[^`][^]*?\1(?!`)/g, "").replaceAll(/<code>(?:[^<]|<wbr>)*<\/code>/g, "");
}

/** Blocks stand outside the table, and hold what they hold up to their own fence. */
function withoutBlocks(markdown: string): string {
  return markdown.replaceAll(/^(`{3,})text\n[^]*?\n\1$/gm, "");
}

const nasty = fc.oneof(
  fc.string({ unit: "binary", maxLength: 80 }),
  fc.string({ unit: fc.constantFrom(...Array.from("|`\\<>&\n\r@#*_[]() a!~\u202e")) }),
  fc.constantFrom(
    ...["@octocat", "a|b", "``", "`", "\\|", "<!-- compute-preview -->", "</details>", "\n\n# x"],
    ...["[a](http://e)", "\ud800", "::error::a", "\n ::add-mask::a", "##[error]a", "##vso[a]b"],
  ),
);

const nastyStep = fc.record({
  name: nasty,
  value: nasty,
  setting: nasty,
  notice: nasty,
  op: fc.constantFrom("update", "create", "delete", "replace"),
});

type NastyStep = typeof nastyStep extends fc.Arbitrary<infer T> ? T : never;

function nastyReport(parts: readonly NastyStep[]): Report {
  const steps = parts.map(({ name, value, setting, notice, op }) =>
    step({
      name,
      op,
      old: { regionId: value, host: value },
      new: {
        branchId: value,
        settings: { pgSettings: { [setting]: value } },
        interruption: `restart: ${notice}`,
      },
    }),
  );
  const failures = [...parts.map(({ name, value }) => failure(value, `${name}!`)), failure(parts[0]!.value)];
  return reportOn(steps, { diagnostics: failures.flatMap(({ diagnostics }) => diagnostics) });
}

const foreign = "@someone <b> http://example.com\u001B";

describe("values of others", () => {
  it("never break the table, open a tag, mention anybody or carry a marker", () => {
    fc.assert(
      fc.property(fc.array(nastyStep, { minLength: 1, maxLength: 5 }), (parts) => {
        const markdown = withoutBlocks(comment(nastyReport(parts)));
        const lines = markdown.split("\n");
        const rows = lines.filter((line) => line.startsWith("|"));
        expect(rows.filter((row) => cellsOf(row).length !== 4)).toEqual([]);
        expect(lines.filter((line) => line.includes("<!-- compute-preview"))).toEqual([markerLine()]);
        const tags = outsideCode(markdown).match(/<[^>]*>?/g) ?? [];
        const ours = /^<(!-- compute-preview --|br|\/?details|\/?summary|\/?sub)>$/;
        expect(tags.filter((tag) => !ours.test(tag))).toEqual([]);
        expect(outsideCode(markdown)).not.toMatch(/@|\p{Cf}|\p{Cs}/u);
        expect(outsideCode(markdown)).not.toContain("http");
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    { of: "a time", parts: { verdict: { effect: "move", now: "active", lastAccess: foreign } } },
    { of: "what waits", parts: { verdict: { effect: "none", deferred: { effect: foreign, text: "" } } } },
    { of: "a size", parts: { new: { autoscalingLimitMinCu: foreign } } },
    { of: "a record", parts: { verdict: { effect: "restart", record: { count: foreign, restarted: 1 } } } },
  ])("are no words of ours in the place of $of", ({ parts }) => {
    const report = reportOn([step({ name: "app", new: { branchId: "br-b" }, ...(parts as object) })]);
    expect(outsideCode(comment(report))).not.toMatch(/@|<b>|http/);
    expect(toText(report)).not.toContain("@someone <b> http://example.com\u001B");
  });

  it("move no cursor in the text for terminals, and command no CI system", () => {
    fc.assert(
      fc.property(fc.array(nastyStep, { minLength: 1, maxLength: 3 }), (parts) => {
        const text = toText(nastyReport(parts));
        expect(text.replaceAll("\n", "")).not.toMatch(/\p{Cc}|\p{Cf}|\p{Cs}/u);
        expect(text).not.toMatch(/^\s*::|##\w*\[/m);
      }),
      { numRuns: 100 },
    );
  });
});

describe("the length", () => {
  const many = (count: number): Report =>
    reportOn(
      Array.from({ length: count }, (_, index) => {
        const name = `app-${String(index).padStart(4, "0")}`;
        const moves = {
          old: { regionId: "r" },
          new: { branchId: `br-${name}`, interruption: "move: a branch" },
        };
        return step({ name, ...(index % 3 === 0 ? { op: "delete" } : moves) });
      }),
    );

  it("never exceeds the limit, whatever the values", () => {
    const long = nasty.map((text) => text.repeat(30));
    const op = fc.constantFrom("update", "delete");
    fc.assert(
      fc.property(
        fc.array(fc.record({ name: long, value: long, setting: long, notice: long, op }), {
          minLength: 1,
          maxLength: 40,
        }),
        fc.constantFrom(20_000, commentLength),
        (parts, limit) => {
          expect(comment(nastyReport(parts), limit).length).toBeLessThanOrEqual(limit);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("gives up details before rows", () => {
    const markdown = comment(many(400));
    expect(markdown.length).toBeLessThanOrEqual(commentLength);
    expect(markdown.match(/^\| /gm)).toHaveLength(400 + 2);
    expect(markdown).toContain(
      "Cut to fit 65,536 characters: details are left out. `compute-preview --format text` prints all.",
    );
  });

  it("gives up the least serious rows, and counts them", () => {
    const markdown = comment(many(3_000));
    expect(markdown.length).toBeLessThanOrEqual(commentLength);
    expect(markdown.length).toBeGreaterThan(commentLength * 0.9);
    const shown = markdown.match(/^\| `/gm)!.length;
    expect(markdown).toContain(
      `Cut to fit 65,536 characters: details and the last ${3_000 - shown} of 3000 computes are left out.`,
    );
    expect(markdown).toContain("app-0000");
    expect(markdown).not.toContain("app-2999");
  });
});
