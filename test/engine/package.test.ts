import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { isBuiltin } from "node:module";
import { homedir, tmpdir } from "node:os";
import path from "node:path";
import { createStack, run, type TestStack } from "../support/stack";

jest.setTimeout(180_000);

const checkout = path.join(__dirname, "..", "..");
const name = "pulumi-compute-endpoint";

/** Of a user's program: the versions that this repository is tested with. */
const sdkVersion = "3.246.0";
const pnpmVersion = "9.8.0";

let outside: string;
let tarball: string;

beforeAll(async () => {
  outside = mkdtempSync(path.join(placeWithoutModules(), "compute-outside-"));
  tarball = await pack("first");
});
afterAll(() => {
  rmSync(outside, { recursive: true, force: true });
});

/** A folder where nothing above could be resolved instead of what is installed. */
function placeWithoutModules(): string {
  const isClean = (folder: string): boolean =>
    !existsSync(path.join(folder, "node_modules")) &&
    (path.dirname(folder) === folder || isClean(path.dirname(folder)));
  const place = [tmpdir(), "/var/tmp", homedir()].find((folder) => existsSync(folder) && isClean(folder));
  if (place === undefined) throw new Error(`There is a node_modules folder above ${tmpdir()}: remove it.`);
  return place;
}

/** The variables of a user's shell: not those that tell an npm that it runs a script of this repository. */
function shell(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(
    ([variable]) => !/^(npm_(?!config_)|npm_config_local_prefix$|INIT_CWD$)/i.test(variable),
  );
  return Object.fromEntries(own);
}

async function succeed(words: readonly string[], cwd: string): Promise<string> {
  const [command = "", ...rest] = words;
  const { code, output, stdout } = await run(command, rest, { cwd, env: shell() });
  if (code !== 0) throw new Error(`${words.join(" ")} ended with ${String(code)}:\n${output}`);
  return stdout;
}

/** @returns the file that a registry would get. */
async function pack(folderName: string): Promise<string> {
  const folder = path.join(outside, folderName);
  mkdirSync(folder);
  await succeed(["npm", "pack", "--ignore-scripts", "--silent", "--pack-destination", folder], checkout);
  const [file, ...more] = readdirSync(folder);
  expect(more).toEqual([]);
  return path.join(folder, file!);
}

/** What `pulumi new typescript` writes around the program of the README. */
function writeProject(folder: string): void {
  const compilerOptions = {
    strict: true,
    outDir: "bin",
    target: "es2020",
    module: "commonjs",
    moduleResolution: "node",
    sourceMap: true,
    experimentalDecorators: true,
    pretty: true,
    noFallthroughCasesInSwitch: true,
    noImplicitReturns: true,
    forceConsistentCasingInFileNames: true,
  };
  writeFiles(folder, {
    "package.json": JSON.stringify({
      name: "outside",
      main: "index.ts",
      devDependencies: { typescript: "5.9", "@types/node": "20" },
      dependencies: { "@pulumi/pulumi": sdkVersion, [name]: `file:${tarball}` },
    }),
    "tsconfig.json": JSON.stringify({ compilerOptions, files: ["index.ts"] }),
    "Pulumi.yaml": "name: outside\nruntime: nodejs\n",
    "index.ts": `${readmeProgram()}\n${lookup}`,
  });
}

/** The first program that the README shows. */
function readmeProgram(): string {
  const readme = readFileSync(path.join(checkout, "README.md"), "utf8");
  return /```ts\n(.*?)```/s.exec(readme)![1]!;
}

/** Lookups load their code when they are first called: that must be found as well. */
const lookup = `import { listEndpointsOutput } from "${name}";
export const seen = listEndpointsOutput({ projectId, branchId: app.branchId }).apply((all) => all.length);
`;

/** A program like the README's as an ES module, beside what npm has installed. */
function writeModuleProject(folder: string): void {
  writeFiles(folder, {
    "package.json": '{ "name": "as-module", "type": "module" }',
    "Pulumi.yaml": "name: outside\nruntime: nodejs\nmain: index.js\n",
    "index.js": `
import * as pulumi from "@pulumi/pulumi";
import { Endpoint, fixedSize } from "${name}";

const config = new pulumi.Config();
const projectId = config.require("projectId");
const app = new Endpoint("app", { projectId, branchId: config.require("branchId"), ...fixedSize(1) });
export const host = app.host;
${lookup}`,
  });
}

function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  mkdirSync(folder, { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(path.join(folder, file), text);
}

describe("the package", () => {
  let installed: string;
  const files = (): readonly string[] =>
    readdirSync(installed, { recursive: true, encoding: "utf8" })
      .filter((file) => path.extname(file) !== "" || file === "LICENSE")
      .filter((file) => !file.startsWith("node_modules"));
  const textOf = (file: string): string => readFileSync(path.join(installed, file), "utf8");

  beforeAll(async () => {
    installed = path.join(outside, "unpacked", "package");
    mkdirSync(path.dirname(installed));
    await succeed(["tar", "-xzf", tarball], path.dirname(installed));
  });

  it("has the same bytes when it is packed twice", async () => {
    expect(readFileSync(await pack("second")).equals(readFileSync(tarball))).toBe(true);
  });

  it("holds the built code, its types and the texts about it, and nothing else", () => {
    const expected =
      /^(dist\/(sdk|provider|preview|emulator)\/[\w/]+\.(js|d\.ts)|package\.json|README\.md|CHANGELOG\.md|LICENSE)$/;
    expect(files().filter((file) => !expected.test(file))).toEqual([]);
    expect(files()).toEqual(
      expect.arrayContaining(["README.md", "CHANGELOG.md", "LICENSE", "dist/sdk/index.d.ts"]),
    );
  });

  it("names no folder of the machine that built it, and no source map", () => {
    const telling = [checkout, homedir(), "sourceMappingURL"].filter((text) => text.length > 1);
    const found = files().filter((file) => telling.some((text) => textOf(file).includes(text)));
    expect(found).toEqual([]);
  });

  it("loads its two dependencies and the SDK, and hono in the emulator alone", () => {
    const loads = (folder: string): readonly string[] => {
      const sources = files().filter((file) => file.startsWith(`dist/${folder}/`) && file.endsWith(".js"));
      const modules = sources.flatMap((file) => [...textOf(file).matchAll(/\brequire\("([^."][^"]*)"\)/g)]);
      const packages = modules
        .map(([, module = ""]) => module)
        .filter((module) => !isBuiltin(module))
        .map((module) => /^(@[^/]+\/)?[^/]+/.exec(module)![0]);
      return [...new Set(packages)].filter((loaded) => loaded !== name).sort();
    };
    expect(["sdk", "provider", "preview", "emulator"].map((folder) => [folder, loads(folder)])).toEqual([
      ["sdk", ["@pulumi/pulumi"]],
      ["provider", ["undici", "zod"]],
      ["preview", ["zod"]],
      ["emulator", ["@hono/node-server", "hono"]],
    ]);
  });

  it("runs nothing when it is installed", () => {
    const { scripts } = JSON.parse(textOf("package.json")) as { scripts: Record<string, string> };
    for (const script of ["preinstall", "install", "postinstall", "prepare"])
      expect(scripts).not.toHaveProperty(script);
  });
});

describe.each([
  { manager: "npm", install: ["npm", "install", "--no-audit", "--no-fund"] },
  { manager: "pnpm", install: ["npm", "exec", "--yes", `pnpm@${pnpmVersion}`, "--", "install"] },
])("a program outside the checkout, installed with $manager", ({ manager, install }) => {
  let folder: string;

  beforeAll(async () => {
    folder = path.join(outside, manager);
    writeProject(folder);
    await succeed([...install, "--ignore-scripts", "--prefer-offline"], folder);
  });

  it("finds what was installed, without the emulator's dependencies", async () => {
    const find = (module: string): Promise<string> =>
      succeed(["node", "-p", `require.resolve("${module}")`], folder);
    expect((await find(name)).startsWith(realpathSync(folder))).toBe(true);
    await expect(find("hono")).rejects.toThrow("Cannot find module");
  });

  it("is type-checked by Pulumi, creates its compute, and destroys it", async () => {
    await creates(folder);
  });

  if (manager === "npm") {
    it("needs no types but its own and the SDK's", async () => {
      await succeed(["npx", "--no-install", "tsc", "--noEmit"], folder);
    });

    it("does the same as an ES module", async () => {
      const module = path.join(folder, "as-module");
      writeModuleProject(module);
      await creates(module);
    });

    it("has compute-preview on its path", async () => {
      const printed = await succeed(["npx", "--no-install", "compute-preview", "--help"], folder);
      expect(printed).toContain("--fail-on");
    });
  }
});

/** Brings a program up against a control plane of its own, and asks that one what there is. */
async function creates(folder: string): Promise<void> {
  const stack = await createStack({ program: () => folder });
  try {
    const branchId = stack.emulator.createBranch(stack.projectId, { compute: false }).branch.id;
    const config = [`projectId=${stack.projectId}`, `branchId=${branchId}`];
    await stack.ok(["config", "set-all", ...config.flatMap((pair) => ["--plaintext", pair])]);
    await stack.ok(["up", "--yes", "--skip-preview"], { PULUMI_NODEJS_TRANSPILE_ONLY: "false" });
    const primary = onBranch(stack, branchId).find(({ type }) => type === "read_write");
    expect(primary).toMatchObject({ autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 1 });
    const { stdout } = await stack.ok(["stack", "output", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ host: primary!.host, seen: expect.any(Number) as number });
    await stack.ok(["destroy", "--yes", "--skip-preview"]);
    expect(onBranch(stack, branchId)).toEqual([]);
  } finally {
    await stack.close();
  }
}

function onBranch(stack: TestStack, branchId: string): readonly { type: string; host: string }[] {
  return stack.emulator
    .endpoints(stack.projectId)
    .map(({ endpoint }) => endpoint)
    .filter(({ branch_id }) => branch_id === branchId);
}
