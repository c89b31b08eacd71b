import {
  chmodSync,
  chownSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { run, type Account } from "../../emulator/extras/postgres/account";
import { newFile } from "../../emulator/extras/postgres/files";
import { HostFolder } from "../../emulator/extras/postgres/folder";
import { isWindows } from "../support/systems";

const isRoot = process.getuid?.() === 0;
const whyNot = isRoot ? "" : " (skipped: not root)";
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

/** Computes that are real need Linux or macOS: `getuid` and modes are theirs. */
(isWindows ? describe.skip : describe)("a folder in the system's temporary folder, not on Windows", () => {
  /** Its sockets' folder is there: beside the data its path would be too long for a socket. */
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

  it("is used where it is there, ours and closed", () => {
    mkdirSync(predictable, { mode: 0o700 });
    expect(open().sockets).toBe(predictable);
  });

  it.each<[words: string, kind: "link" | "file" | "open"]>([
    ["but is a link; remove it and try again", "link"],
    ["but is no folder", "file"],
    ["but is open to others (mode 710)", "open"],
  ])("is refused where it is there already, %s", (words, kind) => {
    if (kind === "link") symlinkSync(temporary, predictable);
    else if (kind === "file") writeFileSync(predictable, "");
    else mkdirSync(predictable);
    if (kind === "open") chmodSync(predictable, 0o710);
    expect(open).toThrow(`${predictable} is needed as a folder of its own, ${words}`);
  });
});

(isRoot ? describe : describe.skip)(`a folder whose servers run as another account${whyNot}`, () => {
  const account: Account = { ids: { uid: 12_345, gid: 12_345 } };
  const secret = "root's alone";
  let kept: string;
  let target: string;

  beforeEach(() => {
    chmodSync(root, 0o755);
    chmodSync(temporary, 0o1777);
    kept = path.join(root, "postgres");
    target = path.join(root, "target");
    writeFileSync(target, secret, { mode: 0o600 });
  });

  const open = (): HostFolder => new HostFolder(path.join(root, "state.json"), account);
  const asAccount = (script: string, ...args: readonly string[]): Promise<string> =>
    run("/bin/sh", ["-ec", script, "sh", ...args], { account });
  const isUntouched = (): void => {
    expect(readFileSync(target, "utf8")).toBe(secret);
    expect(statSync(target)).toMatchObject({ uid: 0, gid: 0, mode: 0o100600 });
  };

  it("lets the account put nothing where root writes, reads or removes", async () => {
    const folder = open();
    folder.saveFacts();
    for (const place of [kept, path.dirname(folder.branch("br-1")), folder.compute("ep-1")]) {
      await expect(asAccount('ln -s "$1" "$2/link"', target, place)).rejects.toThrow(/denied/i);
    }
    await expect(asAccount('cat "$1/facts.json"', kept)).rejects.toThrow(/denied/i);
  });

  it.each(["facts.json.new", "computes/ep-1/postgresql.conf", "computes/ep-1/log.txt"])(
    "follows no link that the account left at %s when the folder was its own",
    async (name) => {
      mkdirSync(path.join(kept, "computes/ep-1"), { recursive: true });
      for (const inside of ["", "computes", "computes/ep-1"]) {
        chmodSync(path.join(kept, inside), 0o700);
        chownSync(path.join(kept, inside), 12_345, 12_345);
      }
      await asAccount('ln -s "$1" "$2"', target, path.join(kept, name));
      const folder = open();
      folder.saveFacts();
      folder.write(path.join(folder.compute("ep-1"), "postgresql.conf"), "port = 1");
      const log = newFile(path.join(folder.compute("ep-1"), "log.txt"));
      writeSync(log, "a server's words");
      closeSync(log);
      isUntouched();
      await folder.remove(folder.compute("ep-1"));
      isUntouched();
    },
  );
});

describe("a program for the servers' account", () => {
  it("gets the variables that programs need to start, and no other", async () => {
    process.env["CLOUD_SECRET_KEY"] = "of the caller";
    try {
      const printed = await run("env", [], { account: {} });
      const names = printed
        .trim()
        .split("\n")
        .map((line) => line.split("=")[0]);
      expect(names).toEqual(expect.arrayContaining(["PATH", "LC_ALL", "TZ"]));
      expect(
        names.filter((name) => !/^(PATH|TMPDIR|(DY)?LD_\w+|LC_ALL|TZ|PWD|SHLVL|_)$/.test(name!)),
      ).toEqual([]);
    } finally {
      delete process.env["CLOUD_SECRET_KEY"];
    }
  });
});
