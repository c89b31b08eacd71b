import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import type * as fsModule from "node:fs";
import path from "node:path";
import { readConfig } from "../../../../provider/settings/config";
import { createJournal, type JournalEntry } from "../../../../provider/writes/journal";
import { openJournal, ownerOf } from "../../../../provider/writes/openJournal";
import { noteTakeovers } from "../../../../provider/writes/takeovers";
import { createFakeClock } from "../../../support/fakeClock";
import { itUnlessWindows } from "../../../support/systems";
import { temporaryFolder } from "../../../support/temporaryFolder";

type Files = typeof fsModule;

jest.mock("node:fs", () => ({ ...jest.requireActual<Files>("node:fs") }));

/** An owner as `ownerOf` names one. */
const hash = (name: string): string => name.padEnd(32, "0");
const [a1, b2] = [hash("a1"), hash("b2")];

const entry: JournalEntry = {
  owner: a1,
  projectId: "calm-river-1",
  branchId: "br-a",
  type: "read_write",
  baseline: ["ep-old"],
  intentAtMs: 1_000_000,
};
const dayMs = 24 * 3600 * 1000;

let folder: string;

beforeEach(() => {
  folder = path.join(temporaryFolder(), "deep", "journal");
});

const journalAt = (nowMs = entry.intentAtMs): ReturnType<typeof createJournal> =>
  createJournal(folder, () => nowMs);

describe("createJournal", () => {
  it("finds nothing where nothing was written, or the folder is not there", async () => {
    await expect(journalAt().find(a1)).resolves.toBeUndefined();
    await expect(journalAt().all()).resolves.toEqual([]);
  });

  itUnlessWindows("a file has no mode there", "lets nobody else read", async () => {
    await journalAt().write(entry);
    expect(statSync(path.join(folder, `${a1}.json`)).mode & 0o077).toBe(0);
    expect(statSync(folder).mode & 0o077).toBe(0);
  });

  it("holds ids and times, and nothing else", async () => {
    await journalAt().write(entry);
    expect(JSON.parse(readFileSync(path.join(folder, `${a1}.json`), "utf8"))).toEqual(entry);
  });

  it("stays whole with many writers of one entry at once", async () => {
    const ids = Array.from({ length: 20 }, (_, index) => `ep-${index}`);
    await Promise.all(ids.map((endpointId) => journalAt().write({ ...entry, endpointId })));
    const found = await journalAt().find(a1);
    expect(ids).toContain(found?.endpointId);
    expect(readdirSync(folder)).toEqual([`${a1}.json`]);
  });

  it.each([
    { text: "", reason: "an empty file" },
    { text: '{"owner":"a1","projec', reason: "a file cut off" },
    { text: "null", reason: "JSON of another shape" },
    { text: JSON.stringify({ ...entry, type: "other" }), reason: "a type nobody knows" },
    { text: JSON.stringify({ ...entry, intentAtMs: "yesterday" }), reason: "a time that is none" },
  ])("takes an unreadable entry for a lost one: $reason", async ({ text }) => {
    await journalAt().write({ ...entry, owner: b2 });
    writeFileSync(path.join(folder, `${a1}.json`), text);
    await expect(journalAt().find(a1)).resolves.toBeUndefined();
    await expect(journalAt().all()).resolves.toMatchObject([{ owner: b2 }]);
  });

  it("forgets an entry nobody came back for in ninety days, and removes its file", async () => {
    await journalAt().write(entry);
    await expect(journalAt(entry.intentAtMs + 90 * dayMs - 1).find(a1)).resolves.toEqual(entry);
    await expect(journalAt(entry.intentAtMs + 90 * dayMs).find(a1)).resolves.toBeUndefined();
    expect(existsSync(path.join(folder, `${a1}.json`))).toBe(false);
  });

  it("ends a process in good order where an entry cannot be removed, as on Windows while another has it open", async () => {
    const journal = journalAt();
    for (const owner of [a1, b2]) {
      await journal.write({ ...entry, owner, endpointId: "ep-a" });
      await journal.report(owner);
    }
    const { rmSync: remove } = jest.requireActual<Files>("node:fs");
    const removals = jest
      .spyOn(jest.requireMock<Files>("node:fs"), "rmSync")
      .mockImplementation((file, how) => {
        if (String(file).endsWith(`${a1}.json`)) throw Object.assign(new Error("EPERM"), { code: "EPERM" });
        remove(file, how);
      });
    journal.settle();
    removals.mockRestore();
    expect(readdirSync(folder)).toEqual([`${a1}.json`]);
  });

  it("rejects a write where the folder cannot be made", async () => {
    writeFileSync(path.join(path.dirname(path.dirname(folder)), "deep"), "a file in the way");
    await expect(journalAt().write(entry)).rejects.toThrow();
  });
});

describe("ownerOf", () => {
  const place = { baseUrl: "https://api.example.com", backend: "file:///states" };
  const urn = "urn:pulumi:dev::app::pulumi-nodejs:dynamic/compute:Endpoint::db";

  it("is the same for the same resource of the same program on the same service", () => {
    expect(ownerOf(urn, place)).toBe(ownerOf(urn, { ...place }));
  });

  it.each([
    ["another resource", ownerOf(`${urn}2`, place)],
    ["another service", ownerOf(urn, { ...place, baseUrl: "https://other.example.com" })],
    ["a stack of its name on another backend", ownerOf(urn, { ...place, backend: "file:///others" })],
  ])("tells %s apart", (_reason, other) => {
    expect(other).not.toBe(ownerOf(urn, place));
  });

  it("can be the name of a file, and shows nothing of the resource", () => {
    expect(ownerOf(urn, place)).toMatch(/^[0-9a-f]{32}$/);
  });

  it("is nobody without a URN", () => {
    const values: Readonly<Record<string, string>> = {
      "compute:apiKey": "key",
      "compute:baseUrl": "http://localhost",
    };
    const { ownerOf: owner } = openJournal(
      readConfig((key) => values[key]),
      createFakeClock(),
    );
    expect(owner(urn)).toMatch(/^[0-9a-f]{32}$/);
    expect(owner(undefined)).toBeUndefined();
  });
});

describe("a note of a takeover", () => {
  const ref = { projectId: "p", endpointId: "ep-a" };
  let notes: ReturnType<typeof noteTakeovers>;
  beforeEach(() => (notes = noteTakeovers(folder, "http://127.0.0.1:9")));

  it("names another resource until its own one has the name as well, or deletes the compute", async () => {
    await expect(notes.byAnother(ref, ["urn:old"])).resolves.toBeUndefined();
    await notes.note(ref, "urn:heir");
    await expect(notes.byAnother(ref, ["urn:heir"])).resolves.toBeUndefined();
    await expect(notes.byAnother(ref, ["urn:old"])).resolves.toMatch(/\.takeover$/);
    await expect(notes.byAnother({ ...ref, projectId: "q" }, ["urn:old"])).resolves.toBeUndefined();
    await notes.addName(ref, { known: "urn:nobody", also: "urn:old" });
    await expect(notes.byAnother(ref, ["urn:old"])).resolves.toMatch(/\.takeover$/);
    await notes.addName(ref, { known: "urn:heir", also: "urn:renamed" });
    await expect(notes.byAnother(ref, ["urn:renamed"])).resolves.toBeUndefined();
    await expect(notes.byAnother(ref, ["urn:heir"])).resolves.toBeUndefined();
    await notes.clear(ref);
    await expect(notes.byAnother(ref, ["urn:old"])).resolves.toBeUndefined();
  });

  it("knows a resource by any of its names, as after a rename that no diff has seen", async () => {
    await notes.note(ref, "urn:heir");
    await expect(notes.byAnother(ref, ["urn:renamed", "urn:heir"])).resolves.toBeUndefined();
    await expect(notes.byAnother(ref, ["urn:renamed", "urn:old"])).resolves.toMatch(/\.takeover$/);
    await expect(notes.byAnother(ref, [undefined])).resolves.toMatch(/\.takeover$/);
  });

  it("stops who gave the compute up alone, where that is known", async () => {
    await notes.note(ref, "urn:heir", ["urn:old"]);
    await expect(notes.byAnother(ref, ["urn:old"])).resolves.toMatch(/\.takeover$/);
    await expect(notes.byAnother(ref, ["urn:renamed", "urn:old"])).resolves.toMatch(/\.takeover$/);
    await expect(notes.byAnother(ref, ["urn:heir-of-another-name"])).resolves.toBeUndefined();
    await notes.addName(ref, { known: "urn:heir", also: "urn:renamed" });
    await expect(notes.byAnother(ref, ["urn:old"])).resolves.toMatch(/\.takeover$/);
  });

  it("is of no use where it cannot be read", async () => {
    await notes.note(ref, "urn:heir");
    const [file] = readdirSync(folder);
    writeFileSync(path.join(folder, file!), "{");
    await expect(notes.byAnother(ref, ["urn:old"])).resolves.toBeUndefined();
  });
});
