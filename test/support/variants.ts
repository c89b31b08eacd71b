/** The ways in which the engine reaches the provider. */
export type Variant = "dynamic" | "native";

export const variants = ["dynamic", "native"] as const satisfies readonly Variant[];

/** Copies of the types in `provider/model/fields.ts`, which must never change, because stored states have them. */
const types: Readonly<Record<Variant, string>> = {
  dynamic: "pulumi-nodejs:dynamic/compute:Endpoint",
  native: "compute:index:Endpoint",
};

/** What a program imports for each variant. */
export const packageOf: Readonly<Record<Variant, string>> = {
  dynamic: "pulumi-compute-endpoint",
  native: "pulumi-compute-endpoint/native",
};

export function urnOf(variant: Variant, name: string, stackName = "dev"): string {
  return `urn:pulumi:${stackName}::app::${types[variant]}::${name}`;
}

/** For runs that take hours: `TEST_VARIANT=native` tests that variant alone. */
export function chosenVariants(): readonly Variant[] {
  const { TEST_VARIANT: chosen } = process.env;
  const found = variants.filter((variant) => chosen === undefined || variant === chosen);
  if (found.length === 0)
    throw new Error(`TEST_VARIANT is "${chosen ?? ""}": it is one of ${variants.join(", ")}`);
  return found;
}
