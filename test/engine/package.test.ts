import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { isBuiltin } from "node:module";
import { homedir } from "node:os";
import path from "node:path";
import { describeInRest, itInRest } from "../support/extent";
import { folderOutside, packInto, succeed, writeFiles } from "../support/packed";
import { createStack, pluginLines, type TestStack } from "../support/stack";
import { linkFolder } from "../support/systems";

const checkout = path.join(__dirname, "..", "..");
const name = "pulumi-compute-endpoint";

/** Of a user's program: the versions that this repository is tested with. */
const sdkVersion = "3.246.0";
const pnpmVersion = "9.8.0";

let outside: string;
let tarball: string;

beforeAll(async () => {
  outside = folderOutside();
  tarball = await packInto(path.join(outside, "first"));
});
afterAll(() => {
  rmSync(outside, { recursive: true, force: true });
});

/** What `pulumi new typescript` writes around the program of the README, for each variant. */
function writeProject(folder: string): void {
  const program = `${readmeProgram()}\n${lookup}`;
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
    "tsconfig.json": JSON.stringify({ compilerOptions, files: ["index.ts", "native.ts"] }),
    "Pulumi.yaml": projectFile,
    "index.ts": program,
    "native.ts": program.replaceAll(`"${name}"`, `"${name}/native"`),
  });
}

const projectFile = "name: outside\nruntime: nodejs\n";

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

/** What it holds; in the rest of the suite, what a clone makes of it as well. */
describe("the package", () => {
  let installed: string;
  const files = (): readonly string[] =>
    readdirSync(installed, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(installed, path.join(entry.parentPath, entry.name)))
      .map((file) => file.replaceAll(path.sep, "/"));
  const textOf = (file: string): string => readFileSync(path.join(installed, file), "utf8");

  beforeAll(async () => {
    installed = path.join(outside, "unpacked", "package");
    mkdirSync(path.dirname(installed));
    await succeed(["tar", "-xzf", tarball], path.dirname(installed));
  });

  it("has the same bytes when it is packed twice", async () => {
    expect(readFileSync(await packInto(path.join(outside, "second"))).equals(readFileSync(tarball))).toBe(
      true,
    );
  });

  itInRest("is whole when it is packed on a clone where nothing was built", async () => {
    const clone = path.join(outside, "clone");
    await succeed(["git", "clone", "--quiet", checkout, clone], outside);
    linkFolder(path.join(checkout, "node_modules"), path.join(clone, "node_modules"));
    const packed = JSON.parse(await succeed(["npm", "pack", "--json"], clone)) as unknown;
    const [{ files: found }] = Object.values(packed as object) as [{ files: readonly { path: string }[] }];
    const { exports } = JSON.parse(textOf("package.json")) as { exports: object };
    const named = JSON.stringify(exports).match(/(?<="\.\/)dist\/[^"]+/g)!;
    expect(named).toContain("dist/sdk/native.js");
    expect(found.map((file) => file.path)).toEqual(
      expect.arrayContaining([...named, "dist/plugin/plugin.js"]),
    );
  });

  it("holds the built code, its types, the plugin and the texts about it, and nothing else", () => {
    const expected =
      /^(dist\/(sdk|provider|preview|import|emulator)\/[\w/]+\.(js|d\.ts)|package\.json|README\.md|AGENTS\.md|CHANGELOG\.md|LICENSE)$/;
    const others = files().filter((file) => !expected.test(file));
    const ofPlugin = others.filter((file) => path.dirname(file) === "dist/plugin");
    expect(others.filter((file) => !ofPlugin.includes(file))).toEqual(["dist/preview/report.schema.json"]);
    expect(ofPlugin.map((file) => path.basename(file)).sort()).toEqual([
      "package.json",
      "plugin.js",
      "program.js",
      "program.js.LEGAL.txt",
      "pulumi-resource-compute",
      "pulumi-resource-compute.cmd",
      "schema.json",
    ]);
    expect(files()).toEqual(
      expect.arrayContaining(["README.md", "AGENTS.md", "CHANGELOG.md", "LICENSE", "dist/sdk/index.d.ts"]),
    );
  });

  it("holds no file that nothing of it uses: what the plugin alone needs is in its bundle", () => {
    const { exports, bin } = JSON.parse(textOf("package.json")) as {
      exports: Record<string, string | { default: string }>;
      bin: Record<string, string>;
    };
    const entries = Object.values(exports).map((entry) =>
      typeof entry === "string" ? entry : entry.default,
    );
    const uses = (module: string): readonly string[] =>
      [`${module}.js`, `${module}.d.ts`]
        // A program is no module that others import: it may have no types.
        .filter((file) => files().includes(file))
        .flatMap((file) => [...textOf(file).matchAll(/(?:require|import|from)\b ?\(?"(\.[^"]+)"/g)])
        .map(([, used = ""]) => path.posix.join(path.posix.dirname(module), used.replace(/\.js$/, "")));
    const used = new Set<string>();
    const follow = (module: string): void => {
      if (used.has(module)) return;
      used.add(module);
      uses(module).forEach(follow);
    };
    for (const entry of [...entries, ...Object.values(bin)].filter((file) => file.endsWith(".js")))
      follow(path.posix.normalize(entry).slice(0, -".js".length));
    const modules = files()
      .filter((file) => file.endsWith(".js") && !file.startsWith("dist/plugin/"))
      .map((file) => file.slice(0, -".js".length));
    expect(modules.filter((module) => !used.has(module))).toEqual([]);
  });

  it("names no folder of the machine that built it, and no source map", () => {
    const revealing = [`${checkout}/`, `${homedir()}/`, "//# sourceMappingURL"];
    const found = files().filter((file) => revealing.some((text) => textOf(file).includes(text)));
    expect(found).toEqual([]);
  });

  it("loads its two dependencies and the SDK, and hono in the emulator alone", () => {
    const loads = (folder: string): readonly string[] => {
      const named = /(?<=\brequire\(")(?:@[^/"]+\/)?[^./"@][^/"]*/g;
      const packages = files()
        .filter((file) => file.startsWith(`dist/${folder}/`) && file.endsWith(".js"))
        .flatMap((file) => textOf(file).match(named) ?? [])
        .filter((module) => !isBuiltin(module) && module !== "node:sqlite"); // Node 20 lacks it; nothing loads it
      return [...new Set(packages)].filter((loaded) => loaded !== name).sort();
    };
    expect(
      ["sdk", "provider", "preview", "import", "emulator"].map((folder) => [folder, loads(folder)]),
    ).toEqual([
      ["sdk", ["@pulumi/pulumi"]],
      ["provider", ["undici", "zod"]],
      ["preview", ["zod"]],
      ["import", []],
      ["emulator", ["@hono/node-server", "hono"]],
    ]);
  });

  it("starts the emulator in an empty folder, without hono", async () => {
    const empty = path.join(outside, "empty");
    mkdirSync(empty);
    const main = path.join(installed, "dist/emulator/main.js");
    expect(await succeed(["node", main, "--help"], empty)).toContain("Usage: compute-emulator [options]");
    const child = spawn("node", [main, "--project", "--port", "0"], {
      cwd: empty,
      env: { ...process.env, COMPUTE_POSTGRES: "off" },
    });
    try {
      const [ready] = (await once(child.stdout, "data")) as [Buffer];
      const url = /^emulator ready (\S+)\n$/.exec(ready.toString())![1]!;
      expect(await (await fetch(`${url}/_emulator/projects`)).json()).toMatchObject({ projects: [{}] });
    } finally {
      child.kill();
      await once(child, "close");
    }
  });

  it("runs nothing when it is installed", () => {
    const { scripts } = JSON.parse(textOf("package.json")) as { scripts: Record<string, string> };
    for (const script of ["preinstall", "install", "postinstall", "prepare"])
      expect(scripts).not.toHaveProperty(script);
  });
});

describeInRest.each([
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
  } else {
    // With npm, test/engine/plugin/install.test.ts does.
    it("finds the plugin by the four lines, where a link leads to the package", async () => {
      writeFiles(folder, { "Pulumi.yaml": `${projectFile}main: native.ts\n${pluginLines}` });
      await creates(folder, { PULUMI_NODEJS_TRANSPILE_ONLY: "true" });
    });
  }
});

/** Brings a program up against a control plane of its own, and asks that one what there is. */
async function creates(folder: string, environment: NodeJS.ProcessEnv = typeChecked): Promise<void> {
  const stack = await createStack({ program: () => folder });
  try {
    const branchId = stack.emulator.createBranch(stack.projectId, { compute: false }).branch.id;
    const config = [`projectId=${stack.projectId}`, `branchId=${branchId}`];
    await stack.ok(["config", "set-all", ...config.flatMap((pair) => ["--plaintext", pair])]);
    await stack.ok(["up", "--yes", "--skip-preview"], environment);
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

/** As Pulumi runs programs unless told otherwise. */
const typeChecked = { PULUMI_NODEJS_TRANSPILE_ONLY: "false" };

function onBranch(stack: TestStack, branchId: string): readonly { type: string; host: string }[] {
  return stack.emulator
    .endpoints(stack.projectId)
    .map(({ endpoint }) => endpoint)
    .filter(({ branch_id }) => branch_id === branchId);
}
