import os, { homedir } from "node:os";
import path from "node:path";
import { keepCompiledCode } from "../../../../provider/host/compileCache";

describe("compiled code", () => {
  const own = path.join("pulumi-compute-endpoint", "compiled");
  const named = path.resolve("caches");

  it.each([
    { environment: { XDG_CACHE_HOME: named }, in: named, reason: "the folder that the user names" },
    { environment: {}, in: path.join(homedir(), ".cache"), reason: "the default" },
    { environment: { XDG_CACHE_HOME: "" }, in: path.join(homedir(), ".cache"), reason: "no name" },
    { environment: { XDG_CACHE_HOME: "a" }, in: path.join(homedir(), ".cache"), reason: "no whole path" },
  ])("is kept in the user's cache folder: $reason", ({ environment, in: folder }) => {
    const folders: string[] = [];
    keepCompiledCode(environment, { enableCompileCache: (given) => folders.push(given) });
    expect(folders).toEqual([path.join(folder, own)]);
  });

  it("is kept in the account's own folder where HOME is empty", () => {
    const home = jest.spyOn(os, "homedir").mockReturnValue("");
    const folders: string[] = [];
    keepCompiledCode({}, { enableCompileCache: (given) => folders.push(given) });
    home.mockRestore();
    expect(folders).toEqual([path.join(os.userInfo().homedir, ".cache", own)]);
  });

  it("is not kept where Node cannot do that", () => {
    expect(() => {
      keepCompiledCode({ XDG_CACHE_HOME: named }, {});
    }).not.toThrow();
  });
});
