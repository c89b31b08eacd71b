/** The forms in which a preview comes, and how files and pipes are read. */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { copyFileSync } from "node:fs";
import path from "node:path";
import { readStandardInput } from "../../../preview/read/standardStreams";
import { itUnlessWindows } from "../../support/systems";
import { temporaryFolder } from "../../support/temporaryFolder";
import { readPreview } from "../../../preview/input";
import { reportOf } from "../../../preview/judge/report";
import type { Report } from "../../../preview/shape";
import { digest, fixture, fixtureFile, fixtureReport, step } from "./previews";

const json = fixture("changes.json").toString();
const lines = fixture("changes.ndjson").toString().trim().split("\n");
const reportIn = (input: string | Buffer): Report => reportOf(readPreview(Buffer.from(input)));

it("the document and the events give the same report", () => {
  expect(reportIn(lines.join("\n"))).toEqual({ ...reportIn(json), form: "events" });
});

it.each<[reason: string, document: string | Buffer, events?: readonly string[]]>([
  ["npm run prints what it runs", `\n> shop@1.0.0 local\n> node tools.js\n\n${json}`],
  ["a byte order mark comes first", `\uFEFF${json}`],
  [
    "yarn 1 prints around it",
    `yarn run v1.22.22\n$ pulumi preview --json\n${json}\nDone in 3.21s.\n`,
    ["$ pulumi preview --json", ...lines, "Done in 3s."],
  ],
  [
    "stderr is mixed in",
    `warning: A new version of Pulumi is available\n${json}`,
    lines.flatMap((line, index) => [`warning: ${index}`, line]),
  ],
  ["another object comes before it", `{"level":"warn"}\n${json}`, ['{"level":"warn"}', ...lines]],
])("a preview is read where %s", (_reason, document, events = lines) => {
  expect(reportIn(document)).toEqual(fixtureReport("changes.json"));
  expect(reportIn(events.join("\n"))).toEqual(fixtureReport("changes.ndjson"));
});

const prefixed = (prefix: (index: number) => string, text: string): string =>
  text
    .split("\n")
    .map((line, index) => `${prefix(index)}${line}`)
    .join("\n");
const pretty = JSON.stringify(JSON.parse(json), undefined, 2);
it.each<[tool: string, prefix: (index: number) => string]>([
  ["turbo, in colours", () => "\u001b[36m@acme/db:preview: \u001b[0m"],
  ["concurrently", () => "[0] "],
  ["docker compose", () => "db-1  | "],
  ["a log of GitLab", (index) => `2026-11-20T08:00:${10 + (index % 50)}.123456Z 01O `],
  ["a log with times in brackets", (index) => `[2026-11-20 08:00:${10 + (index % 50)}] `],
  ["Google Cloud Build", () => `Step #1 - "preview": `],
  ["Buildkite", (index) => `\u001b_bk;t=17918500${10 + (index % 50)}123\u0007`],
  ["terragrunt", (index) => `12:00:${10 + (index % 50)}.123 STDOUT [db] tofu: `],
])("a preview is read behind the prefix of %s", (_tool, prefix) => {
  const before = "> @acme/db@1.0.0 preview\n> pulumi preview --json\n\n";
  expect(reportIn(prefixed(prefix, before + pretty))).toEqual(fixtureReport("changes.json"));
  expect(reportIn(prefixed(prefix, lines.join("\n")))).toEqual(fixtureReport("changes.ndjson"));
});

/** Spells the engine's own names as the Automation API of .NET does. Names in inputs and outputs stay. */
function inPascalCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inPascalCase);
  if (typeof value !== "object" || value === null) return value;
  const isOwn = (name: string): boolean => ["inputs", "outputs", "config", "resourceChanges"].includes(name);
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name.charAt(0).toUpperCase() + name.slice(1),
      isOwn(name) ? (one as unknown) : inPascalCase(one),
    ]),
  );
}

// The files of fixtures/others/ have real events of Java and Python.
it("events are read as the Automation API of .NET writes them, and as a list that jq made of them", () => {
  const events = lines.map((line) => JSON.parse(line) as object);
  const ofDotNet = events.map((event) => inPascalCase({ cancelEvent: null, ...event }));
  for (const text of [ofDotNet.map((event) => JSON.stringify(event)).join("\n"), `[${lines.join(",")}]`])
    expect(reportIn(text)).toEqual(fixtureReport("changes.ndjson"));
});

it("a list that contains one preview is read, and so is UTF-16 in each of its forms", () => {
  expect(reportIn(`[${json}]`)).toEqual(fixtureReport("changes.json"));
  const little = Buffer.from(`\uFEFF${json}`, "utf16le");
  const big = Buffer.from(little).swap16();
  for (const bytes of [little, little.subarray(2), big, big.subarray(2)])
    expect(reportIn(bytes)).toEqual(fixtureReport("changes.json"));
});

it("a preview is read with members that later engines may add", () => {
  const added = { ...step({ new: { branchId: "br-b" } }), novelty: { of: ["a", "kind"] } };
  expect(readPreview(digest([added], { novelty: true })).steps).toHaveLength(1);
});

it.each(["succeeded", "canceled", "failed", "something later"])(
  "a preview counts as failed unless its events end with success: %s",
  (result) => {
    const ended = lines.join("\n").replace('"result":"succeeded"', `"result":"${result}"`);
    expect(readPreview(Buffer.from(ended)).failed).toBe(result !== "succeeded");
  },
);

it("a preview counts as failed if its document has no plan: Pulumi printed the error on stderr", () => {
  const diagnostics = [{ severity: "warning", message: "warning: Could not find a package.json file\n" }];
  expect(reportIn(JSON.stringify({ diagnostics }))).toMatchObject({ failed: true, computes: [], errors: [] });
  expect(reportIn(JSON.stringify({ diagnostics, duration: 1_000 })).failed).toBe(false);
});

const root = path.join(__dirname, "../../..");

const failing = (code: string): Error => Object.assign(new Error(code), { code });

/** A pipe whose reads give these parts, one after the other. */
function pipeOf(...parts: readonly (string | Error)[]): (chunk: Buffer) => number {
  const left = [...parts];
  return (chunk) => {
    const part = left.shift() ?? "";
    if (part instanceof Error) throw part;
    return chunk.write(part);
  };
}

it("the command waits for a pipe that is still empty, and reads to its end", () => {
  const again = failing("EAGAIN");
  expect(readStandardInput(pipeOf(again, "one ", again, "two")).toString()).toBe("one two");
});

it.each([
  ["preview/main.ts", 24, [fixtureFile("changes.json"), "--fail-on", "restart"]],
  ["import/main.ts", 0, ["--help"]],
] as const)(
  "%s keeps its exit code even if nobody reads its output to the end",
  async (...[command, code, args]) => {
    const words = ["--require", "ts-node/register", path.join(root, command), ...args];
    const child = spawn(process.execPath, words, { cwd: root });
    child.stdout.destroy();
    let complaint = "";
    child.stderr.on("data", (chunk: Buffer) => (complaint += chunk.toString()));
    const ended = await new Promise((resolve) => child.on("close", resolve));
    expect(complaint).not.toContain("EPIPE");
    expect(ended).toBe(code);
  },
);

itUnlessWindows(
  "folders have no named pipes there",
  "the command does not wait for a named pipe in a folder, but reads a pipe that is an argument",
  () => {
    const folder = temporaryFolder();
    copyFileSync(fixtureFile("refresh.json"), path.join(folder, "whole.json"));
    execFileSync("mkfifo", [path.join(folder, "pipe.json")]);
    const script = '"$0" --require ts-node/register preview/main.ts "$1" <(cat "$2") --format text';
    const args = ["-c", script, process.execPath, folder, fixtureFile("changes.json")];
    const ended = spawnSync("bash", args, { cwd: root, encoding: "utf8", timeout: 30_000 });
    expect(ended.stderr).toContain(
      `${folder}/pipe.json cannot be used: it cannot be read (it is not a regular file: remove it from the folder, or save the preview as a file)`,
    );
    expect(ended.stdout).toMatch(/^Not known: 1 of 3 previews could not be read; 1 compute in 1 of 3/);
    expect(ended.status).toBe(3);
  },
);
