/**
 * Runs the commands that a release needs: their messages go to stderr, their answers are returned.
 */
import { spawnSync } from "node:child_process";

import { checkoutFolder } from "../checkout";
import { ExpectedError } from "../expectedError";

/** @returns what it printed on stdout. @throws ExpectedError where it fails, after its own words. */
export function git(words: readonly string[]): string {
  return answerOf(["git", ...words]);
}

/** As `git`; with the npm that runs this, where one does. */
export function npm(words: readonly string[], folder: string = checkoutFolder): string {
  const own = process.env["npm_execpath"];
  return answerOf(own === undefined ? ["npm", ...words] : [process.execPath, own, ...words], folder);
}

function answerOf([command = "", ...words]: readonly string[], cwd: string = checkoutFolder): string {
  const { status, stdout } = spawnSync(command, words, {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 64 * 1024 * 1024,
    // `npm` is a script on Windows, which only a shell starts.
    shell: command === "npm" && process.platform === "win32",
  });
  if (status === 0) return stdout;
  throw new ExpectedError(`Releasing: ${[command, ...words].join(" ")} ended with ${String(status)}.`);
}
