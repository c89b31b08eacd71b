/**
 * `npm run build`, and before npm packs: checks that every file that package.json names is there.
 */
import { existsSync } from "node:fs";
import path from "node:path";

import { checkoutFolder, manifest } from "../checkout";
import { ExpectedError } from "../expectedError";

/**
 * What npm runs before it packs: bootstrap.js has built dist/ by now, also on a clone that was never built.
 *
 * @throws ExpectedError where package.json names a file that is not there: such a package could not be imported.
 */
export function run(): Promise<number> {
  const missing = filesIn(manifest).filter((file) => !existsSync(path.join(checkoutFolder, file)));
  if (missing.length === 0) return Promise.resolve(0);
  throw new ExpectedError(`Packing: there is no ${missing.join(", ")}, which package.json names.`);
}

/** Every path below dist/ that the manifest names, wherever it stands. */
function filesIn(value: unknown): readonly string[] {
  if (typeof value === "string") return /^(\.\/)?dist\//.test(value) ? [value] : [];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(filesIn) : [];
}
