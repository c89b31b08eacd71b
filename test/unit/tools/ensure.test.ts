import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";

import { cachedEngine, cachedEngineFolder } from "../../../tools/engine/cache";
import { ensureEngine, type EngineMaker } from "../../../tools/engine/ensure";
import { fileBackend, withEngine } from "../../../tools/engine/environment";
import { executableName } from "../../../tools/engine/platform";
import type { EngineSettings } from "../../../tools/engine/settings";
import { ExpectedError } from "../../../tools/expectedError";
import { temporaryFolder } from "../../support/temporaryFolder";

describe("where an engine comes from", () => {
  it("uses the pulumi on PATH that is recent and has a language host", async () => {
    const settings = settingsWith({ path: [folderWith("pulumi", "pulumi-language-nodejs")] });
    const engine = await ensureEngine({ settings, probeVersion: () => "v3.216.0", makers: noMakers });
    expect(engine).toMatchObject({ origin: "path", version: "3.216.0", binFolder: settings.path[0] });
  });

  it("refuses a pulumi on PATH that is too old, with the version needed and the ways on", async () => {
    const settings = settingsWith({ path: [folderWith("pulumi", "pulumi-language-nodejs")] });
    const refused = ensureEngine({ settings, probeVersion: () => "v3.100.0", makers: noMakers });
    await expect(refused).rejects.toThrow(ExpectedError);
    await expect(refused).rejects.toThrow(
      /Pulumi 3\.100\.0, and 3\.216\.0 or later is needed\. Upgrade it, or set/,
    );
  });

  it.each([
    { reason: "it has no language host", names: ["pulumi"], ignorePath: false },
    { reason: "it is to be ignored", names: ["pulumi", "pulumi-language-nodejs"], ignorePath: true },
  ])("passes a pulumi on PATH over when $reason", async ({ names, ignorePath }) => {
    const settings = settingsWith({ path: [folderWith(...names)], ignorePath });
    const makers = { download: makes, build: fails("not asked") };
    const engine = await ensureEngine({ settings, probeVersion: () => "v3.246.0", makers });
    expect(engine.origin).toBe("download");
  });

  it("does not take its own engine on PATH for the user's", async () => {
    const settings = settingsWith({});
    const makers = { download: fails("offline"), build: makes };
    const { binFolder } = await ensureEngine({ settings, makers });
    const nested = await ensureEngine({ settings: { ...settings, path: [binFolder] }, makers: noMakers });
    expect(nested.origin).toBe("build");
  });

  it("builds only when the download fails, and remembers", async () => {
    const settings = settingsWith({});
    const makers = { download: fails("offline"), build: makes };
    expect(await ensureEngine({ settings, makers })).toMatchObject({ origin: "build" });
    expect(await ensureEngine({ settings, makers: noMakers })).toMatchObject({ origin: "build" });
  });

  it("makes one engine for callers that come together", async () => {
    const settings = settingsWith({});
    let made = 0;
    const download: EngineMaker = (staging) => {
      made += 1;
      return makes(staging, settings);
    };
    const makers = { download, build: fails("not asked") };
    await Promise.all([ensureEngine({ settings, makers }), ensureEngine({ settings, makers })]);
    expect(made).toBe(1);
  });

  it("lists everything that was tried, and what to install", async () => {
    const settings = settingsWith({});
    const makers = { download: fails("getaddrinfo ENOTFOUND"), build: fails("there is no `go` on PATH") };
    const failed = ensureEngine({ settings, makers });
    await expect(failed).rejects.toThrow(ExpectedError);
    const message = await failed.then(String, String);
    expect(message).toMatch(
      /install Pulumi \S+ or later, let this machine reach \S+, or install Go\. Any one of the three helps\.\n/,
    );
    expect(message).toContain("- pulumi on PATH: not there");
    expect(message).toContain(`- cache, ${cachedEngineFolder(settings)}: no engine in it`);
    expect(message).toContain("- download from http://mirror.invalid: getaddrinfo ENOTFOUND");
    expect(message).toContain("- build from the Go module: there is no `go` on PATH");
    expect(message).toMatch(/install Pulumi .*\n.*COMPUTE_ENGINE_DOWNLOAD_URL.*\n.*install Go 1\.25\.8/);
  });
});

describe("the cache", () => {
  it("takes nothing half-made for an engine", async () => {
    const settings = settingsWith({});
    const download: EngineMaker = async (staging) => {
      await makes(staging, settings);
      expect(cachedEngine(settings)).toBeUndefined();
    };
    const makers = { download, build: fails("not asked") };
    expect(await ensureEngine({ settings, makers })).toMatchObject({ origin: "download" });
  });

  it("removes what a killed process left, and what failed", async () => {
    const settings = settingsWith({});
    mkdirSync(path.join(settings.cacheFolder, ".unfinished/bin"), { recursive: true });
    const makers = { download: fails("offline"), build: makes };
    await ensureEngine({ settings, makers });
    expect(readdirSync(settings.cacheFolder)).toEqual([path.basename(cachedEngineFolder(settings))]);
  });
});

describe("withEngine", () => {
  it("leaves PATH alone for the user's own engine", () => {
    const engine = { origin: "path", version: "3.246.0", binFolder: "/usr/bin", reason: "" } as const;
    expect(withEngine(engine, { PATH: "/first:/usr/bin" })).toEqual({ PATH: "/first:/usr/bin" });
  });

  it("finds the variable by the name that Windows gives it, and adds no second one", () => {
    const engine = { origin: "download", version: "3.246.0", binFolder: "/cache/bin", reason: "" } as const;
    const Path = ["/cache/bin", "/first"].join(path.delimiter);
    expect(withEngine(engine, { Path: "/first" })).toEqual({ Path });
  });

  it.each([
    { origin: "build", host: true, reason: "a CLI that was built here has no language host of its own" },
    { origin: "download", host: false, reason: "the official archive brings its own" },
  ] as const)("names our language host only where it is used: $reason", ({ origin, host }) => {
    const env = withEngine(
      { origin, version: "3.246.0", binFolder: "/cache/bin", reason: "" },
      { PATH: "/first" },
    );
    expect(env["PATH"]).toBe(["/cache/bin", "/first"].join(path.delimiter));
    expect(env["COMPUTE_ENGINE_LANGUAGE_HOST"] !== undefined).toBe(host);
    if (host) expect(existsSync(env["COMPUTE_ENGINE_LANGUAGE_HOST"]!)).toBe(true);
  });
});

describe("fileBackend", () => {
  it.each([
    { on: path.posix, folder: "/home/me/state", url: "file:///home/me/state" },
    { on: path.posix, folder: "/home/me/a\\b", url: "file:///home/me/a\\b" },
    { on: path.win32, folder: "C:\\Users\\me\\state", url: "file://C:/Users/me/state" },
  ])("is an address that the engine takes for a folder: $url", ({ on, folder, url }) => {
    expect(fileBackend(folder, on)).toBe(url);
  });
});

function settingsWith(changes: Partial<EngineSettings>): EngineSettings {
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
  writeFileSync(path.join(bin, executableName("pulumi")), "#!/bin/sh\n");
  return Promise.resolve();
};

function fails(why: string): EngineMaker {
  return () => Promise.reject(new Error(why));
}

const noMakers = { download: fails("not to be asked"), build: fails("not to be asked") };
