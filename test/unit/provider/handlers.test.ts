import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createHandlers, type EndpointHandlers } from "../../../provider";
import { createJournal, ownerOf, type JournalEntry } from "../../../provider/endpoint/journal";

const baseUrl = "http://127.0.0.1:9";
const urnOf = (name: string): string =>
  `urn:pulumi:dev::app::pulumi-nodejs:dynamic/compute:Endpoint::${name}`;

const declared = { projectId: "calm-river-1", branchId: "br-calm-river-1", type: "read_only" };
const stored = { ...declared, endpointId: "ep-a", __managed: Object.keys(declared), __urn: urnOf("old") };

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "compute-handlers-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function configured(): EndpointHandlers {
  const handlers = createHandlers(undefined);
  const stack: Readonly<Record<string, string>> = {
    "compute:apiKey": "local-key",
    "compute:baseUrl": baseUrl,
    "compute:journalFolder": folder,
  };
  handlers.configure({ config: { get: (key) => stack[key] } });
  return handlers;
}

/** Writes the entry of a create that an earlier run has ended. */
async function entryFor(urn: string, more: Partial<JournalEntry> = {}): Promise<() => Promise<unknown>> {
  const owner = ownerOf(urn, { baseUrl, folder: process.cwd() }) ?? "";
  const journal = createJournal(folder, Date.now);
  await journal.write({
    owner,
    projectId: declared.projectId,
    branchId: declared.branchId,
    type: "read_only",
    baseline: [],
    intentAtMs: Date.now(),
    replaces: false,
    endpointId: "ep-a",
    ...more,
  });
  return () => journal.find(owner);
}

describe("the journal entry of a create", () => {
  it("is forgotten once a diff shows its compute in the state", async () => {
    const left = await entryFor(urnOf("old"));
    await configured().diff("ep-a", stored, { ...declared, __urn: urnOf("old") });
    await expect(left()).resolves.toBeUndefined();
  });

  it("is forgotten after a rename, though the resource has another URN now", async () => {
    const left = await entryFor(urnOf("old"));
    await configured().diff("ep-a", stored, { ...declared, __urn: urnOf("new") });
    await expect(left()).resolves.toBeUndefined();
  });

  it("is forgotten where a check alone shows the resource in the state", async () => {
    const left = await entryFor(urnOf("old"));
    await configured().check({ ...declared, __urn: urnOf("old") }, { ...declared, __urn: urnOf("new") });
    await expect(left()).resolves.toBeUndefined();
  });

  it.each([
    { more: { endpointId: "ep-b" }, reason: "its compute is not the one in the state" },
    { more: { endpointId: undefined }, reason: "its compute is not known yet" },
  ])("is kept while $reason", async ({ more }) => {
    const left = await entryFor(urnOf("old"), more);
    await configured().diff("ep-a", stored, { ...declared, __urn: urnOf("old") });
    await expect(left()).resolves.toBeDefined();
  });
});
