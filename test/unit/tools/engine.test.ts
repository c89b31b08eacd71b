/** Where the engine of this project's own commands comes from. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { cachedEngineFolder } from "../../../tools/engine/cache";
import { archiveName, downloadEngine, tarOf } from "../../../tools/engine/download";
import { ensureEngine, type EngineMaker } from "../../../tools/engine/ensure";
import { executableName } from "../../../tools/engine/platform";
import type { EngineSettings } from "../../../tools/engine/settings";
import { ExpectedError } from "../../../tools/expectedError";
import { temporaryFolder } from "../../support/temporaryFolder";
import { closeServers, listen } from "../../support/servers";

const program = executableName("pulumi");

function settingsWith(changes: Partial<EngineSettings> = {}): EngineSettings {
  const cacheFolder = path.join(temporaryFolder(), "cache");
  return { cacheFolder, ignorePath: false, downloadUrl: "http://mirror.invalid", path: [], ...changes };
}

function folderWith(...names: readonly string[]): string {
  const folder = temporaryFolder();
  for (const name of names) {
    const file = path.join(folder, executableName(name));
    writeFileSync(file, "#!/bin/sh\n");
    chmodSync(file, 0o755);
  }
  return folder;
}

const makes: EngineMaker = (staging) => {
  const bin = path.join(staging, "bin");
  mkdirSync(bin);
  writeFileSync(path.join(bin, program), "#!/bin/sh\n");
  return Promise.resolve();
};
const fails =
  (why: string): EngineMaker =>
  () =>
    Promise.reject(new Error(why));
const noMakers = { download: fails("not to be asked"), build: fails("not to be asked") };

describe("an engine", () => {
  const whole = ["pulumi", "pulumi-language-nodejs"];
  it.each([
    { reason: "is recent and has a language host", names: whole, origin: "path" },
    { reason: "has no language host", names: ["pulumi"], origin: "download" },
    { reason: "is to be ignored", names: whole, ignorePath: true, origin: "download" },
  ])("comes from $origin if the pulumi on PATH $reason", async ({ names, ignorePath = false, origin }) => {
    const settings = settingsWith({ path: [folderWith(...names)], ignorePath });
    const makers = { download: makes, build: fails("not asked") };
    const engine = await ensureEngine({ settings, probeVersion: () => "v3.216.0", makers });
    expect(engine.origin).toBe(origin);
    if (origin === "path") expect(engine).toMatchObject({ version: "3.216.0", binFolder: settings.path[0] });
  });

  it("is never a pulumi on PATH that is too old: the error names the version needed, and what to do", async () => {
    const settings = settingsWith({ path: [folderWith(...whole)] });
    const refused = ensureEngine({ settings, probeVersion: () => "v3.100.0", makers: noMakers });
    await expect(refused).rejects.toThrow(ExpectedError);
    const says = /Pulumi 3\.100\.0, but 3\.216\.0 or later is needed\. Upgrade it, or set/;
    await expect(refused).rejects.toThrow(says);
  });

  it("is built if the download fails, and the build is used again, even if it is on PATH", async () => {
    const settings = settingsWith();
    const { origin, binFolder } = await ensureEngine({
      settings,
      makers: { download: fails("offline"), build: makes },
    });
    expect(origin).toBe("build");
    const again = { ...settings, path: [binFolder] };
    expect((await ensureEngine({ settings: again, makers: noMakers })).origin).toBe("build");
  });

  it("that can be neither found nor made is an error that says everything that was tried, and what to install", async () => {
    const settings = settingsWith();
    const makers = { download: fails("getaddrinfo ENOTFOUND"), build: fails("there is no `go` on PATH") };
    const failed = ensureEngine({ settings, makers });
    await expect(failed).rejects.toThrow(ExpectedError);
    const message = await failed.then(String, String);
    expect(message).toMatch(
      /install Pulumi \S+ or later, let this machine reach \S+, or install Go\. One of the three is enough\.\n/,
    );
    for (const tried of [
      "- pulumi on PATH: not found",
      `- cache, ${cachedEngineFolder(settings)}: no engine in it`,
      "- download from http://mirror.invalid: getaddrinfo ENOTFOUND",
      "- build from the Go module: there is no `go` on PATH",
    ])
      expect(message).toContain(tried);
  });
});

describe("the download of an engine", () => {
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

  async function download(checksum: string | undefined): Promise<string> {
    const staging = temporaryFolder();
    await downloadEngine({ url, checksum, staging });
    return staging;
  }

  /** Puts an archive with this file on the mirror. @returns its checksum */
  function serve(file: string): string {
    const folder = temporaryFolder();
    const full = path.join(folder, file);
    mkdirSync(path.dirname(full), { recursive: true });
    writeFileSync(full, "#!/bin/sh\n", { mode: 0o755 });
    spawnSync(tarOf(process.env), ["-czf", "made.tar.gz", "pulumi"], { cwd: folder });
    files = { [archiveName]: readFileSync(path.join(folder, "made.tar.gz")) };
    return `sha256:${createHash("sha256").update(files[archiveName]!).digest("hex")}`;
  }

  it("unpacks an archive that has the checksum", async () => {
    const staging = await download(serve(`pulumi/${program}`));
    expect(existsSync(path.join(staging, "bin", program))).toBe(true);
  });

  it("refuses an archive whose checksum is not known, before it asks for it", async () => {
    serve(`pulumi/${program}`);
    await expect(download(undefined)).rejects.toThrow(
      `tools/engine/version.ts has no checksum of ${archiveName}, so this archive is not downloaded`,
    );
    expect(asked).toEqual([]);
  });

  it.each(["sha256", "sha512"])(
    "refuses a missing archive, and an archive with another %s",
    async (algorithm) => {
      const checksum = `${algorithm}:${"0".repeat(64)}`;
      await expect(download(checksum)).rejects.toThrow(`${url}/${archiveName} answered 404`);
      serve(`pulumi/${program}`);
      const says = new RegExp(`has ${algorithm} [0-9a-f]{64,128}, but must have 0{64}`);
      await expect(download(checksum)).rejects.toThrow(says);
    },
  );
});
