/**
 * `npm run sdks`: writes the Python and Go SDKs of the native plugin into build/sdks/, or into the folder of `--out`.
 */
import { cpSync, rmSync } from "node:fs";
import path from "node:path";

import { checkoutFolder } from "../checkout";
import { passSignalsOn } from "../children";
import { ExpectedError } from "../expectedError";
import { cachedSdks } from "../languages/sdks";

/** Ignored by git. */
const sdksFolder = path.join(checkoutFolder, "build/sdks");

export async function run([option, asked, ...others]: readonly string[]): Promise<number> {
  passSignalsOn();
  if (option !== undefined && (option !== "--out" || asked === undefined || others.length > 0))
    throw new ExpectedError("Usage: npm run sdks [-- --out FOLDER]");
  // npm runs scripts in the package's folder. INIT_CWD is the folder in which npm was called.
  const startFolder = process.env["INIT_CWD"] ?? process.cwd();
  const folder = asked === undefined ? sdksFolder : path.resolve(startFolder, asked);
  const sdks = await cachedSdks();
  // In the folder that `--out` names, other files are kept, and a file of the same name is overwritten.
  if (asked === undefined) rmSync(folder, { recursive: true, force: true });
  cpSync(sdks, folder, { recursive: true });
  console.log(`${path.relative(startFolder, folder)}: python, go`);
  return 0;
}
