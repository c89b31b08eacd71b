import * as pulumi from "@pulumi/pulumi";
import { Endpoint, fixedSize } from "../../../sdk";
import { mockEngine, place, valueOf, type Declared } from "./mocks";

let seen: ReadonlyMap<string, Declared>;

beforeAll(async () => {
  seen = await mockEngine("project", (name) => ({ host: `${name}.local` }));
});

it("an Endpoint is declared, under a user's mocks, also where it uses another one's outputs", async () => {
  const primary = new Endpoint("primary", { ...place, ...fixedSize(1) });
  const settings = { pgSettings: { "app.primary": primary.host } };
  const args = { ...place, type: "read_only", settings } as const;
  const replica = new Endpoint("replica", args, { dependsOn: [primary] });
  expect(await valueOf(replica.host)).toBe("replica.local");
  expect(seen.get("replica")?.inputs["settings"]).toEqual({ pgSettings: { "app.primary": "primary.local" } });
});

describe("the names of secret arguments", () => {
  it("include those that hold a secret somewhere, and no other", async () => {
    const endpoint = new Endpoint("secretive", {
      ...place,
      poolerMode: pulumi.output("transaction" as const),
      settings: { pgSettings: { "app.token": pulumi.secret("tok-4711"), work_mem: "4MB" } },
      timeouts: { create: pulumi.output(Promise.resolve(60)) },
    });
    await valueOf(endpoint.urn);
    expect(seen.get("secretive")?.inputs["__secrets"]).toEqual(["settings"]);
  });

  it("are left out where there is none", async () => {
    await valueOf(new Endpoint("open", { ...place, regionId: pulumi.output("local-1") }).urn);
    expect(seen.get("open")?.inputs).not.toHaveProperty("__secrets");
  });
});

describe("the URN that an Endpoint tells its provider", () => {
  it.each([
    { reason: "without a parent", name: "alone", hasParent: false },
    { reason: "below a component", name: "child", hasParent: true },
  ])("is the one that the SDK computes $reason", async ({ name, hasParent }) => {
    const parent = hasParent ? new pulumi.ComponentResource("app:Database", "database") : undefined;
    const endpoint = new Endpoint(name, place, parent && { parent });
    await valueOf(endpoint.urn);
    const expected = pulumi.createUrn(name, "pulumi-nodejs:dynamic/compute:Endpoint", parent);
    expect(seen.get(name)?.inputs["__urn"]).toBe(await valueOf(expected));
  });
});

describe("a transformation that throws while an Endpoint is declared", () => {
  it("keeps the line that threw", () => {
    const refuse = (): undefined => {
      throw new Error("not in this stack");
    };
    let thrown: unknown;
    try {
      new Endpoint("refused", place, { transformations: [refuse] });
    } catch (error) {
      thrown = error;
    }
    expect((thrown as Error).stack).toMatch(/not in this stack\n.* at .*refuse .*endpoint\.test\.ts/);
  });
});
