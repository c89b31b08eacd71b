import { existsSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import {
  npmInstall,
  npmRegistry,
  packageName,
  packedOutside,
  succeed,
  writeFiles,
} from "../../support/packed";
import { variants, type Variant } from "../../support/variants";
import { corners, nameOf, type Corner, type Manager } from "./corners";
import { comesUpAndGoesAway, programFor } from "./life";
import { managers, node, nodePackage, sdk } from "./versions";

jest.setTimeout(240_000);

const outside = packedOutside();

beforeAll(() => installTools(path.join(outside.folder, "tools")));

/** PATH with the corner's Node in front: the package manager, the CLI's hosts and the plugin take it from there. */
function withNode({ node }: Corner, before: string | undefined): { readonly PATH: string } {
  return { PATH: [path.dirname(toolAt(`node-${node}/bin/node`)), before ?? ""].join(path.delimiter) };
}

const named = corners.map((corner, index) => ({ corner, index, name: nameOf(corner) }));

describe.each(named)("corners: $name", ({ corner, index }) => {
  let project: Project;
  let nodeOptions: NodeJS.ProcessEnv = {};

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
    const command = commandOf(corner.manager);
    await succeed([...command, "install"], project.root, environment);
    if (corner.manager !== "yarn PnP") return;
    // What `yarn exec pulumi up` adds to what `pulumi up` has.
    const asked = [...command, "exec", "node", "-p", "process.env.NODE_OPTIONS"];
    nodeOptions = { NODE_OPTIONS: (await succeed(asked, project.root, environment)).trim() };
  });

  describe.each(variants)("%s", (variant) => {
    comesUpAndGoesAway({
      prepare: () => {
        project.use(variant);
        return project.folder;
      },
      environment: (own) => ({ ...withNode(corner, own["PATH"]), ...nodeOptions }),
    });
  });
});

/** One installation of all: npm keeps the Nodes apart by their aliases. */
async function installTools(folder: string): Promise<void> {
  const nodes = Object.entries(node).map(([line, version]) => [
    `node-${line}`,
    `npm:${nodePackage}@${version}`,
  ]);
  const dependencies = {
    ...(Object.fromEntries(nodes) as Record<string, string>),
    pnpm: managers.pnpm,
    "@yarnpkg/cli-dist": managers.yarn,
    bun: managers.bun,
  };
  writeFiles(folder, { "package.json": JSON.stringify({ private: true, dependencies }) });
  await npmInstall(folder);
}

function toolAt(name: string): string {
  const found = path.join(outside.folder, "tools/node_modules", name);
  if (!existsSync(found)) throw new Error(`npm has installed no ${found}.`);
  return found;
}

/** The command of a package manager, without its first word. */
function commandOf(manager: Manager): readonly string[] {
  if (manager === "npm") return ["npm"];
  if (manager === "pnpm" || manager === "bun") return [toolAt(`.bin/${manager}`)];
  return ["node", toolAt("@yarnpkg/cli-dist/bin/yarn.js")];
}

interface Project {
  /** Where the package manager installs. */
  readonly root: string;
  /** Where `pulumi` runs: the same folder, or that of one package in a workspace. */
  readonly folder: string;
  /** Puts a fresh stack on the program that uses this variant. */
  use(variant: Variant): void;
}

/** One file each, where the package manager has something to be told; pnpm's is what `pnpm approve-builds '!protobufjs'` writes. */
const settings: Readonly<Partial<Record<Corner["manager"], Readonly<Record<string, string>>>>> = {
  pnpm: { "pnpm-workspace.yaml": 'packages: [".", "packages/*"]\nallowBuilds:\n  protobufjs: false\n' },
  yarn: { ".yarnrc.yml": "nodeLinker: node-modules\n" },
  "yarn PnP": { ".yarnrc.yml": "nodeLinker: pnp\n" },
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
    // The engine looks for the plugin in a folder, and Yarn keeps packages in archives.
    ...(corner.manager === "yarn PnP" && { dependenciesMeta: { [packageName]: { unplugged: true } } }),
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
  return {
    root,
    folder,
    use: (variant) => {
      const file = typescript ? `${variant}.ts` : `${variant}.js`;
      rmSync(path.join(folder, "Pulumi.test.yaml"), { force: true });
      writeFiles(folder, {
        [file]: programFor(variant, corner.program),
        "Pulumi.yaml": `name: outside\nruntime: nodejs\nmain: ${file}\n${variant === "native" ? pluginLines(folder) : ""}`,
      });
    },
  };
}

const tsconfig = JSON.stringify({
  compilerOptions: {
    strict: true,
    target: "ES2022",
    module: "node16",
    moduleResolution: "node16",
    types: ["node"],
    skipLibCheck: true,
    noEmit: true,
  },
});

/** The four lines, with `../` where the package manager puts packages further up. */
function pluginLines(folder: string): string {
  const [found = "."] = ["", "../../", ...unplugged(folder)]
    .map((above) => `./${above}node_modules/${packageName}/dist/plugin`)
    .filter((plugin) => existsSync(path.join(folder, plugin)));
  return `plugins:\n  providers:\n    - name: compute\n      path: ${found}\n`;
}

/** Where Yarn's Plug'n'Play puts what is not to stay in an archive. */
function unplugged(folder: string): readonly string[] {
  const place = path.join(folder, ".yarn", "unplugged");
  if (!existsSync(place)) return [];
  return readdirSync(place).map((entry) => `.yarn/unplugged/${entry}/`);
}
