/** The plugin's executable for this machine, and a PATH without Node. */
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import path from "node:path";
import { nodes, ownPlatform } from "../../tools/release/node";
import { preparedBy } from "./preparing";

/** Why this machine has no executable; undefined if it has one. */
export const whyNoExecutable =
  ownPlatform?.startsWith("linux-") === true
    ? undefined
    : `an executable for ${process.platform} is signed or moved first`;

/** The folder that an archive of a release contains, made from the built plugin. The first time takes a minute. */
export function builtExecutable(): string {
  return (preparedBy(path.join(__dirname, "executableFolder.ts")) as { readonly folder: string }).folder;
}

/** What the executable is made from. */
export function executableSources(plugin: string): readonly string[] {
  const texts = ["plugin.js", "schema.json", "package.json"].map((name) =>
    readFileSync(path.join(plugin, name), "utf8"),
  );
  return [JSON.stringify(nodes), ...texts];
}

/** Fills a folder with links to all programs of a PATH, except for Node and what needs it. @returns the new PATH */
export function pathWithoutNode(searched: string, folder: string): string {
  mkdirSync(folder);
  const found = new Set(readdirSync(folder));
  for (const place of searched.split(path.delimiter)) {
    for (const name of programsIn(place)) {
      if (found.has(name) || /^(node|nodejs|npm|npx|corepack|yarn|pnpm|bun|deno)$/.test(name)) continue;
      found.add(name);
      symlinkSync(path.join(place, name), path.join(folder, name));
    }
  }
  return folder;
}

function programsIn(place: string): readonly string[] {
  try {
    return readdirSync(place);
  } catch {
    return [];
  }
}
