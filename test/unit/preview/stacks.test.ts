import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { StacksReport } from "../../../preview/judge/shape";
import {
  digest,
  failure,
  leaves,
  moves,
  runPreview as run,
  settles,
  starts,
  step,
  type StepParts,
} from "./previews";

/** The preview of a stack of the project `shop`. */
function previewOf(stack: string, steps: readonly StepParts[], more: object = {}): Buffer {
  const root = { op: "same", urn: "urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev" };
  const json = digest([root, ...steps.map(step)], more).toString();
  return Buffer.from(json.replaceAll("urn:pulumi:dev::", `urn:pulumi:${stack}::`));
}

const calm = previewOf("calm", []);
const dev = previewOf("dev", [starts, settles]);
const prod = previewOf("prod", [leaves, moves]);
const broken = previewOf("broken", [moves], failure("error: forbidden", "mover"));
const torn = prod.subarray(0, 300);

describe("several previews", () => {
  const files = { "dev.json": dev, "calm.json": calm, "prod.json": prod };
  const names = Object.keys(files);

  it("are one comment: one headline, the most serious stack first, the quiet ones in a line", () => {
    const { code, out } = run(names, files);
    const file = path.join(__dirname, "golden", "stacks.txt");
    // Removed by hand to take a new one; read it before it is committed.
    if (!existsSync(file)) writeFileSync(file, out);
    expect(out).toBe(readFileSync(file, "utf8"));
    expect(code).toBe(0);
  });

  it("are one JSON, with the report of each as it is alone", () => {
    const report = JSON.parse(run([...names, "--format", "json"], files).out) as StacksReport;
    expect(report).toMatchObject({
      format: "compute-preview-stacks",
      version: 1,
      unreadable: [],
      summary: "1 compute is deleted, 1 moves to another branch, 1 changes without interruption, 1 is new",
    });
    expect(report.stacks.map(({ name, file }) => `${name} ${file}`)).toEqual([
      "shop/prod prod.json",
      "shop/dev dev.json",
      "shop/calm calm.json",
    ]);
    const alone = run(["dev.json", "--format", "json"], files).out;
    expect(report.stacks[1]?.report).toEqual(JSON.parse(alone));
  });

  it("are one text", () => {
    const { out } = run([...names, "--format", "text"], files);
    expect(out.split("\n").filter((line) => /stack|shop/.test(line))).toEqual([
      "1 compute in 1 of 3 stacks is deleted, 1 drops its open connections",
      "shop/prod: 1 compute is deleted, 1 moves to another branch",
      "shop/dev: 1 compute changes without interruption, 1 is new",
      "1 stack changes no compute: shop/calm",
      "shop/prod:",
      "shop/dev:",
    ]);
  });

  it("name the files of a folder that are not read", () => {
    const inFolder = { "previews/dev.json": dev, "previews/notes.md": torn, "previews/`@octocat`.txt": torn };
    const { out, code } = run(["previews"], inFolder);
    expect(code).toBe(0);
    expect(out).toContain(
      "Not read, since previews end in .json, .ndjson or .jsonl: `previews/notes.md`, <code>previews/&#96;",
    );
    const text = run(["previews", "--format", "text"], inFolder).out;
    expect(text).toContain("Not read, since previews end in .json, .ndjson or .jsonl: previews/notes.md");
  });

  it("are reported though one of them is nested without end", () => {
    const value = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    const deep = Buffer.from(`{"steps":[{"op":"create","urn":"a","newState":{"inputs":{"x":${value}}}}]}`);
    const { code, out } = run(["dev.json", "deep.json"], { "dev.json": dev, "deep.json": deep });
    expect(code).toBe(3);
    expect(out).toContain("- `deep.json`: **not known**, it is no preview: `it is nested too deep`");
    expect(out).toContain("#### `shop/dev`");
  });

  it("are several for a folder with one, so that its JSON has one shape", () => {
    const { out } = run(["previews", "--format", "json"], { "previews/dev.json": dev });
    const format = "compute-preview-stacks";
    expect(JSON.parse(out)).toMatchObject({ format, stacks: [{ name: "shop/dev" }] });
  });

  it("are an error where a folder has none", () => {
    const { code, out, err } = run(["previews"], { "previews/notes.md": dev });
    expect({ code, out }).toEqual({ code: 3, out: "" });
    expect(err).toContain("there is no *.json, *.ndjson or *.jsonl below previews, only previews/notes.md");
  });
});

it("the name of a stack is its file's where the preview names none", () => {
  const files = { "previews/nobody.json": digest([]), "dev.json": dev };
  const { out } = run([...Object.keys(files), "--format", "json"], files);
  const { stacks } = JSON.parse(out) as StacksReport;
  expect(stacks.map(({ name }) => name)).toEqual(["shop/dev", "nobody"]);
});

describe("the exit code of several", () => {
  const other = previewOf("other", [moves]);
  const all = Object.entries({ dev, calm, prod, broken, torn, other });
  const files = Object.fromEntries(all.map(([name, bytes]) => [`${name}.json`, bytes]));
  it.each([
    [0, "nothing is asked", ["dev.json", "prod.json"], []],
    [0, "no stack is met", ["dev.json", "calm.json"], ["delete,move"]],
    [22, "the second is met", ["calm.json", "prod.json"], ["move"]],
    [20, "the worst of all stacks counts", ["other.json", "prod.json"], ["move,delete"]],
    [4, "a failed preview comes before", ["prod.json", "broken.json"], ["delete"]],
    [3, "one that cannot be read comes before", ["broken.json", "torn.json"], ["delete"]],
  ])("is %s where %s", (...[code, , names, failOn]) => {
    const words = failOn.flatMap((kinds) => ["--fail-on", kinds]);
    expect(run([...names, ...words], files).code).toBe(code);
  });

  it("comes with what every stack adds to it", () => {
    const { err } = run(["broken.json", "torn.json", "dev.json"], files);
    expect(err).toContain("torn.json is no preview: it is cut off");
    expect(err).toContain("1 of 3 previews failed");
  });
});

describe("a file that is no preview", () => {
  it("leaves the others to be told, and is named in the comment, which gives no all-clear", () => {
    const files = { "calm.json": calm, "torn.json": torn };
    const { code, out } = run(["calm.json", "torn.json", "gone.json"], files);
    expect(code).toBe(3);
    expect(out).toContain("### ⚠️ Not known: 2 of 3 previews could not be read\n");
    expect(out).not.toContain("no compute drops");
    expect(out).not.toMatch(/\*\* No compute changes/);
    expect(out).toContain("- `torn.json`: **not known**, it is no preview: `it is cut off after 300");
    expect(out).toContain("- `gone.json`: **not known**, it is no preview: ");
    expect(out).toContain("- 1 stack changes no compute: `shop/calm`\n");
  });

  it("steers no terminal with its name", () => {
    const { err } = run(["calm.json", "a\u001b[2Jb.json"], { "calm.json": calm });
    expect(err).toContain("a\\u{001b}[2Jb.json is no preview");
    expect(err).not.toContain("\u001b");
  });
});
