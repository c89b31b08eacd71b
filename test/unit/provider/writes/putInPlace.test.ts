import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type * as promisesModule from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { putInPlace } from "../../../../provider/writes/flushedFile";

type Promises = typeof promisesModule;

jest.mock("node:fs/promises", () => ({ ...jest.requireActual<Promises>("node:fs/promises") }));
const promises = jest.requireMock<Promises>("node:fs/promises");

let folder: string;
let draft: string;
let place: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "compute-flushed-"));
  [draft, place] = [path.join(folder, "draft"), path.join(folder, "place")];
  writeFileSync(draft, "new");
  writeFileSync(place, "old");
});
afterEach(() => {
  jest.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

/** As Windows answers while another process has the file open. */
function refuse(times: number, code: string): jest.SpyInstance {
  const { rename } = jest.requireActual<Promises>("node:fs/promises");
  let left = times;
  return jest
    .spyOn(promises, "rename")
    .mockImplementation((from, to) =>
      left-- > 0 ? Promise.reject(Object.assign(new Error(code), { code })) : rename(from, to),
    );
}

describe("a file that replaces another", () => {
  it.each(["EPERM", "EACCES", "EBUSY"])("is tried again on Windows, where %s may pass", async (code) => {
    refuse(3, code);
    await putInPlace(draft, place, "win32");
    expect(readFileSync(place, "utf8")).toBe("new");
    expect(existsSync(draft)).toBe(false);
  });

  it("is given up on Windows where nothing changes", async () => {
    const tries = refuse(100, "EPERM");
    await expect(putInPlace(draft, place, "win32")).rejects.toThrow("EPERM");
    expect(tries).toHaveBeenCalledTimes(8);
    expect(readFileSync(place, "utf8")).toBe("old");
  });

  it.each([
    { platform: "win32", code: "ENOSPC", reason: "no other process is to blame" },
    { platform: "linux", code: "EPERM", reason: "the system means what it says" },
    { platform: "darwin", code: "EACCES", reason: "the system means what it says" },
  ] as const)("is not tried again after $code on $platform: $reason", async ({ platform, code }) => {
    const tries = refuse(1, code);
    await expect(putInPlace(draft, place, platform)).rejects.toThrow(code);
    expect(tries).toHaveBeenCalledTimes(1);
  });
});
