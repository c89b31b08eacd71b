import { openStackBackend, type KnownStack } from "../../../../provider/run/stackBackend";
import { urnOf } from "../../../support/variants";

const db = urnOf("dynamic", "db");
const other = urnOf("dynamic", "other");
const provider = (name: string) => ({ urn: `urn:pulumi:dev::app::pulumi:providers:compute::${name}` });
const creating = (urn: string, more: object = {}) => ({ type: "creating", resource: { urn, ...more } });
const backendOf = async (deployment: object, declared: readonly string[] = []): Promise<KnownStack> => {
  const backend = openStackBackend(() => Promise.resolve(JSON.stringify({ deployment })));
  for (const urn of declared) backend.declare(urn);
  await backend.ask(["dev"]);
  return backend.known()!;
};

describe("Pulumi's backend", () => {
  it.each<[reason: string, deployment: object, holder: string | undefined]>([
    [
      "a resource of the other variant",
      { resources: [{ urn: urnOf("native", "other"), id: "ep-a" }] },
      urnOf("native", "other"),
    ],
    [
      "a compute that the program only reads",
      { resources: [{ urn: other, id: "ep-a", external: true }] },
      undefined,
    ],
    ["another kind of resource", { resources: [{ ...provider("one"), id: "ep-a" }] }, undefined],
  ])("says which resource has a compute in the state: %s", async (_reason, deployment, holder) => {
    expect((await backendOf(deployment)).holderOf("ep-a")).toBe(holder);
  });

  it.each<[reason: string, deployment: object, declared: readonly string[], begun: readonly string[]]>([
    [
      "the resource's own create, even in the other variant",
      { pending_operations: [creating(urnOf("native", "db"))] },
      [],
      [urnOf("native", "db")],
    ],
    [
      "the create of a resource that is not in the program",
      { pending_operations: [creating(other)] },
      [],
      [other],
    ],
    [
      "not the create of another resource in the program",
      { pending_operations: [creating(other)] },
      [other],
      [],
    ],
    [
      "not the create of another provider instance, which runs now",
      {
        resources: [provider("one"), provider("two")],
        pending_operations: [creating(other, { provider: "two" })],
      },
      [],
      [],
    ],
    [
      "not another resource's create, if the new resource replaces a compute in the state",
      { resources: [{ urn: db, id: "ep-x" }], pending_operations: [creating(other)] },
      [],
      [],
    ],
    [
      "not the create of another kind of resource",
      { pending_operations: [creating("urn:pulumi:dev::app::aws:s3/bucket:Bucket::b")] },
      [],
      [],
    ],
    ["not an update", { pending_operations: [{ type: "updating", resource: { urn: db } }] }, [], []],
  ])("says which cut-off creates may have made the compute of a new resource: %s", async (...row) => {
    const [, deployment, declared, begun] = row;
    const backend = await backendOf(deployment, declared);
    expect(backend.cutOffFor(db).map(({ urn }) => urn)).toEqual(begun);
  });

  it.each<[reason: string, owner: string, left: readonly string[]]>([
    ["the create of the same provider instance", "one", [other]],
    ["not the create of another instance, which runs now", "two", []],
  ])("says which cut-off creates belong to no resource: %s", async (_reason, owner, left) => {
    const resources = [provider("one"), provider("two"), { urn: db, id: "ep-x", provider: "one" }];
    const backend = await backendOf({
      resources,
      pending_operations: [creating(other, { provider: owner })],
    });
    expect(backend.orphansOf(db).map(({ urn }) => urn)).toEqual(left);
    const former = db.replace("::db", "::former-name");
    expect(backend.orphansOf(former)).toEqual([]);
    expect(backend.orphansOf(former, "ep-x").map(({ urn }) => urn)).toEqual(left);
  });
});
