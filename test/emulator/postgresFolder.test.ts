import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Account } from "../../emulator/postgres/account";
import { HostFolder } from "../../emulator/postgres/folder";
import { isWindows } from "../support/systems";

const isRoot = process.getuid?.() === 0;
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

/** Computes that are real need Linux or macOS: `getuid` and modes are theirs. */
const describeEach = (isWindows ? describe.skip : describe).each;

describeEach([
  { folder: "the sockets' folder", open: withFarSockets, of: (host: HostFolder) => host.sockets },
  { folder: "the data's folder", open: withFarData, of: (host: HostFolder) => host.path },
])(
  `$folder in the system's temporary folder${isWindows ? " (skipped: not on Windows)" : ""}`,
  ({ open, of }) => {
    let predictable: string;

    beforeEach(() => {
      const first = open();
      predictable = of(first);
      expect(path.dirname(predictable)).toBe(temporary);
      expect(statSync(predictable).mode & 0o777).toBe(0o700);
      first.close();
      rmSync(predictable, { recursive: true, force: true });
    });

    it("is used where it is there, ours and closed", () => {
      mkdirSync(predictable, { mode: 0o700 });
      expect(of(open())).toBe(predictable);
    });

    it("is refused where it is a link, also one to a folder of ours", () => {
      mkdirSync(path.join(root, "ours"), { mode: 0o700 });
      symlinkSync(path.join(root, "ours"), predictable);
      expect(open).toThrow(
        `${predictable} is needed as a folder of its own, but is a link; remove it and try again`,
      );
    });

    it("is refused where it is a link that leads nowhere yet", () => {
      symlinkSync(path.join(root, "later"), predictable);
      expect(open).toThrow("but is a link");
    });

    it("is refused where it is a file", () => {
      writeFileSync(predictable, "");
      expect(open).toThrow("but is no folder");
    });

    it("is refused where others get into it", () => {
      mkdirSync(predictable);
      chmodSync(predictable, 0o710);
      expect(open).toThrow("but is open to others (mode 710)");
    });

    const itAsRoot = isRoot ? it : it.skip;
    itAsRoot(
      `is refused where it is somebody else's${isRoot ? "" : " (skipped: only root can make one)"}`,
      () => {
        mkdirSync(predictable, { mode: 0o700 });
        chownSync(predictable, 12_345, 12_345);
        expect(open).toThrow("but belongs to somebody else");
      },
    );
  },
);
