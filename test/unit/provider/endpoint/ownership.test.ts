import type { ApiEndpoint } from "../../../../provider/api/schemas";
import { heldTwice, nobody, type Holder, type Ownership } from "../../../../provider/endpoint/ownership";
import type { JournalEntry } from "../../../../provider/writes/journal";
import { ownershipWith } from "../../../support/ownership";

const ref = { projectId: "p", endpointId: "ep-a" };
const urn = (name: string): string => `urn:pulumi:dev::app::pulumi-nodejs:dynamic/compute:Endpoint::${name}`;
const named = (id: string, formerId?: string): Holder => ({ id, formerId, title: id });
/** As a program knows it: by its URN, and to people by its name. */
const resource = (name: string, id = urn(name)): Holder => ({ id, title: name });

describe("the holders of a compute", () => {
  it.each([
    { first: named("a"), second: named("b"), other: named("a"), reason: "two resources" },
    { first: named("a"), second: named("a"), other: undefined, reason: "one, asked twice" },
    {
      first: named("new", "old"),
      second: named("old"),
      other: undefined,
      reason: "one under its earlier name",
    },
    { first: named("old"), second: named("new", "old"), other: undefined, reason: "one that was renamed" },
    {
      first: named("new", "old"),
      second: named("newer", "old"),
      other: undefined,
      reason: "one that was renamed twice",
    },
    {
      first: { ...named("a"), id: undefined },
      second: named("b"),
      other: undefined,
      reason: "nobody knows one without a name",
    },
    {
      first: named("a"),
      second: { ...named("b"), id: undefined },
      other: named("a"),
      reason: "one is known",
    },
  ])("tells of $other.id: $reason", ({ first, second, other }) => {
    const holders = ownershipWith();
    expect(holders.take(ref, first)).toBeUndefined();
    expect(holders.take(ref, second)).toEqual(other);
  });

  it("tells computes of one id apart by their projects", () => {
    const holders = ownershipWith();
    holders.take(ref, named("a"));
    expect(holders.take({ ...ref, projectId: "q" }, named("b"))).toBeUndefined();
  });

  it("forgets a resource that gave its compute up, and no other", async () => {
    const holders = ownershipWith();
    holders.take(ref, named("a"));
    holders.take(ref, named("b"));
    holders.release(ref, named("a"));
    await expect(holders.holderOf(ref, named("a"))).resolves.toMatchObject({ holder: named("b") });
    await expect(holders.holderOf(ref, named("b"))).resolves.toBeUndefined();
  });
});

describe("heldTwice", () => {
  it("names both resources, by their URNs where their names are the same", () => {
    expect(heldTwice("ep-a", resource("db"), resource("heir")).message).toContain(
      'resource "db" and resource "heir"',
    );
    const inShop = urn("db").replace("::pulumi-nodejs", "::shop$pulumi-nodejs");
    expect(heldTwice("ep-a", resource("db"), resource("db", inShop)).message).toContain(
      `resource ${urn("db")} and resource ${inShop}`,
    );
  });
});

describe("whose a compute is", () => {
  const entry = (owner: string, endpointId?: string): JournalEntry => ({
    owner,
    projectId: "p",
    branchId: "br-a",
    type: "read_only",
    baseline: [],
    intentAtMs: 0,
    endpointId,
  });
  const app = resource("app");
  const create = { owner: urn("app") };

  it.each([
    { source: "process", taken: resource("heir"), recorded: {} },
    { source: "note", taken: undefined, recorded: { note: "/journal/a.takeover" } },
    { source: "journal", taken: undefined, recorded: { entries: () => [entry("b2", "ep-a")] } },
    { source: "state", taken: undefined, recorded: { inState: { "ep-a": [urn("heir")] } } },
  ] as const)("is known from each source, and not where it is left out: $source", async (row) => {
    const ownership = ownershipWith(row.recorded);
    if (row.taken !== undefined) ownership.take(ref, row.taken);
    for (const asker of [app, create, nobody])
      await expect(ownership.holderOf(ref, asker)).resolves.toMatchObject({ source: row.source });
    const reason = "a test";
    const leaving = { process: reason, note: reason, journal: reason, state: reason };
    await expect(ownership.holderOf(ref, app, leaving)).resolves.toBeUndefined();
    const computes = ["ep-a", "ep-b"].map((id) => ({ id }) as ApiEndpoint);
    const free = await ownership.free(computes, "p", { by: app });
    expect(free.map(({ id }) => id)).toEqual(row.source === "note" ? [] : ["ep-b"]);
  });

  it("is not another's where the resource has it itself", async () => {
    const ownership = ownershipWith({
      entries: () => [entry(urn("app"), "ep-a")],
      inState: { "ep-a": [urn("app")] },
    });
    ownership.take(ref, app);
    await expect(ownership.holderOf(ref, app)).resolves.toBeUndefined();
    await expect(ownership.holderOf(ref, create)).resolves.toMatchObject({ source: "process" });
    ownership.release(ref, app);
    await expect(ownership.holderOf(ref, create)).resolves.toMatchObject({ source: "state" });
  });

  it("is known by its name before all else", async () => {
    const ownership = ownershipWith({ note: "/journal/a.takeover" });
    await expect(ownership.holderOf(ref, app)).resolves.toMatchObject({ file: "/journal/a.takeover" });
    ownership.take(ref, resource("heir"));
    await expect(ownership.holderOf(ref, app)).resolves.toMatchObject({ holder: { title: "heir" } });
  });

  it("counts what was answered while the journal was read", async () => {
    const ownership: Ownership = ownershipWith({
      entries: () => {
        ownership.take(ref, resource("heir"));
        return [];
      },
    });
    await expect(ownership.free([{ id: "ep-a" } as ApiEndpoint], "p", { by: app })).resolves.toEqual([]);
  });

  it("is settled once for creates without an answer, also for resources without a name", () => {
    const ownership = ownershipWith();
    const nameless = { id: undefined, title: "x" };
    expect(ownership.takeFree(ref, nameless)).toBe(true);
    expect(ownership.takeFree(ref, nameless)).toBe(false);
    expect(ownership.takeFree(ref, app)).toBe(false);
    ownership.release(ref, nameless);
    expect(ownership.takeFree(ref, app)).toBe(true);
  });

  it("is known to have been taken over by a create, also once it is given up", () => {
    const ownership = ownershipWith();
    ownership.takeOver(ref, app);
    ownership.release(ref, app);
    expect(ownership.takerOf(ref)).toBe(app);
    expect(ownership.takerOf({ ...ref, endpointId: "ep-b" })).toBeUndefined();
  });
});
