/** Tests of what Windows lacks are skipped there, and their names say why. This file also has what Windows does differently. */
import { symlinkSync } from "node:fs";
import path from "node:path";

export const isWindows = process.platform === "win32";

export function itUnlessWindows(why: string, name: string, test: jest.ProvidesCallback): void {
  if (isWindows) it.skip(nameOf(name, why), test);
  else it(name, test);
}

export function describeUnlessWindows(why: string, name: string, tests: () => void): void {
  if (isWindows) describe.skip(nameOf(name, why), tests);
  else describe(name, tests);
}

/** Windows lets everybody make a junction, but a symbolic link needs a permission. */
export function linkFolder(folder: string, link: string): void {
  symlinkSync(folder, link, "junction");
}

/** A command that starts without a shell: on Windows, npm and npx are scripts, which only a shell starts. */
export function startable(command: string, words: readonly string[]): readonly [string, readonly string[]] {
  if (!isWindows || !["npm", "npx"].includes(command)) return [command, words];
  const beside = path.join(path.dirname(process.execPath), "node_modules", "npm", "bin", "npm-cli.js");
  const npm = process.env["npm_execpath"] ?? beside;
  return [process.execPath, [path.join(path.dirname(npm), `${command}-cli.js`), ...words]];
}

function nameOf(name: string, why: string): string {
  return `${name} (skipped on Windows: ${why})`;
}
