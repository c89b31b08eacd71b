/** The folder of a corner's program, with what its package manager is to be told. */
import { existsSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { packageName as name, writeFiles } from "../../support/packed";
import type { Variant } from "../../support/stack";
import type { Corner } from "./corners";
import { programFor } from "./program";
import { sdk } from "./versions";

export interface Project {
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

export function writeProject(
  root: string,
  { corner, tarball }: { readonly corner: Corner; readonly tarball: string },
): Project {
  const folder = corner.inWorkspace ? path.join(root, "packages", "infra") : root;
  const typescript = corner.program === "TypeScript";
  const manifest = {
    name: "infra",
    private: true,
    ...(!typescript && { type: "module" }),
    dependencies: { "@pulumi/pulumi": sdk[corner.sdk], [name]: `file:${tarball}` },
    // The engine looks for the plugin in a folder, and Yarn keeps packages in archives.
    ...(corner.manager === "yarn PnP" && { dependenciesMeta: { [name]: { unplugged: true } } }),
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
    .map((above) => `./${above}node_modules/${name}/dist/plugin`)
    .filter((plugin) => existsSync(path.join(folder, plugin)));
  return `plugins:\n  providers:\n    - name: compute\n      path: ${found}\n`;
}

/** Where Yarn's Plug'n'Play puts what is not to stay in an archive. */
function unplugged(folder: string): readonly string[] {
  const place = path.join(folder, ".yarn", "unplugged");
  if (!existsSync(place)) return [];
  return readdirSync(place).map((entry) => `.yarn/unplugged/${entry}/`);
}
