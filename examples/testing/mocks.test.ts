// Tests in milliseconds what the program declares, without an engine or a service.
import * as pulumi from "@pulumi/pulumi";
import { Database } from "./database";

const declared = new Map<string, Record<string, unknown>>();

/** Members whose names begin with two underscores are the provider's own. */
function withoutHidden(inputs: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(inputs).filter(([member]) => !member.startsWith("__")));
}

beforeAll(() =>
  pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => {
      const args = inputs as Record<string, unknown>;
      declared.set(name, withoutHidden(args));
      return { id: `ep-${name}`, state: { ...args, host: `${name}.example.com` } };
    },
    call: () => ({}),
  }),
);

function valueOf<T>(output: pulumi.Output<T>): Promise<T> {
  return new Promise((resolve) => {
    output.apply(resolve);
  });
}

it("has a primary that no update may interrupt, and replicas that grow to 2 CU", async () => {
  const database = new Database("shop", { projectId: "p-1", branchId: "br-1", replicas: 2 });
  expect(await valueOf(database.host)).toBe("shop-primary.example.com");
  await pulumi.runtime.disconnect();
  expect(declared.get("shop-primary")).toEqual({
    projectId: "p-1",
    branchId: "br-1",
    type: "read_write",
    autoscalingLimitMinCu: 1,
    autoscalingLimitMaxCu: 1,
    onInterruption: "forbid",
  });
  expect(declared.get("shop-replica-1")).toMatchObject({ type: "read_only", autoscalingLimitMaxCu: 2 });
  expect([...declared.keys()].filter((name) => name.includes("replica"))).toHaveLength(2);
});
