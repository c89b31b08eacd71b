/**
 * Packs the SDKs of a release: a wheel and a source archive for Python, and the module for Go. Other languages get theirs from
 * `pulumi package add`, which generates it on the user's machine.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import * as tar from "tar";

import { checkoutFolder, manifest } from "../checkout";
import { exitCodeOf, runChild } from "../children";
import { ExpectedError } from "../expectedError";
import { cachedSdks } from "../languages/sdks";
import { packFolder, timeInArchives } from "../plugin/pack";

/** What builds the Python package. Another version could make other bytes. */
const buildTools = ["build==1.3.0", "setuptools==80.9.0", "wheel==0.45.1"];

const quickstarts = {
  python: { code: "python", example: "examples/python/__main__.py" },
  go: { code: "go", example: "examples/go/main.go" },
} as const;

/**
 * @param folder - gets the files of the SDKs.
 * @param staging - a folder for what is only needed on the way; it is emptied first.
 *
 * @throws ExpectedError if there is no Python 3, or if a package cannot be built.
 */
export async function packSdks(folder: string, staging: string): Promise<void> {
  rmSync(staging, { recursive: true, force: true });
  cpSync(await cachedSdks(), staging, { recursive: true });
  for (const language of ["python", "go"] as const)
    writeFileSync(path.join(staging, language, "README.md"), readmeOf(language));
  const { name, version } = manifest;
  await buildPython(path.join(staging, "python"), folder);
  await packFolder(path.join(staging, "go"), path.join(folder, `${name}-sdk-go-${version}.tar.gz`));
}

/** The quickstart in the SDK's own language. */
function readmeOf(language: keyof typeof quickstarts): string {
  const { code, example } = quickstarts[language];
  const { name, description, version } = manifest;
  const program = readFileSync(path.join(checkoutFolder, example), "utf8");
  return `# ${name}\n\n${description}\n\nSizes are plain numbers, in Compute Units. The SDK needs the plugin of the same version, ${version}.\n\n\`\`\`${code}\n${program}\`\`\`\n`;
}

async function buildPython(source: string, folder: string): Promise<void> {
  const [environment, made] = ["environment", "made"].map((name) => `${source}-${name}`) as [string, string];
  const inEnvironment = path.join(environment, process.platform === "win32" ? "Scripts" : "bin", "python");
  await run(process.platform === "win32" ? "python" : "python3", ["-m", "venv", environment]);
  await run(inEnvironment, ["-m", "pip", "install", "--quiet", ...buildTools]);
  await run(inEnvironment, ["-m", "build", "--no-isolation", "--outdir", made, source]);
  for (const file of readdirSync(made))
    if (file.endsWith(".whl")) cpSync(path.join(made, file), path.join(folder, file));
    else await repacked(path.join(made, file), path.join(folder, file));
}

/** The source archive has the time at which it was made: packs it again, so that it always has the same bytes. */
async function repacked(archive: string, file: string): Promise<void> {
  const unpacked = `${archive}-unpacked`;
  mkdirSync(unpacked);
  await tar.extract({ file: archive, cwd: unpacked });
  await packFolder(unpacked, file);
}

async function run(program: string, words: readonly string[]): Promise<void> {
  const env = { ...process.env, SOURCE_DATE_EPOCH: String(timeInArchives.getTime() / 1000) };
  // stdout belongs to the list of a release's files.
  const ended = await runChild(program, words, { env, stdio: ["ignore", "ignore", "inherit"] });
  if (exitCodeOf(ended) !== 0)
    throw new ExpectedError(`Releasing: ${program} ${words.join(" ")} failed, see above.`);
}
