/**
 * Each value of real previews in turn, made what steers a terminal, a CI system or a page: of other providers and of
 * Terraform's plans too.
 */
import { readdirSync } from "node:fs";
import { reportOf } from "../../../preview/judge/report";
import type { Report } from "../../../preview/judge/shape";
import { readPreview } from "../../../preview/read/preview";
import { toAnnotations } from "../../../preview/render/annotations";
import { commentLength, toMarkdown } from "../../../preview/render/markdown";
import { toText } from "../../../preview/render/text";
import { asMuchAs } from "../../support/extent";
import { fixture, fixtureFile } from "./previews";

const hostile = "@zz<b>|`http://zz.example\u001B\u202E##[zz]\n::error::zz";

const mostOfAFile = asMuchAs({ quick: 12, full: 200 });

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

/** What of a report could steer; empty if nothing. */
function steeringIn(report: Report): readonly string[] {
  const markdown = toMarkdown(report, { maxLength: commentLength });
  const withoutCode = markdown
    .replaceAll(/^(`{3,})text\n[^]*?\n\1$/gm, "")
    .replaceAll(/(`+)[^`][^]*?\1(?!`)|<code>(?:[^<]|<wbr>)*<\/code>/g, "");
  const text = `${markdown}\n${toText(report)}`;
  const annotations = toAnnotations([report], "github", "").split("\n");
  const isAnnotation = (line: string): boolean =>
    /^::(error|warning|notice)( file=[^:,]*,line=\d+)?::[^\p{Cc}\p{Cf}]*$/u.test(line);
  return [
    ...(withoutCode.match(/.*(?:@zz|<b>|http).*/g) ?? []),
    ...text.split("\n").filter((line) => /\p{Cc}|\p{Cf}|^\s*::|##\w*\[/u.test(line)),
    ...annotations.filter((line) => line !== "" && !isAnnotation(line)),
  ];
}

it.each(files)("no value of %s steers what shows it", (file) => {
  const lines = fixture(file).toString().trim();
  const documents = (file.endsWith("ndjson") ? lines.split("\n") : [lines]).map(
    (line) => JSON.parse(line) as Record<string, unknown>,
  );
  const places = documents.flatMap(placesIn);
  const every = Math.ceil(places.length / mostOfAFile);
  let shown = 0;
  for (const { old, set } of places.filter((_place, index) => index % every === 0)) {
    // A URN stays one.
    set(typeof old === "string" && old.startsWith("urn:") ? old + hostile : hostile);
    const preview = Buffer.from(documents.map((document) => JSON.stringify(document)).join("\n"));
    set(old);
    let report: Report;
    try {
      report = reportOf(readPreview(preview));
    } catch {
      // It is no preview any more.
      continue;
    }
    shown += 1;
    expect(steeringIn(report)).toEqual([]);
  }
  expect(shown).toBeGreaterThan(0);
});
