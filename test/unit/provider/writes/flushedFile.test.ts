import type * as fsModule from "node:fs";
import { fstatSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import type * as timersModule from "node:timers/promises";
import promises, { open, type FileHandle } from "node:fs/promises";
import path from "node:path";
import { putInPlace, writeFlushed } from "../../../../provider/writes/flushedFile";
import { createJournal } from "../../../../provider/writes/journal";
import { noteTakeovers } from "../../../../provider/writes/takeovers";
import { temporaryFolder } from "../../../support/temporaryFolder";

type Fs = typeof fsModule;

type Timers = typeof timersModule;

/** What was flushed, in this order. */
const mockFlushed: string[] = [];
/** What the disk has not answered; undefined for a disk that answers. */
const mockDisk: { answers?: fsModule.NoParamCallback[] | undefined } = {};
jest.mock("node:fs", () => {
  const fs = jest.requireActual<Fs>("node:fs");
  const fsync = (descriptor: number, done: fsModule.NoParamCallback): void => {
    if (mockDisk.answers !== undefined) {
      mockDisk.answers.push(done);
      return;
    }
    mockFlushed.push(fstatSync(descriptor).isDirectory() ? "folder" : "file");
    fs.fsync(descriptor, done);
  };
  return { ...fs, fsync };
});

let home: string;

beforeEach(() => {
  home = temporaryFolder();
  mockFlushed.length = 0;
});
afterEach(() => jest.restoreAllMocks());

it("flushes the file, and then the folder that it was put into", async () => {
  await writeFlushed(home, "note.json", { one: 1 });
  expect(mockFlushed).toEqual(process.platform === "win32" ? ["file"] : ["file", "folder"]);
  expect(readdirSync(home)).toEqual(["note.json"]);
  expect(readFileSync(path.join(home, "note.json"), "utf8")).toBe('{"one":1}');
});

it("needs no sync of the file's handle: under Yarn's Plug'n'Play that is not implemented", async () => {
  const some = await open(home, "r");
  const handles = Object.getPrototypeOf(some) as FileHandle;
  await some.close();
  jest.spyOn(handles, "sync").mockImplementation(() => {
    throw new Error("Method not implemented.");
  });
  await expect(writeFlushed(home, "note.json", {})).resolves.toBeUndefined();
});

it("gives up a disk that does not answer within 10 s, and leaves no file if it answers later", async () => {
  const { setImmediate: turn } = jest.requireActual<Timers>("node:timers/promises");
  const waiting = (mockDisk.answers = [] as fsModule.NoParamCallback[]);
  jest.useFakeTimers();
  try {
    const written = writeFlushed(home, "note.json", {}).catch((error: unknown) => error);
    while (waiting.length === 0) await turn();
    jest.advanceTimersByTime(10_000);
    expect(await written).toEqual(new Error(`${home} did not answer within 10 s`));
    mockDisk.answers = undefined;
    waiting[0]!(null);
    while (readdirSync(home).length > 0) await turn();
  } finally {
    jest.useRealTimers();
  }
  expect(mockFlushed).toEqual([]);
});

it("reads nothing of a disk that hangs, waits for it once, and says so when something is to be written", async () => {
  const asked: unknown[] = [];
  const hangs = (...what: readonly unknown[]): Promise<never> => {
    asked.push(what[0]);
    return new Promise(() => undefined);
  };
  for (const name of ["stat", "open", "readdir", "rm"] as const)
    jest.spyOn(promises, name).mockImplementation(hangs);
  const journal = createJournal(home, () => 0);
  const notes = noteTakeovers(home, "http://127.0.0.1:9");
  const owner = "0".repeat(32);
  const ref = { projectId: "p", endpointId: "ep-a" };
  const steps = [
    () => journal.find(owner),
    () => journal.all(),
    () => journal.clear(owner),
    () => journal.report(owner),
    () => notes.of(ref),
    () => notes.byAnother(ref, ["urn:a"]),
    () => notes.clear(ref),
  ];
  jest.useFakeTimers();
  try {
    const first = Promise.all(steps.map((step) => step()));
    jest.advanceTimersByTime(10_000);
    // No entries, and nothing else.
    expect((await first).filter((answer) => answer !== undefined)).toEqual([[]]);
    await Promise.all(steps.map((step) => step()));
    await expect(notes.note(ref, "urn:a")).rejects.toThrow(`${home} did not answer within 10 s`);
    journal.settle();
  } finally {
    jest.useRealTimers();
  }
  // Node has four threads for files, which requests need as well: one may hang.
  expect(asked).toEqual([home]);
});

describe("a file that replaces another", () => {
  /** As Windows answers while another process has the file open. @returns how often it is tried, and what is there then */
  async function replace(
    refusals: number,
    { code, platform }: { readonly code: string; readonly platform: NodeJS.Platform },
  ): Promise<readonly [tries: number, left: readonly string[], error: string | undefined]> {
    const [draft, place] = [path.join(home, "draft"), path.join(home, "place")];
    for (const file of [draft, place]) writeFileSync(file, path.basename(file));
    const { rename } = promises;
    let tries = 0;
    jest
      .spyOn(promises, "rename")
      .mockImplementation((from, to) =>
        ++tries <= refusals ? Promise.reject(Object.assign(new Error(code), { code })) : rename(from, to),
      );
    const error = await putInPlace(draft, place, platform).then(
      () => undefined,
      (thrown: unknown) => (thrown as Error).message,
    );
    return [tries, readdirSync(home).map((name) => readFileSync(path.join(home, name), "utf8")), error];
  }

  it.each(["EPERM", "EACCES", "EBUSY"])("is tried again on Windows, where %s may pass", async (code) => {
    expect(await replace(3, { code, platform: "win32" })).toEqual([4, ["draft"], undefined]);
  });

  it.each([
    { platform: "win32", code: "EPERM", tries: 8, reason: "nothing changes" },
    { platform: "win32", code: "ENOSPC", tries: 1, reason: "no other process is to blame" },
    { platform: "linux", code: "EPERM", tries: 1, reason: "the system means what it says" },
    { platform: "darwin", code: "EACCES", tries: 1, reason: "the system means what it says" },
  ] as const)(
    "is given up after $tries times $code on $platform: $reason",
    async ({ tries, code, platform }) => {
      expect(await replace(100, { code, platform })).toEqual([tries, ["draft", "place"], code]);
    },
  );
});
