/**
 * `npm run docs`: the site, in build/docs/. typedoc.config.mjs says what is on it.
 */
import path from "node:path";

import { checkoutFolder } from "../checkout";
import { exitCodeOf, passSignalsOn, runChild } from "../children";

export async function run(): Promise<number> {
  passSignalsOn();
  const typedoc = path.join(checkoutFolder, "node_modules/typedoc/bin/typedoc");
  return exitCodeOf(await runChild(process.execPath, [typedoc], { cwd: checkoutFolder }));
}
