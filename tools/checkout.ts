/**
 * The folders of this checkout.
 */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

/** The folder of this checkout, wherever this file runs from: `tools/` under jest, `dist/tools/` otherwise. */
export const checkoutFolder: string = findCheckout(__dirname);

/** Where the local stack lives: control plane data, Pulumi state, logs. Ignored by git; safe to delete. */
export const localFolder: string = path.join(checkoutFolder, ".local");

interface Manifest extends Readonly<Record<string, unknown>> {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly repository: { readonly url: string };
}

/** The content of package.json. */
export const manifest = JSON.parse(
  readFileSync(path.join(checkoutFolder, "package.json"), "utf8"),
) as Manifest;

function findCheckout(from: string): string {
  if (existsSync(path.join(from, "package.json"))) return from;
  const above = path.dirname(from);
  if (above === from) throw new Error(`Finding the checkout from ${__dirname}: no package.json above it.`);
  return findCheckout(above);
}
