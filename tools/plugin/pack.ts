/** Packs the plugin as the engine downloads it: one archive for each platform. */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import * as tar from "tar";

/** Platforms in Go's words, which the engine uses. The plugin is a Node program, the same for all platforms. */
const platforms = ["darwin", "linux", "windows"].flatMap((system) => [`${system}-amd64`, `${system}-arm64`]);

/** The time that npm gives every file in an archive, so that archives of the same files have the same bytes. */
const fixedTime = new Date("1985-10-26T08:15:00Z");

/**
 * Writes the archives into a folder.
 *
 * @param plugin - the built plugin: `dist/plugin`.
 * @returns the names of the files written.
 */
export async function packPlugin(plugin: string, folder: string): Promise<readonly string[]> {
  const version = versionOf(plugin);
  const names = platforms.map((platform) => `${program}-v${version}-${platform}.tar.gz`);
  mkdirSync(folder, { recursive: true });
  for (const name of names) await writeArchive(plugin, path.join(folder, name));
  return names;
}

/** Writes SHA256SUMS, which `sha256sum --check` reads, beside the files of a folder. */
export function writeChecksums(folder: string): void {
  const lines = readdirSync(folder).map((name) => {
    const content = readFileSync(path.join(folder, name));
    return `${createHash("sha256").update(content).digest("hex")}  ${name}\n`;
  });
  writeFileSync(path.join(folder, "SHA256SUMS"), lines.join(""));
}

function versionOf(plugin: string): string {
  const manifest = path.join(plugin, "package.json");
  return (JSON.parse(readFileSync(manifest, "utf8")) as { version: string }).version;
}

/**
 * Writes an archive without a folder around the files: the plugin cache unpacks each archive into a separate folder.
 */
async function writeArchive(plugin: string, file: string): Promise<void> {
  const fixed = { gzip: { level: 9 }, portable: true, mtime: fixedTime, onWriteEntry: fixMode };
  await tar.create({ ...fixed, cwd: plugin, file }, readdirSync(plugin).sort());
}

/** What the engine runs. */
const program = "pulumi-resource-compute";

/** Sets the same modes whatever the umask of the person who built it. */
function fixMode({ path: name, stat }: tar.WriteEntry): void {
  if (stat !== undefined) stat.mode = path.basename(name) === program ? 0o755 : 0o644;
}
