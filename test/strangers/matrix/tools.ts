/** What the corners run on, all of it from npm: a Node of each line, and the package managers. */
import { existsSync } from "node:fs";
import path from "node:path";
import { npmInstall, writeFiles } from "../../support/packed";
import type { Corner, Manager } from "./corners";
import { managers, node, nodePackage } from "./versions";

export interface Tools {
  /** The folder of this Node's `node`, for PATH. */
  nodeFolder(line: Corner["node"]): string;
  /** The command of a package manager, without its first word. */
  commandOf(manager: Manager): readonly string[];
}

/** One installation of all: npm keeps the Nodes apart by their aliases. */
export async function installTools(folder: string): Promise<Tools> {
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
  const file = (name: string): string => {
    const found = path.join(folder, "node_modules", name);
    if (!existsSync(found)) throw new Error(`npm has installed no ${found}.`);
    return found;
  };
  return {
    nodeFolder: (line) => path.dirname(file(`node-${line}/bin/node`)),
    commandOf: (manager) => {
      if (manager === "npm") return ["npm"];
      if (manager === "pnpm" || manager === "bun") return [file(`.bin/${manager}`)];
      return ["node", file("@yarnpkg/cli-dist/bin/yarn.js")];
    },
  };
}
