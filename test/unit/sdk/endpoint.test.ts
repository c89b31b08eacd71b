/** What a program declares, as users' own tests see it with mocks of Pulumi's engine. */
import * as pulumi from "@pulumi/pulumi";
import { Endpoint, fixedSize, getPrimary, type EndpointArgs } from "../../../sdk";
import { argumentNames } from "../../../provider/model/fields";
import { keepIfAdopted, keepingAdopted } from "../../../sdk/adopting";
import { Endpoint as NativeEndpoint } from "../../../sdk/native";

interface Declared {
  readonly type: string;
  readonly inputs: Readonly<Record<string, unknown>>;
}

/** What is declared in this run, by name. */
const seen = new Map<string, Declared>();

/** Begins a new run. */
async function mockEngine(project: string): Promise<void> {
  seen.clear();
  const mocks: pulumi.runtime.Mocks = {
    newResource: ({ name, type, inputs }) => {
      const state = inputs as Declared["inputs"];
      seen.set(name, { type, inputs: state });
      return { id: name, state: { ...state, host: `${name}.local` } };
    },
    call: ({ inputs }) => inputs as Record<string, unknown>,
  };
  await pulumi.runtime.setMocks(mocks, project, "stack", false);
}

beforeEach(() => mockEngine("tested"));

/** Ends when the engine has the resource: a registration must not outlive its test. */
const valueOf = <T>(output: pulumi.Output<T>): Promise<T> =>
  new Promise((resolve) => {
    output.apply(resolve);
  });

/** Arguments that each Endpoint needs. */
const place = { projectId: "p", branchId: "br-a" };

type OptionalArgument = Exclude<keyof EndpointArgs, keyof typeof place>;

/** Every other argument, as an output like `pulumi.output(config.getNumber("delay"))` for a key that is not set. */
const nothing = Object.fromEntries(
  argumentNames.filter((name) => !(name in place)).map((name) => [name, pulumi.output(undefined)]),
) as Readonly<Record<OptionalArgument, pulumi.Output<undefined>>>;

it("an Endpoint is declared, even if it uses another Endpoint's outputs", async () => {
  const primary = new Endpoint("primary", { ...place, ...fixedSize(1) });
  const settings = { pgSettings: { "app.primary": primary.host } };
  const args = { ...place, type: "read_only", settings } as const;
  const replica = new Endpoint("replica", args, { dependsOn: [primary] });
  expect(await valueOf(replica.host)).toBe("replica.local");
  expect(seen.get("replica")?.inputs["settings"]).toEqual({ pgSettings: { "app.primary": "primary.local" } });
});

describe("the names of secret arguments", () => {
  it("include arguments with a secret anywhere inside, and no others", async () => {
    const endpoint = new Endpoint("secretive", {
      ...place,
      poolerMode: pulumi.output("transaction" as const),
      settings: { pgSettings: { "app.token": pulumi.secret("tok-4711"), work_mem: "4MB" } },
      timeouts: { create: pulumi.output(Promise.resolve(60)) },
    });
    await valueOf(endpoint.urn);
    expect(seen.get("secretive")?.inputs["__secrets"]).toEqual(["settings"]);
  });
});

it.each([
  { reason: "without a parent", hasParent: false },
  { reason: "below a component", hasParent: true },
])("an Endpoint tells its provider the URN that the SDK computes $reason", async ({ hasParent }) => {
  const parent = hasParent ? new pulumi.ComponentResource("app:Database", "database") : undefined;
  await valueOf(new Endpoint("app", place, parent && { parent }).urn);
  const expected = pulumi.createUrn("app", "pulumi-nodejs:dynamic/compute:Endpoint", parent);
  expect(seen.get("app")?.inputs["__urn"]).toBe(await valueOf(expected));
});

it("a transformation that throws while an Endpoint is declared keeps the line that threw", () => {
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

describe.each([
  { variant: "dynamic provider", Declared: Endpoint },
  { variant: "plugin", Declared: NativeEndpoint },
])("an adopted compute, with the $variant", ({ Declared }) => {
  it.each<[reason: string, adopt: unknown, option: boolean | undefined, kept: boolean | undefined]>([
    ["by default", "ep-a", undefined, true],
    ["not if adopt is null", null, undefined, undefined],
    ["not if the program says otherwise", "ep-a", false, false],
    ["not without adopt", undefined, undefined, undefined],
  ])("is kept when its resource is removed: %s", async (...[, adopt, option, kept]) => {
    const options: pulumi.CustomResourceOptions[] = [];
    const opts: pulumi.CustomResourceOptions = {
      transformations: [({ opts }) => void options.push(opts)],
      ...(option === undefined ? {} : { retainOnDelete: option }),
    };
    // A program in JavaScript may pass null.
    await valueOf(new Declared("app", { ...place, adopt } as EndpointArgs, opts).urn);
    expect(options.map(({ retainOnDelete }) => retainOnDelete)).toEqual([kept]);
  });
});

it.each([
  { variant: "dynamic provider", Declared: Endpoint },
  { variant: "plugin", Declared: NativeEndpoint },
])("an argument whose output resolves to nothing is left out, with the $variant", async ({ Declared }) => {
  const args: EndpointArgs = { ...place, ...nothing };
  await valueOf(new Declared("app", args).urn);
  const declared = Object.keys(seen.get("app")!.inputs);
  expect(argumentNames.filter((name) => declared.includes(name)).sort()).toEqual(["branchId", "projectId"]);
});

it.each([
  { reason: "with a value", memory: "8MB", declared: { jit: "off", work_mem: "8MB" } },
  { reason: "without a value", memory: undefined, declared: { jit: "off" } },
])("a Postgres setting can be given conditionally: $reason", async ({ memory, declared }) => {
  // A condition compiles as programs write it: TypeScript adds the missing name to the other branch.
  const settings = memory ? { pgSettings: { jit: "off", work_mem: memory } } : { pgSettings: { jit: "off" } };
  const output = { pgSettings: { jit: "off", work_mem: pulumi.output(memory) } };
  for (const given of [settings, { pgSettings: { jit: "off", work_mem: memory } }, output]) {
    await valueOf(new Endpoint("app", { ...place, settings: given }).urn);
    expect(seen.get("app")?.inputs["settings"]).toEqual({ pgSettings: declared });
  }
});

describe("the option import", () => {
  it.each(["ep-a", "p/ep-a"])("is refused by the dynamic provider, with what to write: %s", (id) => {
    expect(() => new Endpoint("app", place, { import: id })).toThrow(
      "declaring compute app: only the plugin supports the option import. Replace it with the argument " +
        'adopt: "ep-a", or import Endpoint from pulumi-compute-endpoint/native.',
    );
  });

  it("is taken by the plugin", async () => {
    await valueOf(new NativeEndpoint("app", place, { import: "p/ep-a" }).urn);
  });
});

it.each([
  { reason: "an id keeps the compute", adopt: "ep-a", kept: true },
  { reason: "a secret id keeps the compute", adopt: pulumi.secret("ep-a"), kept: true },
  { reason: "a secret null does not keep it", adopt: pulumi.secret(null), kept: undefined },
])("an output for adopt counts by its value: $reason", async ({ adopt, kept }) => {
  const opts = { protect: true };
  const declared = { custom: true, type: "t", name: "n", opts, props: { ...place, adopt } };
  const result = await keepIfAdopted(declared);
  expect(result?.opts).toEqual(kept && { protect: true, retainOnDelete: true });
});

describe("a transform that may set adopt", () => {
  const transform: pulumi.ResourceTransform = () => undefined;

  it.each<[reason: string, opts: pulumi.CustomResourceOptions]>([
    ["as an option of the resource", { transforms: [transform] }],
    ["as a transformation, the older kind", { transformations: [() => undefined] }],
  ])("is followed by a transform that keeps adopted computes: %s", (...[, opts]) => {
    const engine = { registerStackTransform: () => undefined };
    const monitor = jest.spyOn(pulumi.runtime, "getMonitor").mockReturnValue(engine as never);
    const { transforms = [] } = keepingAdopted(undefined, opts) ?? {};
    monitor.mockRestore();
    expect(transforms).toEqual([...(opts.transforms ?? []), keepIfAdopted]);
  });
});

describe("a key of the stack that is not a setting", () => {
  afterEach(() => {
    pulumi.runtime.setAllConfig({});
  });

  const meant =
    "reading the configuration compute:onInteruption: there is no such setting. Remove it with `pulumi config rm " +
    "compute:onInteruption`, and set compute:onInterruption instead.";

  it("is refused, with the setting that was meant, when the program declares a compute or looks one up", async () => {
    pulumi.runtime.setAllConfig({ "compute:onInteruption": "forbid" });
    expect(() => new Endpoint("app", place)).toThrow(meant);
    await expect(getPrimary(place)).rejects.toThrow(meant);
  });

  it.each([
    ["another namespace's", "tested", { "aws:region": "eu", "computer:size": "1" }],
    ["only the plugin's", "tested", { "compute:refreshBeforeUpdate": "false" }],
    ["the project's own", "compute", { "compute:colour": "red" }],
  ])("is not refused if it is %s", async (_reason, project, config) => {
    await mockEngine(project);
    pulumi.runtime.setAllConfig(config);
    await valueOf(new Endpoint("app", place).urn);
  });
});
