/**
 * Reads which Pulumi resources declare the computes of the local stack, from the stack's own state.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { namesOfComputes, type StoredResource } from "../emulator/service/controls/stackNames";
import { localFolder } from "./checkout";

interface StackFile {
  readonly checkpoint?: { readonly latest?: { readonly resources?: readonly StoredResource[] } };
}

/** Names of resources, by the id of their compute. Names are optional: a state that cannot be read gives none. */
export function resourceNames(folder: string = localFolder): Record<string, string> {
  const stacks = path.join(folder, "state/.pulumi/stacks");
  if (!existsSync(stacks)) return {};
  const files = readdirSync(stacks, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".json"),
  );
  return namesOfComputes(files.flatMap((file) => resourcesIn(path.join(stacks, file))));
}

function resourcesIn(file: string): readonly StoredResource[] {
  try {
    const { checkpoint } = JSON.parse(readFileSync(file, "utf8")) as StackFile;
    return checkpoint?.latest?.resources ?? [];
  } catch {
    return [];
  }
}
