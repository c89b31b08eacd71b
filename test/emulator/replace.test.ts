import { readFileSync, writeFileSync } from "node:fs";
import type * as promisesModule from "node:fs/promises";
import { join } from "node:path";
import { replace } from "../../emulator/service/persistence/replace";
import { temporaryFolder } from "../support/temporaryFolder";

type Promises = typeof promisesModule;

jest.mock("node:fs/promises", () => ({ ...jest.requireActual<Promises>("node:fs/promises") }));

let folder: string;

beforeEach(() => {
  folder = temporaryFolder();
  for (const name of ["new", "old"]) writeFileSync(join(folder, name), name);
});

afterEach(() => jest.restoreAllMocks());

/** As a system answers while another process has the file open. */
function refuse(times: number, code: string): void {
  const { rename } = jest.requireActual<Promises>("node:fs/promises");
  let left = times;
  jest
    .spyOn(jest.requireMock<Promises>("node:fs/promises"), "rename")
    .mockImplementation((from, to) =>
      left-- > 0 ? Promise.reject(Object.assign(new Error(code), { code })) : rename(from, to),
    );
}

describe("a file that is open elsewhere", () => {
  it.each(["EPERM", "EACCES", "EBUSY"])("is replaced a moment later on Windows: %s", async (code) => {
    refuse(2, code);
    await replace(join(folder, "new"), join(folder, "old"), "win32");
    expect(readFileSync(join(folder, "old"), "utf8")).toBe("new");
  });

  it.each([
    { platform: "win32", code: "ENOSPC" },
    { platform: "linux", code: "EACCES" },
  ] as const)("is an error at once where waiting changes nothing: $code on $platform", async (row) => {
    refuse(1, row.code);
    await expect(replace(join(folder, "new"), join(folder, "old"), row.platform)).rejects.toThrow(row.code);
    expect(readFileSync(join(folder, "old"), "utf8")).toBe("old");
  });
});
