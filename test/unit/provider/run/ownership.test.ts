import { heldTwice, trackOwnership, type Holder } from "../../../../provider/run/ownership";

const ref = { projectId: "p", endpointId: "ep-a" };
const urn = (name: string): string => `urn:pulumi:dev::app::pulumi-nodejs:dynamic/compute:Endpoint::${name}`;
const named = (id: string, formerId?: string): Holder => ({ id, formerId, title: id });
const nameless: Holder = { id: undefined, title: "x" };

it.each<[reason: string, other: Holder | undefined, first: Holder, second: Holder]>([
  ["two resources", named("a"), named("a"), named("b")],
  ["one resource, under its former name", undefined, named("new", "old"), named("old")],
  ["one resource, which was renamed", undefined, named("old"), named("new", "old")],
  ["the first has no name", undefined, nameless, named("b")],
  ["only the first has a name", named("a"), named("a"), nameless],
])("the holders of a compute are told apart: %s", (...[, other, first, second]) => {
  const ownership = trackOwnership();
  expect(ownership.take(ref, first)).toBeUndefined();
  expect(ownership.holderOf(ref, second)).toEqual(other);
  expect(ownership.take(ref, second)).toEqual(other);
  expect(ownership.take({ ...ref, projectId: "q" }, second)).toBeUndefined();
});

it("only the resource that gave up its compute is forgotten", () => {
  const ownership = trackOwnership();
  for (const holder of [named("a"), named("b")]) ownership.take(ref, holder);
  ownership.release(ref, named("a"));
  expect(ownership.holderOf(ref, named("a"))).toEqual(named("b"));
  expect(ownership.holderOf(ref, named("b"))).toBeUndefined();
  expect([ref, { ...ref, endpointId: "ep-b" }].map((each) => ownership.isFree(each))).toEqual([false, true]);
});

it("the compute of a resource without a name is not free until the resource gives it up", () => {
  const ownership = trackOwnership();
  ownership.take(ref, nameless);
  expect(ownership.isFree(ref)).toBe(false);
  ownership.release(ref, nameless);
  expect(ownership.isFree(ref)).toBe(true);
});

const inShop = urn("db").replace("::pulumi-nodejs", "::shop$pulumi-nodejs");
it.each([
  [urn("heir"), "heir", 'resource "db" and resource "heir"'],
  [inShop, "db", `resource ${urn("db")} and resource ${inShop}`],
])("both resources are named, by their URNs if their names are the same: %s", (id, title, says) => {
  expect(heldTwice("ep-a", { id: urn("db"), title: "db" }, { id, title }).message).toContain(says);
});
