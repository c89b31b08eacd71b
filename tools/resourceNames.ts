/**
 * Reads which Pulumi resources declare the computes of the local stack, from the stack's own state.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { localFolder } from "./checkout";

interface StackFile {
  readonly checkpoint?: { readonly latest?: { readonly resources?: readonly StoredResource[] } };
}

interface StoredResource {
  readonly urn?: string;
  readonly id?: string;
}

/** Names of resources, by the id of their compute. A state that can't be read names none: they are an extra. */
export function resourceNames(folder: string = localFolder): Record<string, string> {
  const stacks = path.join(folder, "state/.pulumi/stacks");
  if (!existsSync(stacks)) return {};
  const files = readdirSync(stacks, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".json"),
  );
  return Object.fromEntries(files.flatMap((file) => namesIn(path.join(stacks, file))));
}

function namesIn(file: string): (readonly [string, string])[] {
  try {
    const { checkpoint } = JSON.parse(readFileSync(file, "utf8")) as StackFile;
    return (checkpoint?.latest?.resources ?? []).flatMap(({ urn, id }) => {
      // The plugin's ids have the project before them.
      const compute = /(?:^|\/)(ep-[\w-]+)$/.exec(id ?? "")?.[1];
      const name = urn?.split("::").at(-1);
      return compute !== undefined && name !== undefined ? [[compute, name] as const] : [];
    });
  } catch {
    return [];
  }
}
