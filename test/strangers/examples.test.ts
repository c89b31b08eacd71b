/** Each folder of examples/, copied alone into an empty folder and installed with the commands of its page. */
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fixedSize } from "../../provider/model/sizes";
import { engineEnvironment } from "../../tools/engine/environment";
import { folderOutside, packageName, packedOutside, succeed } from "../support/packed";
import { createStack, run, useStack, type TestStack } from "../support/stack";

const checkout = path.join(__dirname, "..", "..");
const examples = path.join(checkout, "examples");
const outside = packedOutside();

/** The lines of a page's block of commands, without comments. */
function commandsOf(page: string, heading: string): readonly string[] {
  const text = readFileSync(path.join(checkout, page), "utf8");
  const block = new RegExp(`^## ${heading}$.*?^\`\`\`sh\\n(.*?)\`\`\``, "ms").exec(text)?.[1] ?? "";
  return block.split("\n").flatMap((line) => line.replace(/ +#.*/, "") || []);
}

/** Runs a line of a page in a folder; the packed file stands for the package. */
function type(line: string, folder: string): Promise<string> {
  const words = line.split(" ").map((word) => (word === packageName ? outside.tarball : word));
  return succeed(words, folder, { npm_config_prefer_offline: "true", npm_config_audit: "false" });
}

let folder = "";
let copy = "";

function copyAlone(example: string): string {
  folder = folderOutside();
  copy = path.join(folder, "home", example);
  cpSync(path.join(examples, example), copy, { recursive: true });
  return copy;
}
afterEach(() => {
  if (folder !== "") rmSync(folder, { recursive: true, force: true });
});

const host = expect.stringMatching(/^ep-\S+\.localhost$/) as string;

/** The type and the maximum size of each compute that a program makes, and the program's outputs. */
const programs = [
  {
    example: "quickstart",
    config: { branchId: "free", defaultBranchId: "default" },
    makes: ["read_only 2", "read_write 0.25"],
    outputs: { appHost: host, reportsHost: host },
  },
  {
    example: "autoscaling",
    config: { branchId: "free", maxCu: 2 },
    makes: ["read_write 2"],
    outputs: { host, maxConnections: 225 },
  },
  {
    example: "read-replicas",
    config: { branchId: "default" },
    makes: ["read_only 2", "read_only 4"],
    outputs: { primaryHost: host, replicaHosts: [host, host] },
  },
] as const;

describe("a TypeScript program, copied alone,", () => {
  const commands = commandsOf("examples/README.md", "Programs in TypeScript");
  let stack: TestStack | undefined;
  afterEach(() => stack?.close());

  it.each(programs)(
    "comes up with its types checked: $example",
    async ({ example, config, makes, outputs }) => {
      stack = await createStack({ program: () => copyAlone(example) });
      for (const line of commands.filter((words) => words.startsWith("npm"))) await type(line, copy);
      const before = stack.computes();
      const branches = new Map([
        ["free", stack.emptyBranch()],
        ["default", stack.defaultBranchId],
      ]);
      for (const [key, value] of Object.entries({ projectId: stack.projectId, ...config }))
        await stack.ok(["config", "set", key, branches.get(String(value)) ?? String(value)]);
      await stack.up({ PULUMI_NODEJS_TRANSPILE_ONLY: "false" });
      const { emulator } = stack;
      const made = stack.computes().filter((id) => !before.includes(id));
      const sizes = made.map((id) => {
        const { type: kind, autoscaling_limit_max_cu: cu } = emulator.endpoint(id).endpoint;
        return `${kind} ${cu}`;
      });
      expect(sizes.sort()).toEqual(makes);
      expect(await stack.outputs()).toEqual(outputs);
    },
  );

  // test/engine/ has the component, and the pull-request example with its picture.
  it("is tested here for every example with an index.ts, except two", () => {
    const folders = readdirSync(examples).filter((name) => existsSync(path.join(examples, name, "index.ts")));
    const own = programs.map(({ example }) => example);
    expect(folders.sort()).toEqual([...own, "component", "pull-request"].sort());
  });
});

describe("the policy pack, copied alone,", () => {
  const stack = useStack({});

  it("refuses an interruption outside its window, and lets it pass inside", async () => {
    const declare = (cu: number): void => {
      const place = { projectId: stack.projectId, branchId: stack.defaultBranchId, type: "read_only" };
      stack.declare({ app: { args: { ...place, ...fixedSize(cu) } } });
    };
    declare(1);
    await stack.up();
    declare(2);
    const pack = copyAlone("maintenance-window");
    await type("npm install", pack);
    const page = readFileSync(path.join(checkout, "docs/interruptions.md"), "utf8");
    const shown = JSON.parse(/^```json\n(.*?)```/ms.exec(page)![1]!) as Record<string, object>;
    const file = path.join(folder, "window.json");
    const preview = ["preview", "--policy-pack", pack, "--policy-pack-config", file];
    const under = (window: object): readonly string[] => {
      const configured = { "interruption-window": { ...shown["interruption-window"], ...window } };
      writeFileSync(file, JSON.stringify(configured));
      return preview;
    };
    expect(await stack.fails(under({ days: [] }))).toContain("restart: size 1 → 2 CU");
    const days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
    await stack.ok(under({ days, fromHourUtc: 0, toHourUtc: 24 }));
  });
});

/** What the pages tell users to install: for a program, and for its tests. */
const ofTests = ["@pulumi/pulumi", "typescript", "@types/node", "hono", "@hono/node-server"];
const jestAndItsOwn = ["jest", "@types/jest", "@swc/core", "@swc/jest"];

it("examples/testing, copied alone, passes with jest and with vitest", async () => {
  const manifest = readFileSync(path.join(checkout, "package.json"), "utf8");
  const { devDependencies } = JSON.parse(manifest) as { devDependencies: Record<string, string> };
  const pinned = [...ofTests, ...jestAndItsOwn].map((name) => `${name}@${devDependencies[name]!}`);
  const place = copyAlone("testing");
  await type("npm init --yes", place);
  await type(`npm install ${packageName} vitest@3 ${pinned.join(" ")}`, place);
  const env = { ...engineEnvironment(path.join(folder, "engine")), CI: "true", NO_COLOR: "1" };
  for (const words of [["jest"], ["vitest", "run"]]) {
    const { code, output } = await run("npx", ["--no-install", ...words], { cwd: place, env });
    expect({ code, output }).toEqual({
      code: 0,
      output: expect.stringMatching(/Tests:? +3 passed/) as string,
    });
  }
});

it.each([
  { example: "component", lines: ["npm install", "npm test", "npx --no-install tsc"] },
  { example: "preview-environments", lines: ["npm install", "npx --no-install tsc"] },
])("examples/$example, copied alone, passes its own type check and tests", async (row) => {
  const place = copyAlone(row.example);
  const manifest = path.join(place, "package.json");
  const text = readFileSync(manifest, "utf8");
  const published = /(?<="pulumi-compute-endpoint": )"\^[^"]+"/;
  expect(text).toMatch(published);
  writeFileSync(manifest, text.replace(published, `"file:${outside.tarball}"`));
  for (const line of row.lines) await type(line, place);
});
