import { rmSync } from "node:fs";
import path from "node:path";

import { checkoutFolder } from "../checkout";
import { passSignalsOn } from "../children";
import { generateSdks } from "../languages/sdks";

/** Ignored by git: examples name it. */
const sdksFolder = path.join(checkoutFolder, "build/sdks");

/** `npm run sdks`: the Python and Go SDKs of the native plugin, in build/sdks/. */
export async function run(): Promise<number> {
  passSignalsOn();
  rmSync(sdksFolder, { recursive: true, force: true });
  await generateSdks(sdksFolder);
  console.log(`${path.relative(process.cwd(), sdksFolder)}: python, go`);
  return 0;
}
