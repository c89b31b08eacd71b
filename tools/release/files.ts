/**
 * Everything that a release consists of, in one folder.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { checkoutFolder } from "../checkout";
import { ExpectedError } from "../expectedError";
import { checksumsFile, packPlugin } from "../plugin/pack";
import { sectionOf } from "./changelog";
import { npm } from "./commands";
import { shippedOf, type Sbom } from "./sbom";

/** Ignored by git. */
export const releaseFolder = path.join(checkoutFolder, "build", "release");

/** The text of the release; no part of it. */
export const notesFile = "notes.md";

/** Writes the package, the plugin's archives, the bill of materials, their checksums, and the release's text. */
export async function writeReleaseFiles(): Promise<void> {
  rmSync(releaseFolder, { recursive: true, force: true });
  mkdirSync(releaseFolder, { recursive: true });
  const { name, version } = readJson("package.json") as { name: string; version: string };
  npm(["pack", "--silent", "--pack-destination", releaseFolder]);
  await packPlugin(path.join(checkoutFolder, "dist", "plugin"), releaseFolder);
  const all = JSON.parse(npm(["sbom", "--sbom-format", "cyclonedx", "--package-lock-only"])) as Sbom;
  const bundled = readJson("dist/plugin-packages.json") as readonly string[];
  const sbom = `${JSON.stringify(shippedOf(all, { name, bundled }), undefined, 2)}\n`;
  writeFileSync(path.join(releaseFolder, `${name}-${version}.cdx.json`), sbom);
  writeChecksums();
  const changelog = readFileSync(path.join(checkoutFolder, "CHANGELOG.md"), "utf8");
  const { text = "" } = sectionOf(changelog, version) ?? sectionOf(changelog, "Unreleased") ?? {};
  writeFileSync(path.join(releaseFolder, notesFile), `${text}\n`);
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(path.join(checkoutFolder, file), "utf8"));
}

/** Of every file but itself, in the form that `sha256sum --check` reads. */
function writeChecksums(): void {
  const names = readdirSync(releaseFolder).filter((name) => name !== checksumsFile);
  const lines = names.sort().map((name) => `${digestOf(path.join(releaseFolder, name))}  ${name}\n`);
  writeFileSync(path.join(releaseFolder, checksumsFile), lines.join(""));
}

function digestOf(file: string): string {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}

/** @returns how many files there are. @throws where one is missing, or is not what the checksums say. */
export function verifyChecksums(folder: string): number {
  const lines = readFileSync(path.join(folder, checksumsFile), "utf8").trimEnd().split("\n");
  for (const line of lines) {
    const [digest = "", name = ""] = line.split("  ");
    if (digestOf(path.join(folder, name)) !== digest)
      throw new ExpectedError(`Checking ${folder}: ${name} is not what ${checksumsFile} says.`);
  }
  return lines.length;
}
