/** The examples in other languages: real SDKs, generated from the schema, against the plugin. */
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { packageName, packedOutside, succeed } from "../support/packed";
import { linkPackages, pulumiIn, useStack, type CommandResult, type TestStack } from "../support/stack";
import { environmentFor, languages, prepareLanguages, type Language } from "../support/languages/languages";

const checkout = path.join(__dirname, "..", "..");
const prepared = prepareLanguages();

/** The section of the page that installs the plugin with npm. */
const page = readFileSync(path.join(checkout, "docs/install.md"), "utf8").split(
  "### With Node and npm instead",
)[1]!;

/** The preview that the README shows, with the type of the plugin's resource. */
const shown = linesOf(
  /```text\n(.*?)```/s
    .exec(readFileSync(path.join(checkout, "README.md"), "utf8"))![1]!
    .replace("pulumi-nodejs:dynamic/compute:Endpoint", "compute:index:Endpoint"),
);

/** The page's commands: for the first user, and for a colleague with a clone. */
const [beginning = [], cloned = []] = Array.from(page.matchAll(/```sh\n(.*?)```/gs), ([, block]) =>
  linesOf(block!).map((line) => line.replace(/ +#.*/, "")),
);

function linesOf(text: string): readonly string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** What the control plane and the preview must show for an example, whichever host runs it. */
async function expectExample(
  stack: Pick<TestStack, "emulator" | "projectId" | "outputs">,
  pulumi: Ok,
): Promise<void> {
  const made = stack.emulator
    .endpoints(stack.projectId)
    .map(({ endpoint }) => `${endpoint.type} ${endpoint.autoscaling_limit_min_cu}`);
  // One of the computes came with the project.
  expect(made.sort()).toEqual(["read_only 0.25", "read_write 0.25", "read_write 0.25"]);
  const host: unknown = expect.stringMatching(/^ep-\S+\.localhost$/);
  expect(await stack.outputs()).toEqual({ host, replicaHost: host });
  // A new size restarts the primary, and the preview says nothing about resources that use its host.
  await pulumi("config", "set", "size", "1");
  const { output } = await pulumi("preview", "--diff");
  expect(shown).toContain("~ compute:index:Endpoint: (update)");
  // The time since the last access differs from machine to machine.
  const [told, wanted] = [linesOf(output), shown].map((lines) =>
    lines.map((line) => line.replace(/last access [^)]+/, "last access")),
  );
  expect(told).toEqual(expect.arrayContaining(wanted!));
  expect(output).toMatch(/^ +~ 1 to update\n +2 unchanged$/m);
  await pulumi("config", "rm", "size");
}

type Ok = (...words: readonly string[]) => Promise<CommandResult>;

/** Why the page's commands cannot run here; undefined if they can. */
function lacking(language: Language): string | undefined {
  const runsWith = prepared[language];
  if ("missing" in runsWith) return runsWith.missing;
  return "host" in runsWith ? "there is no official host" : undefined;
}

// If the language's official host is installed, the tests below run the example with the commands of docs/install.md.
describe.each(languages)("examples/%s", (language) => {
  const runsWith = prepared[language];
  if (lacking(language) === undefined) {
    it.skip("comes up in a test below, with the commands of docs/install.md", () => undefined);
    return;
  }
  if ("missing" in runsWith) {
    console.warn(`examples/${language} is not run: ${runsWith.missing}`);
    it.skip(`comes up with the real SDK: ${runsWith.missing}`, () => undefined);
    return;
  }
  let environment: NodeJS.ProcessEnv;

  const ok = (...words: readonly string[]): Promise<CommandResult> => stack.ok(words, environment);
  /** A copy of the example, with the package, the SDK and what its host needs to know about this machine. */
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
    await ok("config", "set", "projectId", stack.projectId);
    await ok("config", "set", "branchId", stack.emptyBranch());
  });

  it("comes up, and announces a restart", async () => {
    await ok("up", "--yes", "--skip-preview");
    await expectExample(stack, ok);
  });
});

describe("with only the commands of docs/install.md,", () => {
  const outside = packedOutside();
  /** The copy into which the package was installed first. */
  let installed = "";

  /** The engine is allowed to look for plugins and packages, as on a user's machine. */
  const acquisition = { PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "" };
  const type = async (folder: string, line: string, environment: NodeJS.ProcessEnv): Promise<unknown> => {
    const [command = "", ...words] = line
      .split(" ")
      .map((word) => (word === packageName ? outside.tarball : word));
    if (command !== "pulumi") return succeed([command, ...words], folder, environment);
    const answers = words[0] === "up" ? ["--yes", "--skip-preview"] : [];
    return pulumiIn(folder, environment).ok([...words, ...answers]);
  };

  /** The page's npm line does the same in each language. */
  const install = async (folder: string, line: string, environment: NodeJS.ProcessEnv): Promise<void> => {
    if (installed === "") {
      await type(folder, line, environment);
      installed = folder;
      return;
    }
    for (const made of ["node_modules", "package.json", "package-lock.json"])
      cpSync(path.join(installed, made), path.join(folder, made), {
        recursive: true,
        verbatimSymlinks: true,
      });
  };

  describe.each(languages)("a copy of examples/%s", (language) => {
    const lacks = lacking(language);
    if (lacks !== undefined) {
      it.skip(`comes up: ${lacks}`, () => undefined);
      return;
    }
    const copyInto = (): string => {
      const copy = path.join(outside.folder, language);
      cpSync(path.join(checkout, "examples", language), copy, { recursive: true });
      return copy;
    };
    const stack = useStack({ program: copyInto, environment: acquisition }, async () => {
      await stack.ok(["config", "set", "projectId", stack.projectId]);
      await stack.ok(["config", "set", "branchId", stack.emptyBranch()]);
    });

    it("comes up, and announces a restart", async () => {
      const folder = path.join(outside.folder, language);
      for (const line of beginning)
        await (line.startsWith("npm ") ? install : type)(folder, line, stack.environment);
      await expectExample(stack, (...words) => stack.ok(words));
      const text = readFileSync(path.join(folder, "Pulumi.yaml"), "utf8");
      expect(page).toContain(/^packages:\n.*\n/m.exec(text)![0]);
    });

    // Of the three languages, Python has the most to install.
    if (language !== "python") return;

    it("shows no change in a clone on another machine", async () => {
      const [first, second] = [language, "second"].map((name) => path.join(outside.folder, name));
      writeFileSync(path.join(first!, ".gitignore"), "node_modules/\nvenv/\n");
      const author = ["-c", "user.name=first", "-c", "user.email=first@example.com"];
      await succeed(["git", "init", "--quiet"], first!);
      await succeed(["git", "add", "--all"], first!);
      await succeed(["git", ...author, "commit", "--quiet", "--message", "Begin"], first!);
      await succeed(["git", "clone", "--quiet", first!, second!], outside.folder);
      const home = { PULUMI_HOME: path.join(outside.folder, "home"), PULUMI_STACK: "test" };
      for (const line of cloned)
        await type(second!, line === "pulumi preview" ? `${line} --expect-no-changes` : line, {
          ...stack.environment,
          ...home,
        });
    });
  });
});
