import { existsSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";

import { folderDigest, once } from "../../../tools/languages/once";
import { removeTemporaryFolders, temporaryFolder } from "./temporaryFolder";

let cache: string;

beforeEach(() => {
  cache = temporaryFolder();
  process.env["COMPUTE_ENGINE_CACHE"] = cache;
});
afterEach(() => {
  delete process.env["COMPUTE_ENGINE_CACHE"];
  removeTemporaryFolders();
});

function touch(staging: string): Promise<void> {
  writeFileSync(path.join(staging, "made"), "");
  return Promise.resolve();
}

const kept = (): readonly string[] =>
  readdirSync(path.join(cache, "languages")).filter((name) => !name.startsWith("."));

describe("a folder that is made once", () => {
  it("is made by one of those who ask for it at the same time", async () => {
    const make = jest.fn(touch);
    const [first, second] = await Promise.all([once("sdks-1", make), once("sdks-1", make)]);
    expect(second).toBe(first);
    expect(make).toHaveBeenCalledTimes(1);
    expect(existsSync(path.join(first, "made"))).toBe(true);
  });

  it("is not there after a making that failed, and can be made again", async () => {
    const fail = async (staging: string): Promise<void> => {
      await touch(staging);
      throw new Error("cut off");
    };
    await expect(once("sdks-1", fail)).rejects.toThrow("cut off");
    expect(kept()).toEqual([]);
    await once("sdks-1", (staging) => {
      expect(readdirSync(staging)).toEqual([]);
      return touch(staging);
    });
    expect(kept()).toEqual(["sdks-1"]);
  });

  it("makes room for its kind alone: the last four are kept", async () => {
    await once("venv-1", touch);
    for (const name of ["sdks-1", "sdks-2", "sdks-3", "sdks-4", "sdks-5"]) await once(name, touch);
    expect(kept()).toEqual(["sdks-2", "sdks-3", "sdks-4", "sdks-5", "venv-1"]);
  });
});

it("tells folders apart by what their files say and where they are", () => {
  const digests = [
    { a: "1", b: "2" },
    { a: "12", b: "" },
    { a: "1", c: "2" },
  ].map((files) => {
    const folder = temporaryFolder();
    for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
    return folderDigest(folder);
  });
  expect(new Set(digests).size).toBe(3);
});
