/**
 * Reads the configured table of sizes, for programs.
 */
import type { SizeTable } from "../provider/sizes";
import { configured } from "./configured";

/**
 * The table that `compute:sizeTable` or COMPUTE_SIZE_TABLE names, for `computeSize` and `maxConnections`; by default,
 * the interface's table.
 *
 * @example
 * ```ts
 * const connections = maxConnections(autoscaling(0.5, 4), configuredSizeTable());
 * ```
 *
 * @throws if it is neither the name of a table nor a list of rows.
 */
export function configuredSizeTable(): SizeTable {
  return configured("sizeTable");
}
