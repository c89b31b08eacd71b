/** Several previews at once; golden.test.ts has their comment. */
import type { StacksReport } from "../../../preview/shape";
import { failure, leaves, moves, runPreview as run, settles, stackOf, starts } from "./previews";

const [dev, prod] = [stackOf("dev", [starts, settles]), stackOf("prod", [leaves, moves])];
const broken = stackOf("broken", [moves], failure("error: forbidden", "mover"));
const stacks = {
  ...{ "dev.json": dev, "calm.json": stackOf("calm", []), "prod.json": prod },
  ...{ "broken.json": broken, "torn.json": prod.subarray(0, 300), "other.json": stackOf("other", [moves]) },
};
const three = ["dev.json", "calm.json", "prod.json"];

describe("several previews", () => {
  it("are one JSON, with the report of each as it is alone", () => {
    const report = JSON.parse(run([...three, "--format", "json"], stacks).out) as StacksReport;
    expect(report).toMatchObject({
      format: "compute-preview-stacks",
      version: 1,
      unreadable: [],
      summary: "1 compute is deleted, 1 moves to another branch, 1 changes without interruption, 1 is new",
    });
    const names = ["shop/prod prod.json", "shop/dev dev.json", "shop/calm calm.json"];
    expect(report.stacks.map(({ name, file }) => `${name} ${file}`)).toEqual(names);
    const alone = run(["dev.json", "--format", "json"], stacks).out;
    expect(report.stacks[1]?.report).toEqual(JSON.parse(alone));
  });

  it("are one text", () => {
    const { out } = run([...three, "--format", "text"], stacks);
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
    const inFolder = { "previews/dev.json": dev, "previews/notes.md": "", "previews/`@octocat`.txt": "" };
    const { out, code } = run(["previews"], inFolder);
    expect(code).toBe(0);
    const says = "Not read, since previews end in .json, .ndjson or .jsonl:";
    expect(out).toContain(`${says} \`previews/notes.md\`, <code>previews/&#96;`);
    expect(run(["previews", "--format", "text"], inFolder).out).toContain(`${says} previews/notes.md`);
  });

  it("are several for a folder with one, so that its JSON has one shape, and an error where it has none", () => {
    const { out } = run(["previews", "--format", "json"], { "previews/dev.json": dev });
    const format = "compute-preview-stacks";
    expect(JSON.parse(out)).toMatchObject({ format, stacks: [{ name: "shop/dev" }] });
    const none = run(["previews"], { "previews/notes.md": dev });
    expect(none).toMatchObject({ code: 3, out: "" });
    const says = "there is no *.json, *.ndjson or *.jsonl below previews, only previews/notes.md";
    expect(none.err).toContain(says);
  });

  it.each([
    [0, "no stack is met", ["dev.json", "calm.json"], ["delete,move"]],
    [22, "the second is met", ["calm.json", "prod.json"], ["move"]],
    [20, "the worst of all stacks counts", ["other.json", "prod.json"], ["move,delete"]],
    [4, "a failed preview comes before", ["prod.json", "broken.json"], ["delete"]],
    [3, "one that cannot be read comes before", ["broken.json", "torn.json"], ["delete"]],
  ])("end with %s where %s", (...[code, , names, failOn]) => {
    const words = failOn.flatMap((kinds) => ["--fail-on", kinds]);
    expect(run([...names, ...words], stacks).code).toBe(code);
  });

  it("are reported with what every stack adds, though some are no previews, which gives no all-clear", () => {
    const names = ["calm.json", "torn.json", "gone.json", "broken.json"];
    const { code, out, err } = run(names, stacks);
    expect(code).toBe(3);
    expect(out).toContain("### ⚠️ Not known: 2 of 4 previews could not be read");
    expect(out).not.toMatch(/no compute drops|\*\* No compute changes/);
    expect(out).toContain("- `torn.json`: **not known**, it is not a preview: `it is cut off after 300");
    expect(out).toContain("- `gone.json`: **not known**, it is not a preview: ");
    expect(out).toContain("- 1 stack changes no compute: `shop/calm`\n");
    expect(err).toContain("torn.json is not a preview: it is cut off");
    expect(err).toContain("1 of 4 previews failed");
  });

  it("are reported though one of them is nested without end", () => {
    const value = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    const deep = Buffer.from(`{"steps":[{"op":"create","urn":"a","newState":{"inputs":{"x":${value}}}}]}`);
    const { code, out } = run(["dev.json", "deep.json"], { "dev.json": dev, "deep.json": deep });
    expect(code).toBe(3);
    expect(out).toContain("- `deep.json`: **not known**, it is not a preview: `it is nested too deep`");
    expect(out).toContain("#### `shop/dev`");
  });
});
