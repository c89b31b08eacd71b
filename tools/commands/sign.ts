/**
 * `npm run release:sign`: on a Mac, signs the executables for macOS in build/release/, or in the folder that is named.
 * .github/workflows/release.yml runs it.
 */
import path from "node:path";

import { checkoutFolder } from "../checkout";
import { passSignalsOn } from "../children";
import { signArchives } from "../release/signing";

export async function run([
  folder = path.join(checkoutFolder, "build", "release"),
]: readonly string[]): Promise<number> {
  passSignalsOn();
  for (const name of await signArchives(path.resolve(folder))) console.log(name);
  return 0;
}
