import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { run } from "../extras/postgres/account";
import { HostFolder } from "../extras/postgres/folder";
import { isWindows } from "../../test/support/systems";

let root: string;
let temporary: string;

beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), "compute-folder-"));
  temporary = path.join(root, "tmp");
  mkdirSync(temporary);
  jest.spyOn(os, "tmpdir").mockReturnValue(temporary);
});

afterEach(() => {
  jest.restoreAllMocks();
  rmSync(root, { recursive: true, force: true });
});

/** Real computes need Linux or macOS, since only these have `getuid` and file modes. */
(isWindows ? describe.skip : describe)(
  "the folder of sockets in the system's temporary folder (not on Windows)",
  () => {
    /** The folder of sockets is in the temporary folder: beside the data, its path would be too long for a socket. */
    const open = (): HostFolder => new HostFolder(path.join(root, "long".repeat(30), "state.json"), {});
    let predictable: string;

    beforeEach(async () => {
      const first = open();
      predictable = first.sockets;
      expect(path.dirname(predictable)).toBe(temporary);
      expect(statSync(predictable).mode & 0o777).toBe(0o700);
      await first.close();
      rmSync(predictable, { recursive: true, force: true });
    });

    it("is used if it exists, belongs to us and is closed to others", () => {
      mkdirSync(predictable, { mode: 0o700 });
      expect(open().sockets).toBe(predictable);
    });

    it.each<[words: string, kind: "link" | "file" | "open"]>([
      ["but it is a link; remove it and try again", "link"],
      ["but it is not a folder", "file"],
      ["but it is open to others (mode 710)", "open"],
    ])("is refused if it already exists, %s", (words, kind) => {
      if (kind === "link") symlinkSync(temporary, predictable);
      else if (kind === "file") writeFileSync(predictable, "");
      else mkdirSync(predictable);
      if (kind === "open") chmodSync(predictable, 0o710);
      expect(open).toThrow(`${predictable} must be a folder that only the emulator uses, ${words}`);
    });
  },
);

it("a program that runs under the servers' account gets only the variables that programs need to start", async () => {
  process.env["CLOUD_SECRET_KEY"] = "of the caller";
  const printed = await run("env", [], { account: {} }).finally(() => {
    delete process.env["CLOUD_SECRET_KEY"];
  });
  const names = printed
    .trim()
    .split("\n")
    .map((line) => line.split("=")[0]!);
  expect(names).toEqual(expect.arrayContaining(["PATH", "LC_ALL", "TZ"]));
  const needed = /^(PATH|TMPDIR|(DY)?LD_\w+|LC_ALL|TZ|PWD|SHLVL|_)$/;
  expect(names.filter((name) => !needed.test(name))).toEqual([]);
});
