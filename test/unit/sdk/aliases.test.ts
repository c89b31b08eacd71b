import * as pulumi from "@pulumi/pulumi";
import { aliasesOfOtherVariant } from "../../../sdk/aliases";

const types = { own: "compute:index:Endpoint", other: "pulumi-nodejs:dynamic/compute:Endpoint" };

describe("aliases of the other variant", () => {
  it.each<{ reason: string; listed: pulumi.Alias | string; also: pulumi.Alias | string }>([
    { reason: "a name", listed: { name: "old" }, also: { name: "old", type: types.other } },
    {
      reason: "no parent",
      listed: { parent: pulumi.rootStackResource },
      also: { parent: pulumi.rootStackResource, type: types.other },
    },
    {
      reason: "a type that the program names, as it is",
      listed: { name: "old", type: "other:index:Type" },
      also: { name: "old", type: "other:index:Type" },
    },
    {
      reason: "a URN",
      listed: "urn:pulumi:s::p::compute:index:Endpoint::old",
      also: "urn:pulumi:s::p::pulumi-nodejs:dynamic/compute:Endpoint::old",
    },
    {
      reason: "a URN below a component",
      listed: "urn:pulumi:s::p::app:index:Db$compute:index:Endpoint::old::name",
      also: "urn:pulumi:s::p::app:index:Db$pulumi-nodejs:dynamic/compute:Endpoint::old::name",
    },
    {
      reason: "a URN of another type, as it is",
      listed: "urn:pulumi:s::p::my-compute:index:Endpoint::old",
      also: "urn:pulumi:s::p::my-compute:index:Endpoint::old",
    },
  ])("are made of each alias that the program lists: $reason", ({ listed, also }) => {
    expect(aliasesOfOtherVariant(types, [listed])).toEqual([{ type: types.other }, also]);
  });

  it("are made of an alias that is an output", async () => {
    const [, also] = aliasesOfOtherVariant(types, [pulumi.output({ name: "old" })]);
    const alias = await new Promise((resolve) => {
      pulumi.output(also!).apply(resolve);
    });
    expect(alias).toEqual({ name: "old", type: types.other });
  });

  it("are the other type alone where the program lists none", () => {
    expect(aliasesOfOtherVariant(types, undefined)).toEqual([{ type: types.other }]);
  });
});
