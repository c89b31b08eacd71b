/**
 * `npm run emulator -- --port 8787`: the control plane alone, in the foreground.
 */
import path from "node:path";

import { checkoutFolder } from "../checkout";
import { exitCodeOf, passSignalsOn, runChild } from "../children";

export async function run(args: readonly string[]): Promise<number> {
  passSignalsOn();
  const main = path.join(checkoutFolder, "dist/emulator/main.js");
  return exitCodeOf(await runChild(process.execPath, [main, ...args]));
}
