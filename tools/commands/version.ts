/**
 * Runs as the script of `npm version`: writes the new version of package.json into the pages, the template and the
 * examples, and once the package is on npm, the README's lines that install it.
 */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { checkoutFolder, manifest } from "../checkout";
import { isOnNpm, withNpmLines } from "../release/onNpm";
import { filesWithVersion, withVersion } from "../release/versions";

export function run(): number {
  for (const file of filesWithVersion()) {
    const place = path.join(checkoutFolder, file);
    const text = readFileSync(place, "utf8");
    const versioned = withVersion(text, manifest.version);
    const next = isOnNpm && file === "README.md" ? withNpmLines(versioned) : versioned;
    if (next === text) continue;
    writeFileSync(place, next);
    console.log(file);
  }
  return 0;
}
