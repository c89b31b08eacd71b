import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
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
import { HostFolder, removeLeftovers } from "../../emulator/extras/postgres/folder";
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

/** Its sockets' folder is in the temporary folder: beside the data its path would be too long for a socket. */
function withFarSockets(): HostFolder {
  return new HostFolder(path.join(root, "long".repeat(30), "state.json"), {});
}

/** Its data are in the temporary folder: the account does not get to where the state file is. */
function withFarData(): HostFolder {
  const closed = path.join(root, "closed");
  mkdirSync(closed, { recursive: true, mode: 0o600 });
  const account: Account = { ids: { uid: process.getuid!(), gid: process.getgid!() } };
  return new HostFolder(path.join(closed, "state.json"), account);
}

const linkTo =
  (name: string) =>
  (at: string): void => {
    symlinkSync(path.join(root, name), at);
  };

/** Computes that are real need Linux or macOS: `getuid` and modes are theirs. */
const describeEach = (isWindows ? describe.skip : describe).each;

describeEach([
  { folder: "the sockets' folder", open: withFarSockets, of: (host: HostFolder) => host.sockets },
  { folder: "the data's folder", open: withFarData, of: (host: HostFolder) => host.path },
])(
  `$folder in the system's temporary folder${isWindows ? " (skipped: not on Windows)" : ""}`,
  ({ open, of }) => {
    let predictable: string;

    beforeEach(async () => {
      const first = open();
      predictable = of(first);
      expect(path.dirname(predictable)).toBe(temporary);
      expect(statSync(predictable).mode & 0o777).toBe(0o700);
      await first.close();
      rmSync(predictable, { recursive: true, force: true });
    });

    it("is used where it is there, ours and closed", () => {
      mkdirSync(predictable, { mode: 0o700 });
      expect(of(open())).toBe(predictable);
    });

    it.each([
      {
        words: "but is a link; remove it and try again",
        reason: "a link to a folder of ours",
        make: linkTo("tmp"),
      },
      { words: "but is a link", reason: "a link that leads nowhere yet", make: linkTo("later") },
      {
        words: "but is no folder",
        reason: "a file",
        make: (at: string) => {
          writeFileSync(at, "");
        },
      },
      {
        words: "but is open to others (mode 710)",
        reason: "others get into it",
        make: (at: string) => {
          mkdirSync(at);
          chmodSync(at, 0o710);
        },
      },
    ])("is refused where it is there already: $reason", ({ words, make }) => {
      make(predictable);
      expect(open).toThrow(`${predictable} is needed as a folder of its own, ${words}`);
    });

    const itAsRoot = isRoot ? it : it.skip;
    itAsRoot(
      `is refused where it is somebody else's${isRoot ? "" : " (skipped: only root can make one)"}`,
      () => {
        mkdirSync(predictable, { mode: 0o700 });
        chownSync(predictable, 12_345, 12_345);
        expect(open).toThrow("but belongs to another user");
      },
    );
  },
);

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

  it("gives the account what it needs: its configuration to read, its data and sockets to write", async () => {
    const folder = open();
    const configuration = path.join(folder.compute("ep-1"), "postgresql.conf");
    folder.write(configuration, "port = 1");
    const data = path.join(folder.compute("ep-1"), "data");
    await folder.newData(data);
    expect(
      await asAccount('cat "$1"; touch "$2/PG_VERSION" "$3/.s"', configuration, data, folder.sockets),
    ).toBe("port = 1");
    await folder.remove(folder.compute("ep-1"));
    expect(existsSync(path.join(kept, "computes/ep-1"))).toBe(false);
    await folder.close();
    expect(existsSync(folder.sockets)).toBe(false);
  });

  it("lets the account put nothing where root writes, reads or removes", async () => {
    const folder = open();
    folder.saveFacts();
    for (const place of [kept, path.dirname(folder.branch("br-1")), folder.compute("ep-1")]) {
      await expect(asAccount('ln -s "$1" "$2/link"', target, place)).rejects.toThrow(/denied/i);
    }
    await expect(asAccount('cat "$1/facts.json"', kept)).rejects.toThrow(/denied/i);
  });

  it.each([
    "facts.json.new",
    "facts.json.tmp",
    "computes/ep-1/postgresql.conf",
    "computes/ep-1/postgresql.conf.new",
    "computes/ep-1/log.txt",
  ])("follows no link that the account left at %s when the folder was its own", async (name) => {
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
  });

  it("takes no facts from a link or from the account", () => {
    open();
    symlinkSync(target, path.join(kept, "facts.json"));
    expect(open).toThrow(/ELOOP|too many symbolic links/);
    rmSync(path.join(kept, "facts.json"));
    writeFileSync(path.join(kept, "facts.json"), "{}");
    chownSync(path.join(kept, "facts.json"), 12_345, 12_345);
    expect(open).toThrow("belongs to another user");
  });

  it("removes what killed processes left in the temporary folder, and nothing of other users", async () => {
    const gone = 4_194_305;
    const ours = path.join(temporary, `compute-postgres-${gone}-ours`);
    const earlier = path.join(temporary, `compute-postgres-${gone}-earlier`);
    const strange = path.join(temporary, `compute-postgres-${gone}-strange`);
    for (const folder of [ours, earlier, strange]) mkdirSync(path.join(folder, "deep"), { recursive: true });
    for (const folder of [earlier, path.join(earlier, "deep")]) chownSync(folder, 12_345, 12_345);
    await asAccount('ln -s "$2" "$1/deep/link"', earlier, root);
    for (const folder of [strange, path.join(strange, "deep")]) chownSync(folder, 54_321, 54_321);
    await removeLeftovers(account);
    expect([ours, earlier, strange].map((folder) => existsSync(folder))).toEqual([false, false, true]);
    isUntouched();
  });
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

it("takes no id that would lead to another folder", () => {
  const folder = new HostFolder(path.join(root, "state.json"), {});
  for (const id of ["..", "../up", "a/b", ""])
    expect(() => folder.branch(id)).toThrow("can't be the name of a folder");
});
