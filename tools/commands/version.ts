/**
 * Runs as the script of `npm version`: writes the new version of package.json into the pages, the template and the
 * examples.
 */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { checkoutFolder, manifest } from "../checkout";
import { filesWithVersion, withVersion } from "../release/versions";

export function run(): number {
  for (const file of filesWithVersion()) {
    const place = path.join(checkoutFolder, file);
    const text = readFileSync(place, "utf8");
    const next = withVersion(text, manifest.version);
    if (next === text) continue;
    writeFileSync(place, next);
    console.log(file);
  }
  return 0;
}
