import type * as pulumi from "@pulumi/pulumi";
import type { settings } from "../../../provider/settings/table";
import type { ProviderArgs } from "../../../sdk/native";

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
it("takes for a provider of a program what the table of settings takes", () => {
  const isSame: IsSame<Required<ProviderArgs>, OfTable> = true;
  expect(isSame).toBe(true);
});
