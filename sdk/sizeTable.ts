/**
 * The table of sizes that notices go by, for programs.
 */
import type { SizeTable } from "../provider/sizes";
import { configured } from "./configured";

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
  return configured("sizeTable");
}
