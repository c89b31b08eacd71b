/**
 * `npm run plugin:pack`: what a download server of the plugin holds, in build/plugin/.
 */
import { rmSync } from "node:fs";
import path from "node:path";

import { checkoutFolder } from "../checkout";
import { packPlugin } from "../plugin/pack";

/** Ignored by git. */
const archivesFolder = path.join(checkoutFolder, "build/plugin");

export async function run(): Promise<number> {
  rmSync(archivesFolder, { recursive: true, force: true });
  const written = await packPlugin(path.join(checkoutFolder, "dist/plugin"), archivesFolder);
  for (const name of written) console.log(path.relative(process.cwd(), path.join(archivesFolder, name)));
  return 0;
}
