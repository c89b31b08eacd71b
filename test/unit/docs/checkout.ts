/** The files of the checkout, as tests of its pages and rules read them. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { checkoutFolder as root } from "../../../tools/checkout";

export { root };

export const textOf = (file: string): string => readFileSync(path.join(root, file), "utf8");

/** The files that git tracks or would add, by name or folder. */
export function filesOf(...patterns: readonly string[]): readonly string[] {
  const words = ["ls-files", "--cached", "--others", "--exclude-standard", "--", ...patterns];
  return execFileSync("git", words, { cwd: root, encoding: "utf8" }).trim().split("\n");
}
