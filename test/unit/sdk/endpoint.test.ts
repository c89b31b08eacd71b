import * as pulumi from "@pulumi/pulumi";
import { Endpoint } from "../../../sdk";

const declared = new Map<string, Record<string, unknown>>();

beforeAll(() => {
  const mocks: pulumi.runtime.Mocks = {
    newResource: ({ name, inputs }) => {
      declared.set(name, inputs as Record<string, unknown>);
      return { id: name, state: inputs as Record<string, unknown> };
    },
    call: ({ inputs }) => inputs as Record<string, unknown>,
  };
  return pulumi.runtime.setMocks(mocks, "project", "stack", false);
});

const valueOf = async <T>(output: pulumi.Output<T>): Promise<T> =>
  new Promise((resolve) => {
    output.apply(resolve);
  });

describe("the URN that an Endpoint tells its provider", () => {
  it.each([
    { reason: "without a parent", name: "alone", hasParent: false },
    { reason: "below a component", name: "child", hasParent: true },
  ])("is the one that the SDK computes $reason", async ({ name, hasParent }) => {
    const parent = hasParent ? new pulumi.ComponentResource("app:Database", "database") : undefined;
    const endpoint = new Endpoint(name, { projectId: "p", branchId: "br-a" }, parent && { parent });
    await valueOf(endpoint.urn);
    const expected = pulumi.createUrn(name, "pulumi-nodejs:dynamic/compute:Endpoint", parent);
    expect(declared.get(name)?.["__urn"]).toBe(await valueOf(expected));
  });
});

describe("a transformation that throws while an Endpoint is declared", () => {
  it("keeps the line that threw", () => {
    const transformations = [
      function refuse(): undefined {
        throw new Error("not in this stack");
      },
    ];
    let thrown: unknown;
    try {
      new Endpoint("refused", { projectId: "p", branchId: "br-a" }, { transformations });
    } catch (error) {
      thrown = error;
    }
    expect((thrown as Error).stack).toMatch(/not in this stack\n.* at .*refuse .*endpoint\.test\.ts/);
  });
});
