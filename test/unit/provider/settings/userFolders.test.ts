import os, { homedir } from "node:os";
import path from "node:path";
import { cacheHome } from "../../../../provider/settings/userFolders";

const named = path.resolve("caches");

it.each([
  { environment: { XDG_CACHE_HOME: named }, in: named, reason: "the folder that the user names" },
  { environment: {}, in: path.join(homedir(), ".cache"), reason: "the default" },
  { environment: { XDG_CACHE_HOME: "" }, in: path.join(homedir(), ".cache"), reason: "no name" },
  { environment: { XDG_CACHE_HOME: "a" }, in: path.join(homedir(), ".cache"), reason: "no whole path" },
])("the user's cache folder: $reason", ({ environment, in: home }) => {
  expect(cacheHome(environment)).toBe(home);
});

it("the user's cache folder is in the account's own folder if HOME is empty", () => {
  const home = jest.spyOn(os, "homedir").mockReturnValue("");
  const found = cacheHome({});
  home.mockRestore();
  expect(found).toBe(path.join(os.userInfo().homedir, ".cache"));
});
