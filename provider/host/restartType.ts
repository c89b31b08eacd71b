/**
 * Tells the two resources apart: the engine passes both to one provider.
 */
import { dynamicRestartType, nativeRestartType } from "../pure/fields";

/** @param urn - undefined for an Endpoint of a caller that passes none. */
export function isRestart(urn: unknown): boolean {
  if (typeof urn !== "string") return false;
  const [, , types = ""] = urn.split("::");
  const type = types.split("$").at(-1);
  return type === dynamicRestartType || type === nativeRestartType;
}
