/**
 * `npm run release [-- TAG]`: writes every file of a release into build/release/. .github/workflows/release.yml passes
 * its tag.
 */
import {
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";

import { checkoutFolder, manifest } from "../checkout";
import { exitCodeOf, passSignalsOn, runNpm } from "../children";
import { ExpectedError } from "../expectedError";
import { packPlugin, writeChecksums } from "../plugin/pack";
import { notesOf } from "../release/notes";

/** Ignored by git. */
const folder = path.join(checkoutFolder, "build", "release");

export async function run([tag]: readonly string[]): Promise<number> {
  passSignalsOn();
  const { name, version } = manifest;
  const changelog = readFileSync(path.join(checkoutFolder, "CHANGELOG.md"), "utf8");
  const notes = notesOf(changelog, { version, tag });
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await npm(["pack", "--silent", "--pack-destination", folder], "ignore");
  await packPlugin(path.join(checkoutFolder, "dist", "plugin"), folder);
  const sbom = openSync(path.join(folder, `${name}-${version}.cdx.json`), "w");
  await npm(["sbom", "--sbom-format", "cyclonedx", "--package-lock-only"], sbom);
  closeSync(sbom);
  // npm's bill of materials does not cover bundles: it lists their contents as development dependencies.
  copyFileSync(
    path.join(checkoutFolder, "dist", "bundled.cdx.json"),
    path.join(folder, `${name}-${version}-bundled.cdx.json`),
  );
  writeChecksums(folder);
  // The text of the release is not one of its files, so it has no checksum.
  writeFileSync(path.join(folder, "notes.md"), `${notes}\n`);
  for (const file of readdirSync(folder)) console.log(path.relative(process.cwd(), path.join(folder, file)));
  return 0;
}

async function npm(words: readonly string[], stdout: "ignore" | number): Promise<void> {
  const ended = await runNpm(words, { cwd: checkoutFolder, stdio: ["ignore", stdout, "inherit"] });
  if (exitCodeOf(ended) !== 0)
    throw new ExpectedError(`Releasing: npm ${words.join(" ")} failed, see above.`);
}
