/**
 * The table of sizes that notices go by, for programs.
 */
import * as pulumi from "@pulumi/pulumi";
import { interfaceSizes, type SizeTable } from "../provider/sizes";
import { sizeTableFrom, sizeTableSetting } from "../provider/sizeTables";

/**
 * The table that `compute:sizeTable` or COMPUTE_SIZE_TABLE names, for `computeSize` and `maxConnections`; that of the
 * interface where neither does.
 *
 * ```ts
 * const connections = maxConnections(autoscaling(0.5, 4), configuredSizeTable());
 * ```
 *
 * @throws where it is neither the name of a table nor a list of rows.
 */
export function configuredSizeTable(): SizeTable {
  const { key, variable } = sizeTableSetting;
  const [bag = "", name = ""] = key.split(":");
  // eslint-disable-next-line no-restricted-properties -- provider/config.ts loads what a program does without.
  const sources = [process.env[variable], new pulumi.Config(bag).get(name)];
  const source = sources.map((text) => text?.trim()).find((text) => text !== undefined && text !== "");
  const table = source === undefined ? interfaceSizes : sizeTableFrom(source);
  if ("sizes" in table) return table;
  throw new pulumi.RunError(`reading the configuration ${key}: ${table.what}. ${table.fix}.`);
}
