/** The examples in other languages: real SDKs, generated from the schema, against the plugin. */
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { folderOutside, packInto, succeed } from "../support/packed";
import {
  createStack,
  linkPackages,
  pulumiIn,
  useStack,
  type CommandResult,
  type TestStack,
} from "../support/stack";
import { environmentFor, languages, prepareLanguages, type Language } from "../support/languages/languages";

const checkout = path.join(__dirname, "..", "..");
const prepared = prepareLanguages();

const page = readFileSync(path.join(checkout, "docs/languages.md"), "utf8");

/** What the page shows of a preview. */
const shown = linesOf(/```text\n(.*?)```/s.exec(page)![1]!);

/** The page's commands: those of whoever begins, and those of a colleague with a clone. */
const [beginning = [], cloned = []] = Array.from(page.matchAll(/```sh\n(.*?)```/gs), ([, block]) =>
  linesOf(block!).map((line) => line.replace(/ +#.*/, "")),
);

function linesOf(text: string): readonly string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** What the control plane and the preview have to show of an example, by whatever host. */
async function expectExample(
  stack: Pick<TestStack, "emulator" | "projectId" | "outputs">,
  pulumi: Ok,
): Promise<void> {
  const made = stack.emulator
    .endpoints(stack.projectId)
    .map(({ endpoint }) => `${endpoint.type} ${endpoint.autoscaling_limit_min_cu}`);
  // One is the project's own.
  expect(made.sort()).toEqual(["read_only 0.25", "read_write 0.25", "read_write 0.25"]);
  const host: unknown = expect.stringMatching(/^ep-\S+\.localhost$/);
  expect(await stack.outputs()).toEqual({ host, replicaHost: host });
  await pulumi("preview", "--expect-no-changes");
  // A change of size restarts the primary, and says nothing of what uses its host.
  await pulumi("config", "set", "size", "1");
  const { output } = await pulumi("preview", "--diff");
  expect(shown).toContain("~ compute:index:Endpoint: (update)");
  // How long ago depends on the machine.
  const [told, wanted] = [linesOf(output), shown].map((lines) =>
    lines.map((line) => line.replace(/last access [^)]+/, "last access")),
  );
  expect(told).toEqual(expect.arrayContaining(wanted!));
  expect(output).toMatch(/^ +~ 1 to update\n +2 unchanged$/m);
  await pulumi("config", "rm", "size");
}

type Ok = (...words: readonly string[]) => Promise<CommandResult>;

/** Why the page's commands cannot be typed here; undefined where they can. */
function lacking(language: Language): string | undefined {
  const runsWith = prepared[language];
  if ("missing" in runsWith) return runsWith.missing;
  return "host" in runsWith ? "there is no official host" : undefined;
}

// With an official host, it comes up by the page's commands below.
describe.each(languages)("examples/%s", (language) => {
  const runsWith = prepared[language];
  if (lacking(language) === undefined) {
    it.skip("comes up by the page's commands, below", () => undefined);
    return;
  }
  if ("missing" in runsWith) {
    console.warn(`examples/${language} is not run: ${runsWith.missing}`);
    it.skip(`comes up with the real SDK: ${runsWith.missing}`, () => undefined);
    return;
  }
  let environment: NodeJS.ProcessEnv;
  let branchId: string;

  const ok = (...words: readonly string[]): Promise<CommandResult> => stack.ok(words, environment);
  /** A copy of the example, with the package and the SDK in it, and what its host needs to know of this machine. */
  const copyInto = (folder: string): string => {
    const copy = path.join(folder, language);
    cpSync(path.join(checkout, "examples", language), copy, { recursive: true });
    linkPackages(copy);
    const file = path.join(copy, "Pulumi.yaml");
    const runtime = `runtime: ${JSON.stringify({ name: language, options: runsWith.options })}\n`;
    const text = readFileSync(file, "utf8").replace(/^runtime:.*\n( .*\n)*/m, runtime);
    writeFileSync(file, text);
    return copy;
  };

  const stack = useStack({ program: copyInto }, async () => {
    environment = environmentFor(language, runsWith, {
      folder: stack.folder,
      path: stack.environment["PATH"] ?? "",
    });
    branchId = stack.emptyBranch();
    await ok("config", "set", "projectId", stack.projectId);
    await ok("config", "set", "branchId", branchId);
  });

  it("comes up, is stable, tells of a restart, and goes away", async () => {
    await ok("up", "--yes", "--skip-preview");
    await expectExample(stack, ok);
    await ok("destroy", "--yes", "--skip-preview");
    expect(stack.computes(branchId)).toEqual([]);
  });
});

describe.each(languages)("a copy of examples/%s, by the page's commands alone", (language) => {
  const lacks = lacking(language);
  if (lacks !== undefined) {
    it.skip(`comes up here and in a clone: ${lacks}`, () => undefined);
    return;
  }

  it("comes up, tells of a restart, and a clone that another machine installs sees no change", async () => {
    const outside = folderOutside();
    const first = path.join(outside, "first");
    const stack = await createStack({
      program: () => {
        cpSync(path.join(checkout, "examples", language), first, { recursive: true });
        return first;
      },
    });
    try {
      const packed = await packInto(path.join(outside, "packed"));
      await stack.ok(["config", "set", "projectId", stack.projectId]);
      await stack.ok(["config", "set", "branchId", stack.emptyBranch()]);
      // As on a user's machine, the engine may look for plugins and packages.
      const environment = { ...stack.environment, PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "" };
      const type = async (folder: string, line: string, more: NodeJS.ProcessEnv = {}): Promise<unknown> => {
        const [command = "", ...words] = line
          .split(" ")
          .map((word) => (word === "pulumi-compute-endpoint" ? packed : word));
        if (command !== "pulumi") return succeed([command, ...words], folder, environment);
        const answers = words[0] === "up" ? ["--yes", "--skip-preview"] : [];
        return pulumiIn(folder, { ...environment, ...more }).ok([...words, ...answers]);
      };

      for (const line of beginning) await type(first, line);
      await expectExample(stack, (...words) => pulumiIn(first, environment).ok(words));

      const text = readFileSync(path.join(first, "Pulumi.yaml"), "utf8");
      expect(page).toContain(/^packages:\n.*\n/m.exec(text)![0]);
      writeFileSync(path.join(first, ".gitignore"), "node_modules/\nvenv/\n");
      const author = ["-c", "user.name=first", "-c", "user.email=first@example.com"];
      await succeed(["git", "init", "--quiet"], first);
      await succeed(["git", "add", "--all"], first);
      await succeed(["git", ...author, "commit", "--quiet", "--message", "Begin"], first);

      const second = path.join(outside, "second");
      await succeed(["git", "clone", "--quiet", first, second], outside);
      const home = { PULUMI_HOME: path.join(outside, "home"), PULUMI_STACK: "test" };
      for (const line of cloned)
        await type(second, line === "pulumi preview" ? `${line} --expect-no-changes` : line, home);
      await stack.destroy();
    } finally {
      await stack.close();
      rmSync(outside, { recursive: true, force: true });
    }
  }, 900_000);
});
