import * as pulumi from "@pulumi/pulumi";
import { Endpoint, type EndpointArgs } from "../../../sdk";
import { keepIfAdopted } from "../../../sdk/adopting";
import { Endpoint as NativeEndpoint } from "../../../sdk/native";
import { mockEngine, place, valueOf } from "./mocks";

beforeAll(() => mockEngine());

describe.each([
  { variant: "dynamic provider", Declared: Endpoint },
  { variant: "plugin", Declared: NativeEndpoint },
])("a compute that was adopted, with the $variant", ({ variant, Declared }) => {
  it.each<[reason: string, adopt: unknown, option: boolean | undefined, kept: boolean | undefined]>([
    ["by default", "ep-a", undefined, true],
    ["not by null", null, undefined, undefined],
    ["not where the program says so of an output", pulumi.output("ep-a"), false, false],
    ["not where the program says so", "ep-a", false, false],
    ["not without adopt", undefined, undefined, undefined],
    ["without adopt where the program says so", undefined, true, true],
  ])("is kept when its resource goes: %s", async (...[reason, adopt, option, kept]) => {
    const seen: pulumi.CustomResourceOptions[] = [];
    const opts: pulumi.CustomResourceOptions = {
      transformations: [
        (declared) => {
          seen.push(declared.opts);
          return undefined;
        },
      ],
      ...(option === undefined ? {} : { retainOnDelete: option }),
    };
    // A program in JavaScript may pass null.
    await valueOf(new Declared(`${variant} ${reason}`, { ...place, adopt } as EndpointArgs, opts).urn);
    expect(seen.map(({ retainOnDelete }) => retainOnDelete)).toEqual([kept]);
  });

  it("takes an output as adopt under a user's mocks, which have no transforms", async () => {
    await valueOf(new Declared(`${variant} mocked`, { ...place, adopt: pulumi.output("ep-a") }).urn);
  });
});

describe("an output as adopt", () => {
  it.each([
    { reason: "an id keeps the compute", adopt: "ep-a", kept: true },
    { reason: "nothing does not", adopt: undefined, kept: undefined },
    { reason: "a secret id keeps it", adopt: pulumi.secret("ep-a"), kept: true },
    { reason: "a secret nothing does not", adopt: pulumi.secret(null), kept: undefined },
  ])("counts by its value: $reason", async ({ adopt, kept }) => {
    const opts = { protect: true };
    const declared = { custom: true, type: "t", name: "n", opts, props: { ...place, adopt } };
    const result = await keepIfAdopted(declared);
    expect(result?.opts).toEqual(kept && { protect: true, retainOnDelete: true });
  });
});
