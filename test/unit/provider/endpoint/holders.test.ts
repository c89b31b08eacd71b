import { heldElsewhere, heldTwice, trackHolders, type Holder } from "../../../../provider/endpoint/holders";

const ref = { projectId: "p", endpointId: "ep-a" };
const urn = (name: string): string => `urn:pulumi:dev::app::pulumi-nodejs:dynamic/compute:Endpoint::${name}`;
const named = (id: string, formerId?: string): Holder => ({ id, formerId, title: id });
/** As a program knows it: by its URN, and to people by its name. */
const resource = (name: string, id = urn(name)): Holder => ({ id, title: name });

describe("trackHolders", () => {
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
    const holders = trackHolders();
    expect(holders.hold(ref, first)).toBeUndefined();
    expect(holders.hold(ref, second)).toEqual(other);
  });

  it("tells computes of one id apart by their projects", () => {
    const holders = trackHolders();
    holders.hold(ref, named("a"));
    expect(holders.hold({ ...ref, projectId: "q" }, named("b"))).toBeUndefined();
  });

  it("forgets a resource that gave its compute up, and no other", () => {
    const holders = trackHolders();
    holders.hold(ref, named("a"));
    holders.hold(ref, named("b"));
    holders.release(ref, named("a"));
    expect(holders.otherHolder(ref, named("a"))).toEqual(named("b"));
    expect(holders.otherHolder(ref, named("b"))).toBeUndefined();
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

describe("heldElsewhere", () => {
  const servicesWith = (note: string | undefined): Parameters<typeof heldElsewhere>[0] => ({
    holders: trackHolders(),
    takeovers: {
      note: () => Promise.resolve(),
      byAnother: () => Promise.resolve(note),
      addName: () => Promise.resolve(),
      clear: () => Promise.resolve(),
    },
  });

  it("knows of another resource by its diff, and otherwise by a note", async () => {
    const services = servicesWith("/journal/a.takeover");
    await expect(heldElsewhere(services, ref, resource("old"))).resolves.toMatch(
      /^another resource took it over with `adopt`.* remove \/journal\/a\.takeover$/,
    );
    services.holders.hold(ref, resource("heir"));
    await expect(heldElsewhere(services, ref, resource("old"))).resolves.toBe(
      'resource "heir" of this program holds it',
    );
    await expect(heldElsewhere(servicesWith(undefined), ref, resource("old"))).resolves.toBeUndefined();
  });
});
