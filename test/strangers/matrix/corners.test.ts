/** Corners of Node × SDK for each package manager: every value at least once, the oldest together, and the newest together. */
import { existsSync, rmSync } from "node:fs";
import path from "node:path";
import {
  npmInstall,
  npmRegistry,
  packageName,
  packedOutside,
  succeed,
  writeFiles,
} from "../../support/packed";
import { createStack, run as runCommand, type TestStack } from "../../support/stack";
import { packageOf, variants, type Variant } from "../../support/variants";
import { nodePackage } from "../../../tools/nodes";
import { managers, node, sdk } from "./versions";

interface Corner {
  readonly manager: "npm" | keyof typeof managers;
  /** The program is one package of a workspace, and its dependencies can be installed above it. */
  readonly inWorkspace: boolean;
  readonly node: keyof typeof node;
  readonly sdk: keyof typeof sdk;
  /** The format of the program. */
  readonly program: "TypeScript" | "ES module";
}

const plain = { inWorkspace: false, program: "TypeScript" } as const;

const corners: readonly Corner[] = [
  { ...plain, manager: "npm", node: "floor", sdk: "floor" },
  { ...plain, manager: "pnpm", inWorkspace: true, node: "24", sdk: "pinned", program: "ES module" },
  { ...plain, manager: "yarn", node: "newest", sdk: "newest" },
  { ...plain, manager: "bun", node: "22", sdk: "floor", program: "ES module" },
];

function nameOf({ manager, inWorkspace, program, ...of }: Corner): string {
  const where = inWorkspace ? `${manager} workspace` : manager;
  return `${where}, Node ${of.node} (${node[of.node]}), SDK ${of.sdk} (${sdk[of.sdk]}), ${program}`;
}

const outside = packedOutside();

/** One installation of all Node versions, which npm keeps apart by their aliases. */
beforeAll(async () => {
  const nodes = Object.entries(node).map(([line, version]) => [
    `node-${line}`,
    `npm:${nodePackage}@${version}`,
  ]);
  const own = { pnpm: managers.pnpm, "@yarnpkg/cli-dist": managers.yarn, bun: managers.bun };
  const dependencies = { ...(Object.fromEntries(nodes) as Record<string, string>), ...own };
  const folder = path.join(outside.folder, "tools");
  writeFiles(folder, { "package.json": JSON.stringify({ private: true, dependencies }) });
  await npmInstall(folder);
});

function toolAt(name: string): string {
  const found = path.join(outside.folder, "tools/node_modules", name);
  if (!existsSync(found)) throw new Error(`npm has installed no ${found}.`);
  return found;
}

/** The command of a package manager, without its first word. */
function commandOf(manager: Corner["manager"]): readonly string[] {
  if (manager === "npm") return ["npm"];
  if (manager === "yarn") return ["node", toolAt("@yarnpkg/cli-dist/bin/yarn.js")];
  return [toolAt(`.bin/${manager}`)];
}

/** PATH with the corner's Node in front: the package manager, the CLI's hosts and the plugin take it from there. */
function withNode({ node }: Corner, before: string | undefined): { readonly PATH: string } {
  return { PATH: [path.dirname(toolAt(`node-${node}/bin/node`)), before ?? ""].join(path.delimiter) };
}

const named = corners.map((corner, index) => ({ corner, index, name: nameOf(corner) }));

describe.each(named)("corners: $name", ({ corner, index }) => {
  let project: Project;

  it("install", async () => {
    project = writeProject(path.join(outside.folder, `corner-${index}`), corner);
    const registry = await npmRegistry();
    const environment = {
      ...withNode(corner, process.env["PATH"]),
      YARN_NPM_REGISTRY_SERVER: registry,
      YARN_ENABLE_IMMUTABLE_INSTALLS: "false",
      NPM_CONFIG_REGISTRY: registry,
    };
    expect((await succeed(["node", "-v"], project.root, environment)).trim()).toBe(`v${node[corner.node]}`);
    await succeed([...commandOf(corner.manager), "install"], project.root, environment);
  });

  it.each(variants)("a compute comes up, is previewed, changes and goes away: %s", async (variant) => {
    writeProgram(project.folder, corner, variant);
    const stack = await createStack({ program: () => project.folder });
    try {
      await livesAndGoes(stack, project.folder, withNode(corner, stack.environment["PATH"]));
    } finally {
      await stack.close();
    }
  });
});

async function livesAndGoes(stack: TestStack, folder: string, own: NodeJS.ProcessEnv): Promise<void> {
  const branchId = stack.emptyBranch();
  for (const [key, value] of Object.entries({ projectId: stack.projectId, branchId }))
    await stack.ok(["config", "set", key, value]);
  const run = async (...words: readonly string[]): Promise<string> =>
    (await stack.ok(words, { ...own, PULUMI_NODEJS_TRANSPILE_ONLY: "false" })).output;
  expect(await run("up", "--yes", "--skip-preview")).not.toContain("warning: ");
  expect(stack.computes(branchId)).toHaveLength(2);
  await stack.ok(["config", "set", "size", "large"]);
  const told = await run("preview", "--diff");
  expect(told.match(/^ *warning: restart: size 0\.25 → 1 CU /gm)).toHaveLength(2);
  expect(told).toMatch(/~ 2 to update\n/);
  const { stdout } = await stack.ok(["preview", "--json"], own);
  writeFiles(folder, { "preview.json": stdout });
  const words = [
    path.join(folder, installed(folder, "preview/main.js")),
    "preview.json",
    "--fail-on",
    "restart",
  ];
  const report = await runCommand("node", words, { cwd: folder, env: { ...process.env, ...own } });
  const refused = "This change restarts 2 computes, which this check does not allow";
  expect(report).toMatchObject({ code: 24, output: expect.stringContaining(refused) as string });
  expect(await run("up", "--yes", "--skip-preview")).toMatch(/~ 2 updated\n/);
  await run("destroy", "--yes", "--skip-preview");
  expect(stack.computes(branchId)).toEqual([]);
}

/** A primary, and a replica in a component: in TypeScript, and as an ES module that Node runs directly. */
function programFor(variant: Variant): string {
  return `import * as pulumi from "@pulumi/pulumi";
import { Endpoint, fixedSize } from "${packageOf[variant]}";

const config = new pulumi.Config();
const projectId = config.require("projectId");
const branchId = config.require("branchId");
const size = fixedSize(config.get("size") === "large" ? 1 : 0.25);

const app = new Endpoint("app", { projectId, branchId, ...size });
const reporting = new pulumi.ComponentResource("outside:index:Reporting", "reporting", {}, { dependsOn: app });
new Endpoint("reader", { projectId, branchId, type: "read_only", ...size }, { parent: reporting });

export const host = app.host;
`;
}

interface Project {
  /** Where the package manager installs. */
  readonly root: string;
  /** Where `pulumi` runs: the same folder, or that of one package in a workspace. */
  readonly folder: string;
}

/** A settings file for each package manager that needs one; pnpm's is what `pnpm approve-builds '!protobufjs'` writes. */
const settings: Readonly<Partial<Record<Corner["manager"], Readonly<Record<string, string>>>>> = {
  pnpm: { "pnpm-workspace.yaml": 'packages: [".", "packages/*"]\nallowBuilds:\n  protobufjs: false\n' },
  yarn: { ".yarnrc.yml": "nodeLinker: node-modules\n" },
};

/** Writes the folder of a corner's program. */
function writeProject(root: string, corner: Corner): Project {
  const folder = corner.inWorkspace ? path.join(root, "packages", "infra") : root;
  const typescript = corner.program === "TypeScript";
  const manifest = {
    name: "infra",
    private: true,
    ...(!typescript && { type: "module" }),
    dependencies: { "@pulumi/pulumi": sdk[corner.sdk], [packageName]: `file:${outside.tarball}` },
    ...(typescript && { devDependencies: { typescript: "5.9.3", "@types/node": "22", "ts-node": "10.9.2" } }),
  };
  if (corner.inWorkspace)
    writeFiles(root, {
      "package.json": JSON.stringify({ name: "root", private: true, workspaces: ["packages/*"] }),
    });
  writeFiles(root, settings[corner.manager] ?? {});
  writeFiles(folder, {
    "package.json": JSON.stringify(manifest),
    ...(typescript && { "tsconfig.json": tsconfig }),
  });
  return { root, folder };
}

/** Writes the program that uses this variant, for a fresh stack. */
function writeProgram(folder: string, { program }: Corner, variant: Variant): void {
  const file = program === "TypeScript" ? `${variant}.ts` : `${variant}.js`;
  rmSync(path.join(folder, "Pulumi.test.yaml"), { force: true });
  writeFiles(folder, {
    [file]: programFor(variant),
    "Pulumi.yaml": `name: outside\nruntime: nodejs\nmain: ${file}\n${variant === "native" ? pluginLines(folder) : ""}`,
  });
}

const tsconfig = JSON.stringify({
  compilerOptions: {
    ...{ strict: true, target: "ES2022", module: "node16", moduleResolution: "node16" },
    ...{ types: ["node"], skipLibCheck: true, noEmit: true },
  },
});

/** The four lines in Pulumi.yaml. */
function pluginLines(folder: string): string {
  return `plugins:\n  providers:\n    - name: compute\n      path: ${installed(folder, "plugin")}\n`;
}

/** The place of a part of the package, with `../` if the package manager installs packages further up. */
function installed(folder: string, part: string): string {
  const [found = "."] = ["", "../../"]
    .map((above) => `./${above}node_modules/${packageName}/dist/${part}`)
    .filter((place) => existsSync(path.join(folder, place)));
  return found;
}
