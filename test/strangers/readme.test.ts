/** Runs the README's commands exactly as it prints them, in a fresh copy and in an empty folder. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { engineEnvironment } from "../../tools/engine/environment";
import { describeOnPostgres } from "../../emulator/test/postgresSupport";
import { cloneInto } from "../support/clone";
import { npmInstall, packedOutside, succeed, writeFiles } from "../support/packed";
import { pulumiIn } from "../support/stack";

const checkout = path.join(__dirname, "..", "..");
const readme = readFileSync(path.join(checkout, "README.md"), "utf8");

interface Block {
  readonly heading: string;
  readonly language: string;
  readonly text: string;
}

const blocks: readonly Block[] = readme.split(/^## /m).flatMap((section) =>
  [...section.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = "", text = ""]) => ({
    heading: section.split("\n")[0]!.replace(/^# .*/, ""),
    language,
    text,
  })),
);

function block(heading: string, language: string): string {
  return blocks.find((one) => one.heading === heading && one.language === language)!.text;
}

/** The commands of a section, without their comments. */
function commandsOf(heading: string): string[] {
  return blocks
    .filter((one) => one.heading === heading && one.language === "sh")
    .flatMap(({ text }) => text.split("\n"))
    .map((line) => line.replace(/\s+# .*$/, ""))
    .filter((line) => line !== "");
}

/** Commands that run elsewhere: `npm run demo` in a test below, if Postgres is there, and `npm test` in .ci/run. */
const elsewhere: readonly string[] = ["npm run demo", "npm test"];

const outside = packedOutside();
let copy: string;

beforeAll(() => {
  copy = path.join(outside.folder, "clone");
  cloneInto(copy);
});

describe("in a fresh copy", () => {
  it.each(commandsOf("Try it in a clone").filter((line) => !elsewhere.includes(line)))("%s", async (line) => {
    const asked = line.endsWith("pulumi destroy") ? `${line} --yes` : line;
    const printed = await succeed(["bash", "-c", `set -o pipefail; ${asked}`], copy);
    if (/neon\.json/.test(line)) expect(printed).toMatch(/1 compute is deleted/);
    else if (/preview/.test(line)) expect(printed).toMatch(/restart/);
  });
});

describeOnPostgres("npm run demo, in a fresh copy", () => {
  it("shows a restart, a change without one, an autosuspend and a wake", async () => {
    const rows = (await succeed(["npm", "run", "--silent", "demo"], copy)).split("\n").slice(-5, -1);
    expect(rows).toEqual([
      expect.stringMatching(/^0\.25 → 1 CU +│ restart +│ 57P01 \d+ ms into pulumi up, back after \d+ ms$/),
      expect.stringMatching(
        /^suspend timeout 300 → 60 s +│ no interruption +│ stayed open, every query answered$/,
      ),
      expect.stringMatching(/^autosuspend +│ after 60 s without a query +│ 57P01 \d+ ms after the timeout$/),
      expect.stringMatching(/^wake +│ with the next query +│ answered after \d+ ms$/),
    ]);
  });
});

describe("in an empty folder, against npm run emulator", () => {
  let emulator: ChildProcess;
  let folder: string;
  let environment: NodeJS.ProcessEnv;
  let ids: Readonly<Record<"projectId" | "branchId", string>>;

  const pulumi = async (...words: string[]): Promise<string> =>
    (await pulumiIn(folder, environment).ok(words)).output;

  beforeAll(async () => {
    const words = ["run", "emulator", "--", "--project", "--port", "0"];
    emulator = spawn("npm", words, { cwd: copy, detached: true });
    const printed = await untilReady(emulator);
    folder = path.join(outside.folder, "new");
    environment = {
      ...engineEnvironment(path.join(outside.folder, "home")),
      COMPUTE_BASE_URL: /emulator ready (\S+)/.exec(printed)![1],
      COMPUTE_API_KEY: "local-key",
    };
    ids = {
      projectId: /set projectId (\S+)/.exec(printed)![1]!,
      branchId: /set branchId (\S+)/.exec(printed)![1]!,
    };
    // The files that `pulumi new typescript` writes.
    writeFiles(folder, {
      "Pulumi.yaml": "name: new\nruntime:\n  name: nodejs\n  options: { packagemanager: npm }\n",
      "package.json": JSON.stringify({
        name: "new",
        main: "index.ts",
        devDependencies: { "@types/node": "^20", typescript: "^5.0.0" },
        dependencies: { "@pulumi/pulumi": "^3.216.0" },
      }),
      "tsconfig.json": JSON.stringify({
        compilerOptions: { strict: true, target: "es2020", module: "commonjs", moduleResolution: "node" },
        files: ["index.ts"],
      }),
    });
    await pulumi("stack", "init", "dev");
  });
  afterAll(async () => {
    if (emulator.exitCode === null && emulator.pid !== undefined) {
      process.kill(-emulator.pid, "SIGINT");
      await once(emulator, "close");
    }
  });

  it.each(commandsOf("Get started").filter((line) => !line.startsWith("export ")))("%s", async (line) => {
    const [command, verb, ...rest] = line.split(" ");
    if (command === "npm") {
      expect(verb).toBe("install");
      await npmInstall(folder, outside.tarball);
    } else {
      expect([command, verb, rest[0]]).toEqual(["pulumi", "config", "set"]);
      await pulumi("config", "set", rest[1]!, ids[rest[1] as keyof typeof ids]);
    }
  });

  it.each([
    { variant: "the program as it stands", lines: "", from: "pulumi-compute-endpoint" },
    {
      variant: "the plugin",
      lines: block("What a preview says", "yaml"),
      from: "pulumi-compute-endpoint/native",
    },
  ])(
    "$variant comes up, shows no change afterwards, announces a restart, and can be destroyed",
    async ({ lines, from }) => {
      const program = block("Get started", "ts").replace('"pulumi-compute-endpoint"', `"${from}"`);
      expect(program).toContain(`"${from}"`);
      writeFileSync(path.join(folder, "index.ts"), program);
      appendFileSync(path.join(folder, "Pulumi.yaml"), lines);
      await succeed(["node", "node_modules/typescript/bin/tsc", "--noEmit"], folder);
      // The replica comes first, because of `dependsOn`.
      const up = await pulumi("up", "--yes", "--skip-preview");
      expect(up).toMatch(/Endpoint replica created[^]*Endpoint app created[^]*host: "ep-/);
      await pulumi("preview", "--expect-no-changes");
      writeFileSync(path.join(folder, "index.ts"), program.replace("fixedSize(1)", "fixedSize(2)"));
      const [forbid = "", ...report] = commandsOf("What a preview says");
      expect(report).toHaveLength(2);
      const comment = report.join("\n");
      const typed = async (line: string): Promise<string> =>
        succeed(["bash", "-c", line], folder, environment);
      await typed(forbid);
      expect(await typed(`${comment} || [ $? = 4 ]`)).toContain("This is forbidden here");
      await pulumi("config", "rm", "compute:onInterruption");
      expect(await typed(comment)).toContain("1 compute drops its open connections");
      await pulumi("destroy", "--yes", "--skip-preview");
    },
  );
});

/** @returns what a program has printed once its ready line has appeared. */
async function untilReady(child: ChildProcess): Promise<string> {
  let printed = "";
  return new Promise((resolve, reject) => {
    const take = (text: Buffer): void => {
      printed += text.toString();
      if (printed.includes("emulator ready")) resolve(printed);
    };
    child.stdout!.on("data", take);
    child.stderr!.on("data", take);
    child.once("close", (code) => {
      reject(new Error(`It ended with ${String(code)}: ${printed}`));
    });
  });
}
