/**
 * Replaces the values of real previews, one after the other, with text that could steer a terminal, a CI system or a page. The
 * previews include other providers and plans of Terraform.
 */
import { readdirSync } from "node:fs";
import { renderReport } from "../../../preview/command";
import { reportOf } from "../../../preview/judge/report";
import type { Report } from "../../../preview/shape";
import { readPreview } from "../../../preview/input";
import { toAnnotations } from "../../../preview/render/annotations";
import { markerLine } from "../../../preview/render/markdown";
import { visible } from "../../../preview/render/escape";
import { toText } from "../../../preview/render/text";
import { asMuchAs } from "../../support/extent";
import { commentOn, failure, fixture, fixtureFile, outsideCode, reportOn, step } from "./previews";

it("characters that could steer a terminal are written out", () => {
  expect(visible("a\u0007b\u202Ec\ud800")).toBe("a\\u{0007}b\\u{202e}c\uFFFD");
});

const hostiles = [
  "@zz<b>|`http://zz.example\u001B\u202E##[zz]\n::error::zz",
  "``zz` \\| </details><!-- compute-preview -->&lt;zz ![zz](http://e)\n\n# zz",
  "\n ::add-mask::zz\ud800##vso[zz]```zz\r\n| zz | zz |\r[zz](http://e) gh-1",
];

const mostOfAFile = asMuchAs({ quick: 18, full: 200 });

const files = (readdirSync(fixtureFile("."), { recursive: true }) as string[]).filter((file) =>
  file.endsWith("json"),
);

type Place = Readonly<{ old: unknown; set: (value: unknown) => void }>;

function placesIn(holder: Record<string, unknown>): readonly Place[] {
  return Object.keys(holder).flatMap((key): readonly Place[] => {
    const old = holder[key];
    if (typeof old === "object" && old !== null) return placesIn(old as Record<string, unknown>);
    return [{ old, set: (value) => (holder[key] = value) }];
  });
}

/** The cells of a row as GitHub splits it: a pipe ends a cell unless a backslash precedes it. */
const cellsOf = (row: string): readonly string[] => row.slice(1, -1).split(/(?<!\\)\|/);
const ours = /<(!-- compute-preview --|br|\/?details|\/?summary|\/?sub)>/g;

/** The parts of a report that could steer a terminal, a CI system or a page. Empty if the report is safe. */
function steeringIn(report: Report): readonly string[] {
  const markdown = commentOn(report);
  const withoutBlocks = markdown.replaceAll(/^(`{3,})text\n[^]*?\n\1$/gm, "");
  const lines = withoutBlocks.split("\n");
  const text = toText(report);
  const json = [
    renderReport(report, { format: "json", maxLength: 0 }),
    toAnnotations([report], "gitlab", ""),
  ];
  const annotations = toAnnotations([report], "github", "").split("\n");
  const isAnnotation = (line: string): boolean =>
    /^::(error|warning|notice)( file=[^:,]*,line=\d+)?::[^\p{Cc}\p{Cf}\p{Cs}]*$/u.test(line);
  return [
    ...(outsideCode(withoutBlocks)
      .replaceAll(ours, "")
      .match(/.*(?:@|<|http|zz).*/g) ?? []),
    ...lines.filter((line) => line.startsWith("|") && cellsOf(line).length !== 4),
    ...lines.slice(1).filter((line) => line.includes(markerLine())),
    ...`${markdown}\n${text}`.split("\n").filter((line) => /\p{Cc}|\p{Cf}|\p{Cs}|^\s*::|##\w*\[/u.test(line)),
    ...json
      .flatMap((each) => each.split("\n"))
      .filter((line) => /[^\P{Cc}\t]|\p{Cf}|\p{Cs}|\p{Zl}|^\s*::|##\w*\[/u.test(line)),
    ...annotations.filter((line) => line !== "" && !isAnnotation(line)),
  ];
}

it.each(files)("no value of %s steers a reader of the report", (file) => {
  const lines = fixture(file).toString().trim();
  const documents = (file.endsWith("ndjson") ? lines.split("\n") : [lines]).map(
    (line) => JSON.parse(line) as Record<string, unknown>,
  );
  const places = documents.flatMap(placesIn);
  const every = Math.ceil(places.length / mostOfAFile);
  let shown = 0;
  const tried = places.filter((_place, index) => index % every === 0);
  for (const [index, { old, set }] of tried.entries()) {
    const hostile = hostiles[index % hostiles.length]!;
    // A URN stays a URN.
    set(typeof old === "string" && old.startsWith("urn:") ? old + hostile : hostile);
    const preview = Buffer.from(documents.map((document) => JSON.stringify(document)).join("\n"));
    set(old);
    let report: Report;
    try {
      report = reportOf(readPreview(preview));
    } catch {
      // With this value, the document is no longer a preview.
      continue;
    }
    shown += 1;
    expect(steeringIn(report)).toEqual([]);
  }
  expect(shown).toBeGreaterThan(0);
});

const foreign = "@someone <b> http://example.com\u001B";
const waits = { effect: foreign, text: "" } as never;
it.each([
  ["a time", { verdict: { effect: "move", now: "active", lastAccess: foreign } }],
  ["the effect of a deferred change", { verdict: { effect: "none", deferred: waits } }],
  ["a size", { new: { autoscalingLimitMinCu: foreign } }],
  ["a notice", { new: { interruption: `restart: ${foreign}` } }],
  ["a record", { verdict: { effect: "restart", record: { count: foreign as never, restarted: 1 } } }],
] as const)("a foreign value in the place of %s is not shown as the report's own words", (_place, parts) => {
  const report = reportOn([step({ new: { branchId: "br-b" }, ...parts })], failure(foreign, "other"));
  expect(steeringIn(report)).toEqual([]);
  expect(toText(report)).not.toContain(foreign);
});

it("JSON escapes text that could steer a terminal, and loses none of it", () => {
  const report = reportOn([], failure("a\u0085b \u202e ##vso[a] \u{e0001}\u2028."));
  const json = renderReport(report, { format: "json", maxLength: 0 });
  expect(json).toContain("a\\u0085b \\u202e #\\u0023vso[a] \\udb40\\udc01\\u2028.");
  expect(JSON.parse(json)).toEqual(report);
});

it("a tab becomes a space, even in Pulumi's own sentences", () => {
  const report = reportOn([], failure("a component has problems:\n\t\t- property x: no"));
  expect(toText(report)).toContain("- property x: no\n");
  expect(commentOn(report)).toContain("\n  - property x: no\n");
});

const manyBrackets = (line: string): string =>
  `${`${line}\n`.repeat(100_000)}text\n{"steps":[],"changeSummary":{}}`;
const longValue = JSON.stringify({ format_version: "1.2", planned_values: { a: '\\"{'.repeat(5_000_000) } });
/** Without protection, reading each of these inputs takes more than half a minute, or fails with another error. */
it.each<[reason: string, text: string]>([
  ["100,000 lines that begin with a bracket", manyBrackets("[")],
  ["100,000 lines that begin with a name in brackets", manyBrackets("[step]")],
  ["100,000 lines that begin with a brace", manyBrackets("{ ")],
  ["a value of 15 MB after a line of npm", `> npm run plan\n${longValue}`],
])("a preview can be read even with %s", (_reason, text) => {
  expect(readPreview(Buffer.from(text)).steps).toEqual([]);
});

it.each(["property  value '", "': property ", " has a problem: ", "x resource '", "\n\t\t- property "])(
  "an error that repeats the same words thousands of times is shown: %j",
  (piece) => {
    const message = `x resource '${piece.repeat(33_000 / piece.length)}`;
    for (const name of ["app", undefined])
      expect(toText(reportOn([], failure(message, name)))).toContain("failed");
  },
);

it("wrapping a long line puts no command at the beginning of a line", () => {
  const text = toText(reportOn([], failure(`${"a".repeat(96)} ::error::zz`)));
  expect(text).toContain("\n: :error::zz");
});
