// Tests in milliseconds what the component declares, without an engine or a service.
import * as pulumi from "@pulumi/pulumi";
import { Database } from "./database";

const declared = new Map<string, Record<string, unknown>>();

beforeAll(() =>
  pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => {
      const args = inputs as Record<string, unknown>;
      declared.set(name, args);
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

const args = { projectId: "p-1", branchId: "br-1", cu: 2, replicas: 2, signingKey: pulumi.secret("s-1") };

it("has a primary of its size, and replicas that grow to that size", async () => {
  const database = new Database("shop", { ...args, production: true });
  expect(await valueOf(database.host)).toBe("shop-primary.example.com");
  expect(await valueOf(database.replicaHosts)).toEqual([
    "shop-replica-0.example.com",
    "shop-replica-1.example.com",
  ]);
  expect(declared.get("shop-primary")).toMatchObject({ autoscalingLimitMinCu: 2, autoscalingLimitMaxCu: 2 });
  expect(declared.get("shop-replica-1")).toMatchObject({ type: "read_only", autoscalingLimitMaxCu: 2 });
});

it.each([
  { name: "prod", production: true, interrupt: false, onInterruption: "forbid" },
  { name: "allowed", production: true, interrupt: true, onInterruption: "warn" },
  { name: "dev", production: false, interrupt: false, onInterruption: "warn" },
])("declares $onInterruption in $name", async ({ name, production, interrupt, onInterruption }) => {
  await valueOf(new Database(name, { ...args, production, interrupt }).host);
  const policies = [...declared]
    .filter(([resource]) => resource.startsWith(`${name}-`))
    .map(([, inputs]) => inputs["onInterruption"]);
  expect(policies).toEqual([onInterruption, onInterruption, onInterruption]);
});

it("keeps the signing key secret", async () => {
  const { host } = new Database("signed", { ...args, production: false });
  await valueOf(host);
  expect(pulumi.runtime.isRpcSecret(declared.get("signed-primary")?.["settings"])).toBe(true);
});
