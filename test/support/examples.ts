/**
 * Copies of the programs in examples/, for tests that run them.
 */
import { copyFileSync, cpSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { linkPackages } from "./stack";

export const checkout = path.join(__dirname, "..", "..");
const examples = path.join(checkout, "examples");

/** A copy at the same place relative to the root's tsconfig.json, so that a test writes nothing into the checkout. */
export function copyOf(example: string): (folder: string) => string {
  return (folder) => {
    linkPackages(folder);
    symlinkSync(path.join(checkout, "node_modules/@types"), path.join(folder, "node_modules/@types"));
    writeFileSync(path.join(folder, "package.json"), '{ "name": "examples-under-test" }');
    copyFileSync(path.join(checkout, "tsconfig.json"), path.join(folder, "tsconfig.json"));
    const copy = path.join(folder, "examples", example);
    cpSync(path.join(examples, example), copy, { recursive: true });
    return copy;
  };
}
