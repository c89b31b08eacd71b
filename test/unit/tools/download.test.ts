import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { archiveName, downloadEngine, tarOf } from "../../../tools/engine/download";
import { executableName } from "../../../tools/engine/platform";
import { newestEngineVersion, pinnedChecksum, testedEngineVersion } from "../../../tools/engine/version";
import { temporaryFolder } from "../../support/temporaryFolder";
import { closeServers, listen } from "../provider/service/servers";

const program = executableName("pulumi");

let files: Record<string, Buffer>;
let url: string;
let asked: string[];

beforeEach(async () => {
  files = {};
  asked = [];
  const mirror = createServer(({ url: route = "" }, answer) => {
    asked.push(route);
    const file = files[path.basename(route)];
    answer.writeHead(file === undefined ? 404 : 200).end(file);
  });
  url = `http://127.0.0.1:${await listen(mirror)}/releases`;
});

afterEach(closeServers);

describe("downloadEngine", () => {
  it.each(["pulumi", "pulumi/bin"])("unpacks an archive that has its programs in %s/", async (top) => {
    const archive = archiveWith(`${top}/${program}`);
    files = { [archiveName]: archive };
    const staging = await download(checksumOf(archive));
    expect(existsSync(path.join(staging, "bin", program))).toBe(true);
    expect(existsSync(path.join(staging, archiveName))).toBe(false);
  });

  it("refuses an archive without a checksum, before it is sent", async () => {
    files = { [archiveName]: archiveWith(`pulumi/${program}`) };
    await expect(download(undefined)).rejects.toThrow(
      `tools/engine/version.ts has no checksum of ${archiveName}, so it is not taken`,
    );
    expect(asked).toEqual([]);
  });

  it.each(["sha256", "sha512"])("refuses no archive, and one with another %s", async (algorithm) => {
    const checksum = `${algorithm}:${"0".repeat(64)}`;
    await expect(download(checksum)).rejects.toThrow(`${url}/${archiveName} answered 404`);
    files = { [archiveName]: archiveWith(`pulumi/${program}`) };
    const says = new RegExp(`has ${algorithm} [0-9a-f]{64,128}, and must have 0{64}`);
    await expect(download(checksum)).rejects.toThrow(says);
  });

  it("refuses an archive without pulumi in it", async () => {
    const archive = archiveWith("pulumi/readme");
    files = { [archiveName]: archive };
    await expect(download(checksumOf(archive))).rejects.toThrow(/holds no pulumi$/);
  });

  it.each([testedEngineVersion, newestEngineVersion])(
    "has a checksum of Pulumi %s for each system",
    (version) => {
      for (const platform of ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64", "windows-x64"])
        expect(pinnedChecksum(version, platform)).toMatch(/^sha256:[0-9a-f]{64}$|^sha512:[0-9a-f]{128}$/);
      expect(pinnedChecksum("3.246.1", "linux-x64")).toBeUndefined();
    },
  );
});

it("unpacks with the tar of Windows itself: that of Git Bash reads no zip", () => {
  expect(tarOf({ SystemRoot: "D:\\Windows" }, "win32")).toBe("D:\\Windows\\System32\\tar.exe");
  expect(tarOf({}, "darwin")).toBe("tar");
});

async function download(checksum: string | undefined): Promise<string> {
  const staging = temporaryFolder();
  await downloadEngine({ url, checksum, staging });
  return staging;
}

function archiveWith(file: string): Buffer {
  const folder = temporaryFolder();
  const full = path.join(folder, file);
  mkdirSync(path.dirname(full), { recursive: true });
  writeFileSync(full, "#!/bin/sh\n");
  chmodSync(full, 0o755);
  spawnSync(tarOf(process.env), ["-czf", "made.tar.gz", "pulumi"], { cwd: folder });
  return readFileSync(path.join(folder, "made.tar.gz"));
}

function checksumOf(bytes: Buffer): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}
