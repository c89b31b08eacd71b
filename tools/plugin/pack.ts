/** The plugin as the engine downloads it: one archive for each platform. */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import * as tar from "tar";

/** Of Go, whose names the engine asks with. The plugin is a program for Node: the same for all of them. */
const platforms = [
  "darwin-amd64",
  "darwin-arm64",
  "linux-amd64",
  "linux-arm64",
  "windows-amd64",
  "windows-arm64",
] as const;

/** That of every file in an archive of npm: archives of the same files have the same bytes. */
const fixedTime = new Date("1985-10-26T08:15:00Z");

/**
 * Writes the archives into a folder.
 *
 * @param plugin - the built plugin: `dist/plugin`.
 * @returns the names of the files written.
 */
export async function packPlugin(plugin: string, folder: string): Promise<readonly string[]> {
  const version = versionOf(plugin);
  const content = await archive(plugin);
  const names = platforms.map((platform) => `${program}-v${version}-${platform}.tar.gz`);
  mkdirSync(folder, { recursive: true });
  for (const name of names) writeFileSync(path.join(folder, name), content);
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

/** @returns an archive without a folder around the files, as the plugin cache unpacks it into one of its own. */
async function archive(plugin: string): Promise<Buffer> {
  const options = {
    cwd: plugin,
    gzip: { level: 9 },
    portable: true,
    mtime: fixedTime,
    onWriteEntry: fixMode,
  };
  const chunks: Buffer[] = [];
  for await (const chunk of tar.create(options, readdirSync(plugin).sort())) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** What the engine runs. */
const program = "pulumi-resource-compute";

/** Whatever the umask of whoever built it. */
function fixMode({ path: name, stat }: tar.WriteEntry): void {
  if (stat !== undefined) stat.mode = path.basename(name) === program ? 0o755 : 0o644;
}
