import * as pulumi from "@pulumi/pulumi";
import { Endpoint, fixedSize } from "../../../sdk";

/** What a user's own test sees of a resource. */
const seen = new Map<string, Record<string, unknown>>();

beforeAll(() => {
  const mocks: pulumi.runtime.Mocks = {
    newResource: ({ name, inputs }) => {
      const state = inputs as Record<string, unknown>;
      seen.set(name, state);
      return { id: name, state: { ...state, host: `${name}.local` } };
    },
    call: ({ inputs }) => inputs as Record<string, unknown>,
  };
  return pulumi.runtime.setMocks(mocks, "project", "stack", false);
});

const valueOf = <T>(output: pulumi.Output<T>): Promise<T> =>
  new Promise((resolve) => {
    output.apply(resolve);
  });

const place = { projectId: "p", branchId: "br-a" };

class Database extends pulumi.ComponentResource {
  readonly primary: Endpoint;
  readonly replicas: readonly Endpoint[];

  constructor(name: string) {
    super("app:index:Database", name);
    this.primary = new Endpoint(`${name}-primary`, { ...place, ...fixedSize(1) }, { parent: this });
    this.replicas = [0, 1].map((index) => {
      const args = {
        ...place,
        type: "read_only",
        settings: { pgSettings: { "app.primary": this.primary.host } },
      } as const;
      return new Endpoint(`${name}-${index}`, args, { parent: this, dependsOn: [this.primary] });
    });
    this.registerOutputs({ host: this.primary.host });
  }
}

describe("a component with several Endpoints, under a user's mocks", () => {
  it("declares them all, also those that use another one's outputs", async () => {
    const database = new Database("shop");
    const hosts = await valueOf(
      pulumi.all([database.primary.host, ...database.replicas.map(({ host }) => host)]),
    );
    expect(hosts).toEqual(["shop-primary.local", "shop-0.local", "shop-1.local"]);
    expect(seen.get("shop-1")?.["settings"]).toEqual({ pgSettings: { "app.primary": "shop-primary.local" } });
    expect(seen.get("shop-1")?.["__urn"]).toBe(await valueOf(database.replicas[1]!.urn));
  });
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
    expect(seen.get("secretive")?.["__secrets"]).toEqual(["settings"]);
  });

  it("are left out where there is none", async () => {
    await valueOf(new Endpoint("open", { ...place, regionId: pulumi.output("local-1") }).urn);
    expect(seen.get("open")).not.toHaveProperty("__secrets");
  });
});
