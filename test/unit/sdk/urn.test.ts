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
