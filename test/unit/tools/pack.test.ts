import { createHash } from "node:crypto";
import { chmodSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import * as tar from "tar";
import { packPlugin, writeChecksums } from "../../../tools/plugin/pack";
import { temporaryFolder } from "../../support/temporaryFolder";

/** A plugin as a build would leave it: at some time, under some umask. */
function builtPlugin({ mode, at }: { mode: number; at: Date }): string {
  const plugin = temporaryFolder();
  const files = {
    "plugin.js": "code",
    "pulumi-resource-compute": "starts",
    "package.json": '{"version":"1.2.3"}',
  };
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(plugin, name);
    writeFileSync(file, text);
    chmodSync(file, name.includes(".") ? mode : mode | 0o111);
    utimesSync(file, at, at);
  }
  return plugin;
}

const today = { mode: 0o644, at: new Date("2024-05-06T07:08:09Z") };

describe("packPlugin", () => {
  it("names an archive for each platform that the engine asks for", async () => {
    const names = await packPlugin(builtPlugin(today), temporaryFolder());
    expect(names).toEqual([
      "pulumi-resource-compute-v1.2.3-darwin-amd64.tar.gz",
      "pulumi-resource-compute-v1.2.3-darwin-arm64.tar.gz",
      "pulumi-resource-compute-v1.2.3-linux-amd64.tar.gz",
      "pulumi-resource-compute-v1.2.3-linux-arm64.tar.gz",
      "pulumi-resource-compute-v1.2.3-windows-amd64.tar.gz",
      "pulumi-resource-compute-v1.2.3-windows-arm64.tar.gz",
    ]);
  });

  it("makes the same bytes at another time, under another umask", async () => {
    const folder = temporaryFolder();
    const packed = async (plugin: string): Promise<Buffer> => {
      const [first = ""] = await packPlugin(plugin, folder);
      return readFileSync(path.join(folder, first));
    };
    const one = await packed(builtPlugin(today));
    const other = await packed(builtPlugin({ mode: 0o600, at: new Date("2025-01-01T00:00:00Z") }));
    expect(one.equals(other)).toBe(true);
  });

  it("puts the files side by side, and lets the system run the first of them", async () => {
    const folder = temporaryFolder();
    const [first = ""] = await packPlugin(builtPlugin(today), folder);
    const entries: string[] = [];
    const onReadEntry = ({ path: name, mode, uid, gid, mtime }: tar.ReadEntry): void => {
      entries.push([name, mode?.toString(8), uid, gid, mtime?.toISOString()].join(" "));
    };
    await tar.list({ file: path.join(folder, first), onReadEntry });
    expect(entries).toEqual([
      "package.json 644   1985-10-26T08:15:00.000Z",
      "plugin.js 644   1985-10-26T08:15:00.000Z",
      "pulumi-resource-compute 755   1985-10-26T08:15:00.000Z",
    ]);
  });
});

describe("writeChecksums", () => {
  it("lists the checksum of every file", () => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, "a.tgz"), "a");
    writeFileSync(path.join(folder, "b.tar.gz"), "b");
    writeChecksums(folder);
    const checksumOf = (text: string): string => createHash("sha256").update(text).digest("hex");
    expect(readFileSync(path.join(folder, "SHA256SUMS"), "utf8")).toBe(
      `${checksumOf("a")}  a.tgz\n${checksumOf("b")}  b.tar.gz\n`,
    );
  });
});
