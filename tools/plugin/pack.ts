/** Packs the plugin as the engine downloads it. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import * as tar from "tar";

/** What the engine runs; on Windows, with `.exe` or `.cmd` at the end. */
export const program = "pulumi-resource-compute";

/** The time that npm gives every file in an archive, so that archives of the same files have the same bytes. */
export const timeInArchives = new Date("1985-10-26T08:15:00Z");

/** The name that the engine asks a download server for. */
export function archiveName(version: string, platform: string): string {
  return `${program}-v${version}-${platform}.tar.gz`;
}

/** Writes an archive of a folder, without a folder around the files. The same files make the same bytes. */
export async function packFolder(folder: string, file: string): Promise<void> {
  const fixed = { gzip: { level: 9 }, portable: true, mtime: timeInArchives, onWriteEntry: fixMode };
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) =>
      path.relative(folder, path.join(parentPath, name)).replaceAll(path.sep, "/"),
    );
  await tar.create({ ...fixed, cwd: folder, file }, files.sort());
}

/** Writes SHA256SUMS, which `sha256sum --check` reads, beside the files of a folder, or beside those that count. */
export function writeChecksums(folder: string, counts: (name: string) => boolean = () => true): void {
  const lines = readdirSync(folder)
    .filter(counts)
    .map((name) => {
      const content = readFileSync(path.join(folder, name));
      return `${createHash("sha256").update(content).digest("hex")}  ${name}\n`;
    });
  writeFileSync(path.join(folder, "SHA256SUMS"), lines.join(""));
}

/** Sets the same modes whatever the umask of the person who built it. */
function fixMode({ path: name, stat }: tar.WriteEntry): void {
  if (stat !== undefined) stat.mode = path.basename(name, ".exe") === program ? 0o755 : 0o644;
}
