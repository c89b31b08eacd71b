/**
 * `npm run docs`, `npm run emulator`, `npm run preview`, `npm run picture`: runs a Node program after bootstrap.js has installed the
 * dependencies and built `dist/`.
 */
import { checkoutFolder } from "../checkout";
import { exitCodeOf, passSignalsOn, runChild } from "../children";

export async function run(words: readonly string[]): Promise<number> {
  passSignalsOn();
  return exitCodeOf(await runChild(process.execPath, words, { cwd: checkoutFolder }));
}
