import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";

import { archiveName, checksumsName, downloadEngine, tarOf } from "../../../tools/engine/download";
import { executableName } from "../../../tools/engine/platform";
import { removeTemporaryFolders, temporaryFolder } from "./temporaryFolder";

const program = executableName("pulumi");
const quiet = { update: () => undefined, finish: () => undefined };

let server: http.Server;
let files: Record<string, string | Buffer>;
let url: string;
let asked: string[];

beforeEach(async () => {
  files = {};
  asked = [];
  server = http.createServer((request, response) => {
    asked.push(request.url ?? "");
    const file = files[(request.url ?? "").slice("/releases/".length)];
    response.writeHead(file === undefined ? 404 : 200).end(file);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/releases`;
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
  removeTemporaryFolders();
});

describe("downloadEngine", () => {
  it.each(["pulumi", "pulumi/bin"])("unpacks an archive that has its programs in %s/", async (top) => {
    const archive = archiveWith(`${top}/${program}`);
    files = { [archiveName]: archive, [checksumsName]: `${sha256(archive)}  ${archiveName}\n` };
    const staging = await download();
    expect(existsSync(path.join(staging, "bin", program))).toBe(true);
    expect(existsSync(path.join(staging, archiveName))).toBe(false);
  });

  it.each([
    { reason: "no file", checksums: undefined, told: `${checksumsName} answered 404` },
    { reason: "an empty file", checksums: "", told: `${checksumsName} has no SHA-256 of ${archiveName}` },
    {
      reason: "another archive's",
      checksums: `${"0".repeat(64)}  other-${archiveName}\n`,
      told: `${checksumsName} has no SHA-256 of ${archiveName}`,
    },
    {
      reason: "no SHA-256",
      checksums: `undefined  ${archiveName}\n`,
      told: `${checksumsName} has no SHA-256 of ${archiveName}`,
    },
  ])("refuses an archive without a checksum, before it is sent: $reason", async ({ checksums, told }) => {
    files = {
      [archiveName]: archiveWith(`pulumi/${program}`),
      ...(checksums === undefined ? {} : { [checksumsName]: checksums }),
    };
    await expect(download()).rejects.toThrow(
      `${told}: an archive without a checksum is not taken; a mirror needs both files of the release`,
    );
    expect(asked.map((address) => path.posix.basename(address))).toEqual([checksumsName]);
  });

  it("refuses an archive that is not the published one", async () => {
    files = {
      [archiveName]: archiveWith(`pulumi/${program}`),
      [checksumsName]: `${"0".repeat(64)}  ${archiveName}\n`,
    };
    await expect(download()).rejects.toThrow(/has SHA-256 [0-9a-f]{64}, and .* says 0{64}/);
  });

  it("says what the site answered when the archive is not there", async () => {
    files = { [checksumsName]: `${"0".repeat(64)}  ${archiveName}\n` };
    await expect(download()).rejects.toThrow(`${url}/${archiveName} answered 404`);
  });

  it("refuses an archive without pulumi in it", async () => {
    const archive = archiveWith("pulumi/readme");
    files = { [archiveName]: archive, [checksumsName]: `${sha256(archive)}  ${archiveName}\n` };
    await expect(download()).rejects.toThrow(/holds no pulumi: readme/);
  });
});

it("unpacks with the tar of Windows itself: that of Git Bash reads no zip", () => {
  expect(tarOf({ SystemRoot: "D:\\Windows" }, "win32")).toBe("D:\\Windows\\System32\\tar.exe");
  expect(tarOf({}, "darwin")).toBe("tar");
});

async function download(): Promise<string> {
  const staging = temporaryFolder();
  mkdirSync(path.join(staging, "bin"));
  await downloadEngine({ url, staging, progress: quiet });
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

function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
