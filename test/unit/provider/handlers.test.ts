import { readConfig } from "../../../provider/settings/config";
import { createJournal } from "../../../provider/writes/journal";
import { ownerOf } from "../../../provider/writes/openJournal";
import { variants, urnOf as urnAt } from "../../support/variants";
import { openHandlers, type Handlers } from "../../support/providerHandlers";
import { bench } from "./lifecycle/eachTest";

const baseUrl = "http://127.0.0.1:9";

const declared = { projectId: "calm-river-1", branchId: "br-calm-river-1", type: "read_only" };

/** Writes the entry of a create that an earlier run has ended. */
async function entryFor(urn: string): Promise<() => Promise<unknown>> {
  const owner = ownerOf(urn, { baseUrl, backend: readConfig(() => undefined).backend });
  const now = bench.clock.now();
  const journal = createJournal(bench.journalFolder, () => now);
  await journal.write({
    owner,
    projectId: declared.projectId,
    branchId: declared.branchId,
    type: "read_only",
    baseline: [],
    intentAtMs: now,
    endpointId: "ep-a",
  });
  return () => journal.find(owner);
}

describe.each(variants)("with the %s variant, the journal entry of a create", (variant) => {
  const urnOf = (name: string): string => urnAt(variant, name);
  const stored = { ...declared, endpointId: "ep-a", __managed: Object.keys(declared), __urn: urnOf("old") };

  function configured(): Handlers {
    const stack = {
      "compute:apiKey": "local-key",
      "compute:baseUrl": baseUrl,
      "compute:journalFolder": bench.journalFolder,
    };
    return openHandlers({ variant, clock: bench.clock, stack });
  }

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

  it("is kept where a check alone shows a resource of its name: that may have another compute", async () => {
    const left = await entryFor(urnOf("new"));
    await configured().check({ ...declared, __urn: urnOf("old") }, { ...declared, __urn: urnOf("new") });
    await expect(left()).resolves.toBeDefined();
  });
});
