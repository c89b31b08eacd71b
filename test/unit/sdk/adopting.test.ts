import * as pulumi from "@pulumi/pulumi";
import { Endpoint } from "../../../sdk";
import { Endpoint as NativeEndpoint } from "../../../sdk/native";

beforeAll(() =>
  pulumi.runtime.setMocks(
    {
      newResource: ({ name, inputs }) => ({ id: name, state: inputs as Record<string, unknown> }),
      call: ({ inputs }) => inputs as Record<string, unknown>,
    },
    "project",
    "stack",
    false,
  ),
);

const place = { projectId: "p", branchId: "br-a" };

describe.each([
  { variant: "dynamic provider", Declared: Endpoint },
  { variant: "plugin", Declared: NativeEndpoint },
])("a compute that was adopted, with the $variant", ({ variant, Declared }) => {
  it.each([
    { reason: "by default", adopt: "ep-a", option: undefined, kept: true },
    { reason: "by an id that is an output", adopt: pulumi.output("ep-a"), option: undefined, kept: true },
    { reason: "not where the program says so", adopt: "ep-a", option: false, kept: false },
    { reason: "not without adopt", adopt: undefined, option: undefined, kept: undefined },
    { reason: "without adopt where the program says so", adopt: undefined, option: true, kept: true },
  ])("is kept when its resource goes: $reason", ({ reason, adopt, option, kept }) => {
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
    new Declared(`${variant} ${reason}`, adopt === undefined ? place : { ...place, adopt }, opts);
    expect(seen.map(({ retainOnDelete }) => retainOnDelete)).toEqual([kept]);
  });
});
