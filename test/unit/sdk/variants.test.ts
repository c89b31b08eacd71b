/** What both variants share, and what must not change between them or versions. */
import { createHash } from "node:crypto";
import * as pulumi from "@pulumi/pulumi";
import type { settings } from "../../../provider/settings/table";
import { aliasesOfOtherVariant } from "../../../sdk/aliases";
import type { ProviderArgs } from "../../../sdk/native";
import { remoteProvider } from "../../../sdk/remote";

const types = { own: "compute:index:Endpoint", other: "pulumi-nodejs:dynamic/compute:Endpoint" };
const [named, root] = [{ name: "old" }, { parent: pulumi.rootStackResource }];
const foreign = { name: "old", type: "other:index:Type" };
const urnOf = (type: string, name = "old"): string => `urn:pulumi:s::p::${type}::${name}`;

it.each<[reason: string, listed: pulumi.Alias | string, also: pulumi.Alias | string]>([
  ["a name", named, { ...named, type: types.other }],
  ["no parent", root, { ...root, type: types.other }],
  ["a type that the program names, as it is", foreign, foreign],
  ["a URN", urnOf(types.own), urnOf(types.other)],
  [
    "a URN below a component",
    urnOf(`app:index:Db$${types.own}`, "old::name"),
    urnOf(`app:index:Db$${types.other}`, "old::name"),
  ],
  ["a URN of another type, as it is", urnOf(`my-${types.own}`), urnOf(`my-${types.own}`)],
])("an alias of the other variant is made of each that the program lists: %s", (_reason, listed, also) => {
  expect(aliasesOfOtherVariant(types, [listed])).toEqual([{ type: types.other }, also]);
  expect(aliasesOfOtherVariant(types, undefined)).toEqual([{ type: types.other }]);
});

it("an alias of the other variant is made of an output", async () => {
  const [, also] = aliasesOfOtherVariant(types, [pulumi.output(named)]);
  const alias = await new Promise((resolve) => pulumi.output(also!).apply(resolve));
  expect(alias).toEqual({ ...named, type: types.other });
});

it("the text of the provider never changes: every stored state has it, and another would be a diff", () => {
  expect(createHash("sha256").update(remoteProvider).digest("hex")).toBe(
    "145eb3fe3c1a910f7113dfcd92334e6c55410634e677bb81dfb219f5607c3701",
  );
});

/** What a setting takes. A list is one of its words. */
type Taken<Kind> = Kind extends "flag"
  ? boolean
  : Kind extends "count"
    ? number
    : Kind extends readonly (infer Word)[]
      ? Word
      : string;

/** Each may be `undefined`, also as the value of an output. */
type OfTable = {
  [Name in keyof typeof settings]: pulumi.Input<Taken<(typeof settings)[Name]["kind"]> | undefined>;
};

type IsSame<One, Other> = [One, Other] extends [Other, One] ? true : false;

/** The types of a program's package must not lead to the provider's own: those need what a program does not install. */
it("a provider of a program takes what the table of settings takes", () => {
  const isSame: IsSame<Required<ProviderArgs>, OfTable> = true;
  expect(isSame).toBe(true);
});
