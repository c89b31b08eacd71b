/** By which way the engine reaches the provider. */
export type Door = "dynamic" | "native";

export const doors = ["dynamic", "native"] as const satisfies readonly Door[];

/** As `sdk/endpoint.ts` has them, which loads the whole SDK. */
const types: Readonly<Record<Door, string>> = {
  dynamic: "pulumi-nodejs:dynamic/compute:Endpoint",
  native: "compute:index:Endpoint",
};

/** What a program imports for each. */
export const packageOf: Readonly<Record<Door, string>> = {
  dynamic: "pulumi-compute-endpoint",
  native: "pulumi-compute-endpoint/native",
};

export function urnOf(door: Door, name: string, stackName = "dev"): string {
  return `urn:pulumi:${stackName}::app::${types[door]}::${name}`;
}

/** For runs that take hours: `TEST_DOOR=native` is that one alone. */
export function chosenDoors(): readonly Door[] {
  const { TEST_DOOR: chosen } = process.env;
  const found = doors.filter((door) => chosen === undefined || door === chosen);
  if (found.length === 0) throw new Error(`TEST_DOOR is "${chosen ?? ""}": it is one of ${doors.join(", ")}`);
  return found;
}
