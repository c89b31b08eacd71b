import { heldTwice, trackOwnership, type Holder } from "../../../../provider/run/ownership";

const ref = { projectId: "p", endpointId: "ep-a" };
const urn = (name: string): string => `urn:pulumi:dev::app::pulumi-nodejs:dynamic/compute:Endpoint::${name}`;
const named = (id: string, formerId?: string): Holder => ({ id, formerId, title: id });
/** As a program knows it: by its URN, and to people by its name. */
const resource = (name: string, id = urn(name)): Holder => ({ id, title: name });

describe("the holders of a compute", () => {
  const nameless: Holder = { id: undefined, title: "x" };
  it.each<[reason: string, other: Holder | undefined, first: Holder, second: Holder]>([
    ["two resources", named("a"), named("a"), named("b")],
    ["one, asked twice", undefined, named("a"), named("a")],
    ["one under its earlier name", undefined, named("new", "old"), named("old")],
    ["one that was renamed", undefined, named("old"), named("new", "old")],
    ["one that was renamed twice", undefined, named("new", "old"), named("newer", "old")],
    ["nobody knows one without a name", undefined, nameless, named("b")],
    ["one is known", named("a"), named("a"), nameless],
  ])("are told apart: %s", (...[, other, first, second]) => {
    const holders = trackOwnership();
    expect(holders.take(ref, first)).toBeUndefined();
    expect(holders.take(ref, second)).toEqual(other);
  });

  it("tells computes of one id apart by their projects", () => {
    const holders = trackOwnership();
    holders.take(ref, named("a"));
    expect(holders.take({ ...ref, projectId: "q" }, named("b"))).toBeUndefined();
  });

  it("forgets a resource that gave its compute up, and no other", () => {
    const holders = trackOwnership();
    holders.take(ref, named("a"));
    holders.take(ref, named("b"));
    holders.release(ref, named("a"));
    expect(holders.holderOf(ref, named("a"))).toEqual(named("b"));
    expect(holders.holderOf(ref, named("b"))).toBeUndefined();
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
  const app = resource("app");

  it("is known as soon as a resource has it, and of no other compute", () => {
    const ownership = trackOwnership();
    ownership.take(ref, resource("heir"));
    expect(ownership.holderOf(ref, app)).toMatchObject({ title: "heir" });
    expect(ownership.isFree(ref)).toBe(false);
    expect(ownership.isFree({ ...ref, endpointId: "ep-b" })).toBe(true);
  });

  it("is settled once for creates without an answer, also for resources without a name", () => {
    const ownership = trackOwnership();
    const nameless = { id: undefined, title: "x" };
    expect(ownership.takeFree(ref, nameless)).toBe(true);
    expect(ownership.takeFree(ref, nameless)).toBe(false);
    expect(ownership.takeFree(ref, app)).toBe(false);
    ownership.release(ref, nameless);
    expect(ownership.takeFree(ref, app)).toBe(true);
  });
});
