/**
 * The table of sizes that notices go by, for programs.
 */
import { interfaceSizes, type SizeTable } from "../provider/sizes";
import { sizeTableFrom, sizeTableSetting } from "../provider/sizeTables";
import { configured } from "./configured";
import { explained } from "./explained";

/**
 * The table that `compute:sizeTable` or COMPUTE_SIZE_TABLE names, for `computeSize` and `maxConnections`; that of the
 * interface where neither does.
 *
 * @example
 * ```ts
 * const connections = maxConnections(autoscaling(0.5, 4), configuredSizeTable());
 * ```
 *
 * @throws where it is neither the name of a table nor a list of rows.
 */
export function configuredSizeTable(): SizeTable {
  const source = configured(sizeTableSetting);
  const table = source === undefined ? interfaceSizes : sizeTableFrom(source);
  if ("sizes" in table) return table;
  throw explained(`reading the configuration ${sizeTableSetting.key}: ${table.what}. ${table.fix}.`);
}
