/**
 * `node:fs` and `node:fs/promises`, as far as the provider and the mini engine use them, on the small world's disk: nothing
 * is read from this machine, and each change of a file is a moment at which a run may be killed.
 */
import type { SmallFile } from "./smallWorld";

/** The disk that is in use now. */
interface Disk {
  files: ReadonlyMap<string, SmallFile>;
}

let disk: Disk = { files: new Map() };
let beforeChange: () => void = () => undefined;

/** @param onChange - called before a name appears, changes or goes. */
export function useDisk(next: Disk, onChange: () => void): void {
  disk = next;
  beforeChange = onChange;
}

const uid = process.getuid?.() ?? 0;
const opened = new Map<number, string>();
let lastFile = 100;

/** One for all, since most reads look for files that are not there. */
const missing = Object.assign(new Error("ENOENT: no such file"), { code: "ENOENT" });

function fileAt(path: string): SmallFile {
  const file = disk.files.get(path);
  if (file === undefined) throw missing;
  return file;
}

function put(path: string, file: SmallFile): void {
  disk.files = new Map(disk.files).set(path, file);
}

function remove(path: string): void {
  if (!disk.files.has(path)) return;
  beforeChange();
  const files = new Map(disk.files);
  files.delete(path);
  disk.files = files;
}

function openAt(path: string): number {
  lastFile += 1;
  opened.set(lastFile, path);
  return lastFile;
}

function namesIn(folder: string): string[] {
  return [...disk.files.keys()]
    .filter((path) => path.startsWith(`${folder}/`))
    .map((path) => path.slice(folder.length + 1));
}

function settled<T>(act: () => T): Promise<T> {
  return Promise.resolve().then(act);
}

/** In place of `node:fs`. */
export const syncFiles = {
  constants: {},
  openSync: (path: string): number => {
    fileAt(path);
    return openAt(path);
  },
  closeSync: (file: number): void => void opened.delete(file),
  fstatSync: (file: number): object => {
    const { isAnotherUsers } = fileAt(opened.get(file) ?? "");
    return { uid: isAnotherUsers ? uid + 1 : uid, mode: 0o100600, isFile: () => true };
  },
  statSync: (): object => ({ uid }),
  readFileSync: (from: number | string): string =>
    fileAt(typeof from === "number" ? (opened.get(from) ?? "") : from).text,
  readdirSync: namesIn,
  rmSync: remove,
  realpathSync: (path: string): string => path,
  mkdtempSync: (prefix: string): string => `${prefix}x`,
  fsync: (_file: number, done: () => void): void => {
    done();
  },
};

/** In place of `node:fs/promises`. */
export const asyncFiles = {
  mkdir: (): Promise<void> => settled(() => undefined),
  readdir: (folder: string): Promise<string[]> => settled(() => namesIn(folder)),
  rm: (path: string): Promise<void> =>
    settled(() => {
      remove(path);
    }),
  rename: (from: string, to: string): Promise<void> =>
    settled(() => {
      beforeChange();
      const files = new Map(disk.files).set(to, fileAt(from));
      files.delete(from);
      disk.files = files;
    }),
  open: (path: string, flags: string): Promise<object> =>
    settled(() => {
      if (flags === "wx") put(path, { text: "", isAnotherUsers: false });
      return {
        fd: openAt(path),
        writeFile: (text: string) =>
          settled(() => {
            put(path, { text, isAnotherUsers: false });
          }),
        close: () => settled(() => undefined),
      };
    }),
};
