/**
 * `npm run release [-- TAG]`: writes every file of a release into build/release/. .github/workflows/release.yml passes
 * its tag.
 */
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { checkoutFolder, manifest } from "../checkout";
import { exitCodeOf, passSignalsOn, runNpm } from "../children";
import { ExpectedError } from "../expectedError";
import { archiveName, packFolder, writeChecksums } from "../plugin/pack";
import { executableFile, makeExecutables } from "../release/executables";
import { withNode } from "../release/materials";
import { ownPlatform, platforms } from "../release/node";
import { notesOf, textAboutExecutables } from "../release/notes";
import { unsigned } from "../release/signing";
import { packSdks } from "../release/sdks";
import { startsHere } from "../release/started";

/** Ignored by git. */
const build = path.join(checkoutFolder, "build");
const folder = path.join(build, "release");

export async function run([tag]: readonly string[]): Promise<number> {
  passSignalsOn();
  const { name, version } = manifest;
  const changelog = readFileSync(path.join(checkoutFolder, "CHANGELOG.md"), "utf8");
  const notes = notesOf(changelog, { version, tag });
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await npm(["pack", "--silent", "--pack-destination", folder], "ignore");
  await packExecutables(version);
  await packSdks(folder, path.join(build, "packages"));
  const sbom = openSync(path.join(folder, `${name}-${version}.cdx.json`), "w");
  await npm(["sbom", "--sbom-format", "cyclonedx", "--package-lock-only"], sbom);
  closeSync(sbom);
  // npm's bill of materials does not cover bundles: it lists their contents as development dependencies.
  const bundled = readFileSync(path.join(checkoutFolder, "dist", "bundled.cdx.json"), "utf8");
  writeFileSync(path.join(folder, `${name}-${version}-bundled.cdx.json`), withNode(bundled, version));
  writeChecksums(folder);
  // The text of the release is not one of its files, so it has no checksum.
  writeFileSync(path.join(folder, "notes.md"), `${notes}\n\n${textAboutExecutables}\n`);
  for (const file of readdirSync(folder)) console.log(path.relative(process.cwd(), path.join(folder, file)));
  return 0;
}

/** @throws ExpectedError if the executable for this machine does not start. */
async function packExecutables(version: string): Promise<void> {
  const made = path.join(build, "executables");
  rmSync(made, { recursive: true, force: true });
  await makeExecutables({ plugin: path.join(checkoutFolder, "dist", "plugin"), platforms, folder: made });
  for (const platform of platforms) {
    const needsSignature = platform.startsWith("darwin-");
    if (platform === ownPlatform && !needsSignature) {
      if (!(await startsHere(path.join(made, platform, executableFile(platform)))))
        throw new ExpectedError(`Releasing: the executable for ${platform} does not start.`);
      console.log(`${platform}: started here. The other executables were not started.`);
    }
    const name = archiveName(version, needsSignature ? `${platform}${unsigned}` : platform);
    await packFolder(path.join(made, platform), path.join(folder, name));
  }
}

async function npm(words: readonly string[], stdout: "ignore" | number): Promise<void> {
  const ended = await runNpm(words, { cwd: checkoutFolder, stdio: ["ignore", stdout, "inherit"] });
  if (exitCodeOf(ended) !== 0)
    throw new ExpectedError(`Releasing: npm ${words.join(" ")} failed, see above.`);
}
