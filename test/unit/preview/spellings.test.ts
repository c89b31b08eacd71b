/** The same preview as languages, tools and logs write it. */
import { readPreview } from "../../../preview/input";
import { reportOf } from "../../../preview/judge/report";
import type { Report } from "../../../preview/shape";
import { fixture, fixtureReport } from "./previews";

const json = fixture("changes.json").toString();
const lines = fixture("changes.ndjson").toString().trim().split("\n");
const reportIn = (input: string | Buffer): Report => reportOf(readPreview(Buffer.from(input)));

const prefixed = (prefix: (index: number) => string, text: string): string =>
  text
    .split("\n")
    .map((line, index) => `${prefix(index)}${line}`)
    .join("\n");
const pretty = JSON.stringify(JSON.parse(json), undefined, 2);
it.each<[tool: string, prefix: (index: number) => string]>([
  ["turbo", () => "@acme/db:preview: "],
  ["turbo, in colours", () => "\u001b[36m@acme/db:preview: \u001b[0m"],
  ["pnpm -r", () => "packages/db preview: "],
  ["lerna", () => "@acme/db: "],
  ["concurrently", () => "[0] "],
  ["docker compose", () => "db-1  | "],
  ["a log of GitHub", (index) => `2026-11-20T08:00:${10 + (index % 50)}.1234567Z `],
  ["a log of GitLab", (index) => `2026-11-20T08:00:${10 + (index % 50)}.123456Z 01O `],
  ["a log with times in brackets", (index) => `[2026-11-20 08:00:${10 + (index % 50)}] `],
  ["terragrunt", (index) => `12:00:${10 + (index % 50)}.123 STDOUT [db] tofu: `],
])("reads what stands behind the prefix of %s", (_tool, prefix) => {
  const before = "> @acme/db@1.0.0 preview\n> pulumi preview --json\n\n";
  expect(reportIn(prefixed(prefix, before + pretty))).toEqual(fixtureReport("changes.json"));
  expect(reportIn(prefixed(prefix, lines.join("\n")))).toEqual(fixtureReport("changes.ndjson"));
});

/** Each event with its own names in another spelling; those of the engine stay in inputs and outputs. */
const respelled = (spell: (name: string) => string): string => {
  const own = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(own);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [
        spell(name),
        ["inputs", "outputs", "config", "resourceChanges"].includes(name) ? (one as unknown) : own(one),
      ]),
    );
  };
  return lines
    .map((line) => own(JSON.parse(line)) as object)
    .map((event) => JSON.stringify({ [spell("cancelEvent")]: null, ...event }))
    .join("\n");
};
const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const upperCase = (line: string): string =>
  line.replaceAll(/"(op|\w+)":("[a-z-]+"|1)(?=[,}])/g, (all, name: string, value: string) =>
    name === "op" ? `"op":${value.toUpperCase().replaceAll("-", "_")}` : all,
  );
it.each([
  ["Python", respelled(snakeCase)],
  [".NET", respelled((name) => name.charAt(0).toUpperCase() + name.slice(1))],
  ["Java", lines.map(upperCase).join("\n")],
  ["jq, in a list", `[${lines.join(",")}]`],
])("reads events as the Automation API of %s writes them", (_language, text) => {
  expect(reportIn(text)).toEqual(fixtureReport("changes.ndjson"));
});

it("reads a list of one plan, and UTF-16 in each of its forms", () => {
  expect(reportIn(`[${json}]`)).toEqual(fixtureReport("changes.json"));
  const little = Buffer.from(json, "utf16le");
  const big = Buffer.from(`\uFEFF${json}`, "utf16le").swap16();
  for (const bytes of [little, big, big.subarray(2)])
    expect(reportIn(bytes)).toEqual(fixtureReport("changes.json"));
});
