import { heldElsewhere, heldTwice, trackHolders } from "../../../../provider/endpoint/holders";

const ref = { projectId: "p", endpointId: "ep-a" };
const urn = (name: string): string => `urn:pulumi:dev::app::pulumi-nodejs:dynamic/compute:Endpoint::${name}`;

describe("trackHolders", () => {
  it.each([
    { first: ["a"], second: ["b"], other: "a", reason: "two resources" },
    { first: ["a"], second: ["a"], other: undefined, reason: "one, asked twice" },
    { first: ["new", "old"], second: ["old"], other: undefined, reason: "one under its earlier name" },
  ])("tells of $other: $reason", ({ first, second, other }) => {
    const holders = trackHolders();
    expect(holders.hold(ref, first)).toBeUndefined();
    expect(holders.hold(ref, second)).toBe(other);
  });

  it("tells computes of one id apart by their projects", () => {
    const holders = trackHolders();
    holders.hold(ref, ["a"]);
    expect(holders.hold({ ...ref, projectId: "q" }, ["b"])).toBeUndefined();
  });

  it("forgets a resource that gave its compute up, and no other", () => {
    const holders = trackHolders();
    holders.hold(ref, ["a"]);
    holders.hold(ref, ["b"]);
    holders.release(ref, ["a"]);
    expect(holders.otherHolder(ref, ["a"])).toBe("b");
    expect(holders.otherHolder(ref, ["b"])).toBeUndefined();
  });
});

describe("heldTwice", () => {
  it("names both resources, by their URNs where their names are the same", () => {
    expect(heldTwice("ep-a", [urn("db"), urn("heir")]).message).toContain(
      'resource "db" and resource "heir"',
    );
    const inShop = urn("db").replace("::pulumi-nodejs", "::shop$pulumi-nodejs");
    expect(heldTwice("ep-a", [urn("db"), inShop]).message).toContain(
      `resource ${urn("db")} and resource ${inShop}`,
    );
  });
});

describe("heldElsewhere", () => {
  const noted = (note: string | undefined): Parameters<typeof heldElsewhere>[0] => ({
    holders: trackHolders(),
    takeovers: {
      note: () => Promise.resolve(),
      byAnother: () => Promise.resolve(note),
      addName: () => Promise.resolve(),
      clear: () => Promise.resolve(),
    },
  });

  it("knows of another resource by its diff, and otherwise by a note", async () => {
    const services = noted("/journal/a.takeover");
    await expect(heldElsewhere(services, ref, urn("old"))).resolves.toMatch(
      /^another resource took it over with `adopt`.* remove \/journal\/a\.takeover$/,
    );
    services.holders.hold(ref, [urn("heir")]);
    await expect(heldElsewhere(services, ref, urn("old"))).resolves.toBe(
      'resource "heir" of this program holds it',
    );
    await expect(heldElsewhere(noted(undefined), ref, urn("old"))).resolves.toBeUndefined();
  });
});
