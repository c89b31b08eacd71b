import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { execFileSync } from "node:child_process";
import path from "node:path";
import { createJournal, type JournalEntry } from "../../../../provider/writes/journal";
import { noteTakeovers } from "../../../../provider/writes/takeovers";
import { describeUnlessWindows } from "../../../support/systems";
import { temporaryFolder } from "../../../support/temporaryFolder";

const owner = "a".repeat(32);
const other = "b".repeat(32);
const entry: JournalEntry = {
  owner,
  projectId: "p",
  branchId: "br-a",
  type: "read_write",
  baseline: [],
  intentAtMs: 1_000_000,
  endpointId: "ep-a",
};

let home: string;
let folder: string;

beforeEach(() => {
  home = temporaryFolder();
  folder = path.join(home, "journal");
  mkdirSync(folder, { mode: 0o700 });
});
afterEach(() => jest.restoreAllMocks());

const journal = (): ReturnType<typeof createJournal> => createJournal(folder, () => entry.intentAtMs);
const place = (name: string): string => path.join(folder, name);
const put = (name: string, content: unknown): void => {
  writeFileSync(place(name), JSON.stringify(content), { mode: 0o600 });
};

async function expectNothingBelieved(): Promise<void> {
  await expect(journal().find(owner)).resolves.toBeUndefined();
  await expect(journal().all()).resolves.toEqual([]);
}

describe("an entry of the journal", () => {
  it.each(["../victim", "../../home/victim", "victim", ""])(
    "is none where it names %j for its owner, and nothing is removed for it",
    async (named) => {
      const victim = path.join(home, "victim.json");
      writeFileSync(victim, "{}");
      put(`${owner}.json`, { ...entry, owner: named });
      put("victim.json", { ...entry, owner: named });
      await expectNothingBelieved();
      await journal().forget(owner, "ep-a");
      const own = journal();
      await own.report(named);
      own.settle();
      await journal()
        .clear(named)
        .catch(() => undefined);
      expect(existsSync(victim)).toBe(true);
      expect(readdirSync(folder).sort()).toEqual([`${owner}.json`, "victim.json"]);
    },
  );

  it("is none under the name of another owner", async () => {
    put(`${other}.json`, entry);
    await expect(journal().find(other)).resolves.toBeUndefined();
    await expect(journal().all()).resolves.toEqual([]);
  });

  it("is never written outside the folder", async () => {
    await expect(journal().write({ ...entry, owner: "../victim" })).rejects.toThrow("must be a hash");
    expect(readdirSync(home)).toEqual(["journal"]);
  });
});

describeUnlessWindows("files have no owners and modes there", "a file that others may have written", () => {
  it.each<{ reason: string; make: (file: string) => unknown }>([
    {
      reason: "a link",
      make: (file) => {
        symlinkSync(path.join(home, "planted"), file);
      },
    },
    {
      reason: "writable by its group",
      make: (file) => {
        chmodSync(written(file), 0o620);
      },
    },
    {
      reason: "writable by all",
      make: (file) => {
        chmodSync(written(file), 0o602);
      },
    },
    { reason: "a pipe", make: (file) => execFileSync("mkfifo", [file]) },
    {
      reason: "a folder",
      make: (file) => {
        mkdirSync(file);
      },
    },
  ])("counts as missing: $reason", async ({ make }) => {
    written(path.join(home, "planted"));
    make(place(`${owner}.json`));
    await expectNothingBelieved();
  });

  it("counts as missing where it is another user's", async () => {
    written(place(`${owner}.json`));
    await expect(journal().find(owner)).resolves.toEqual(entry);
    jest.spyOn(process, "getuid").mockReturnValue(process.getuid!() + 1);
    await expectNothingBelieved();
  });

  it("is not written into the folder of another user, which is said", async () => {
    jest.spyOn(process, "getuid").mockReturnValue(process.getuid!() + 1);
    await expect(journal().write(entry)).rejects.toThrow(`${folder} belongs to another user`);
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    { by: "its group", mode: 0o770 },
    { by: "all", mode: 0o1777 },
  ])("counts as missing in a folder that $by can write, and none is written there", async ({ mode }) => {
    put(`${owner}.json`, entry);
    await expect(journal().find(owner)).resolves.toEqual(entry);
    chmodSync(folder, mode);
    await expectNothingBelieved();
    await expect(journal().write(entry)).rejects.toThrow(
      `${folder} can be written by other users (chmod go-w)`,
    );
    chmodSync(folder, 0o700);
    await expect(journal().write(entry)).resolves.toBeUndefined();
  });

  it("is replaced, and not what it leads to", async () => {
    const victim = path.join(home, "victim");
    writeFileSync(victim, "kept");
    symlinkSync(victim, place(`${owner}.json`));
    await journal().write(entry);
    await expect(journal().find(owner)).resolves.toEqual(entry);
    await journal().clear(owner);
    expect(readdirSync(home).sort()).toEqual(["journal", "victim"]);
  });

  function written(file: string): string {
    writeFileSync(file, JSON.stringify(entry), { mode: 0o600 });
    return file;
  }
});

describeUnlessWindows("links need rights there", "a note of a takeover", () => {
  const ref = { projectId: "p", endpointId: "ep-a" };
  const notes = (): ReturnType<typeof noteTakeovers> => noteTakeovers(folder, "http://127.0.0.1:9");

  it("counts for its own compute alone, wherever its file was put", async () => {
    await notes().note({ ...ref, endpointId: "ep-b" }, "urn:heir");
    const [file = ""] = readdirSync(folder);
    await notes().note(ref, "urn:heir");
    const own = readdirSync(folder).find((name) => name !== file) ?? "";
    renameSync(place(file), place(own));
    await expect(notes().byAnother(ref, ["urn:old"])).resolves.toBeUndefined();
  });

  it("counts for nothing where it is a link", async () => {
    await notes().note(ref, "urn:heir");
    const [file = ""] = readdirSync(folder);
    linkSync(place(file), path.join(home, "note"));
    rmSync(place(file));
    symlinkSync(path.join(home, "note"), place(file));
    await expect(notes().byAnother(ref, ["urn:old"])).resolves.toBeUndefined();
  });
});
