/**
 * `npm run sdks`: the Python and Go SDKs of the native plugin, in build/sdks/, or in the folder of `--out`.
 */
import { rmSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";

import { checkoutFolder } from "../checkout";
import { passSignalsOn } from "../children";
import { ExpectedError } from "../expectedError";
import { generateSdks } from "../languages/sdks";

/** Ignored by git. */
const sdksFolder = path.join(checkoutFolder, "build/sdks");

export async function run(args: readonly string[]): Promise<number> {
  passSignalsOn();
  const asked = askedFolder(args);
  // Other files in the folder stay; a file of the same name is overwritten.
  if (asked === undefined) rmSync(sdksFolder, { recursive: true, force: true });
  const folder = asked ?? sdksFolder;
  await generateSdks(folder);
  console.log(`${path.relative(startFolder(), folder)}: python, go`);
  return 0;
}

/** @returns the folder that `--out` names, from where the command was typed. */
function askedFolder(args: readonly string[]): string | undefined {
  try {
    const { out } = parseArgs({ args: [...args], options: { out: { type: "string" } } }).values;
    return out === undefined ? undefined : path.resolve(startFolder(), out);
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    throw new ExpectedError(`${words}\nUsage: npm run sdks [-- --out FOLDER]`);
  }
}

/** npm runs scripts in the package's folder, and says where it was called. */
function startFolder(): string {
  return process.env["INIT_CWD"] ?? process.cwd();
}
