/** The examples in other languages: real SDKs, generated from the schema, against the plugin. */
import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createStack, linkPackages, type CommandResult, type TestStack } from "../support/stack";
import { environmentFor, languages, prepareLanguages } from "../support/languages/languages";

const checkout = path.join(__dirname, "..", "..");
const prepared = prepareLanguages();

/** What docs/languages.md shows of a preview, without the lines that are one stack's alone. */
const shown = linesOf(
  /```text\n(.*?)```/s.exec(readFileSync(path.join(checkout, "docs/languages.md"), "utf8"))![1]!,
).filter((line) => !line.startsWith("["));

function linesOf(text: string): readonly string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

describe.each(languages)("examples/%s", (language) => {
  const runsWith = prepared[language];
  if ("missing" in runsWith) {
    console.warn(`examples/${language} is not run: ${runsWith.missing}`);
    it.skip(`comes up with the real SDK: ${runsWith.missing}`, () => undefined);
    return;
  }
  let stack: TestStack;
  let environment: NodeJS.ProcessEnv;
  let branchId: string;

  const ok = (...words: readonly string[]): Promise<CommandResult> => stack.ok(words, environment);
  /** Type and smallest size of each compute on the example's branch. */
  const made = (): readonly string[] =>
    stack.emulator
      .endpoints(stack.projectId)
      .filter(({ endpoint }) => endpoint.branch_id === branchId)
      .map(({ endpoint }) => `${endpoint.type} ${endpoint.autoscaling_limit_min_cu}`)
      .sort();

  /** A copy of the example, with the package and the SDK in it, and what its host needs to know of this machine. */
  const copyInto = (folder: string): string => {
    const copy = path.join(folder, language);
    cpSync(path.join(checkout, "examples", language), copy, { recursive: true });
    linkPackages(copy);
    symlinkSync(runsWith.sdks, path.join(copy, "sdk"));
    const file = path.join(copy, "Pulumi.yaml");
    const runtime = `runtime: ${JSON.stringify({ name: language, options: runsWith.options })}\n`;
    const text = readFileSync(file, "utf8").replace(/^runtime:.*\n( .*\n)*/m, runtime);
    writeFileSync(file, text);
    return copy;
  };

  beforeAll(async () => {
    stack = await createStack({ program: copyInto });
    environment = environmentFor(language, runsWith, {
      folder: stack.folder,
      path: stack.environment["PATH"] ?? "",
    });
    branchId = stack.emulator.createBranch(stack.projectId, { compute: false }).branch.id;
    await ok("config", "set", "projectId", stack.projectId);
    await ok("config", "set", "branchId", branchId);
  });
  afterAll(() => stack.close());

  it("comes up, and is stable", async () => {
    await ok("up", "--yes", "--skip-preview");
    expect(made()).toEqual(["read_only 0.25", "read_write 0.25"]);
    const { stdout } = await ok("stack", "output", "--json");
    const host: unknown = expect.stringMatching(/^ep-\S+\.localhost$/);
    expect(JSON.parse(stdout)).toEqual({ host, replicaHost: host });
    await ok("preview", "--expect-no-changes");
  });

  it("says in a preview that a change of size restarts the primary, and nothing of what uses its host", async () => {
    await ok("config", "set", "size", "1");
    const { output } = await ok("preview", "--diff");
    expect(shown).toContain("~ compute:index:Endpoint: (update)");
    expect(linesOf(output)).toEqual(expect.arrayContaining([...shown]));
    expect(output).toMatch(/^ +~ 1 to update\n +2 unchanged$/m);
  });

  it("goes away", async () => {
    await ok("destroy", "--yes", "--skip-preview");
    expect(made()).toEqual([]);
  });
});
