/**
 * The failures of a check, in a form that the engine may show.
 */
import type { ProviderConfig } from "../../settings/config";
import { ComputeError, messageOf, oneLine } from "../../errors";
import type { CheckFailure } from "./inputs";

/** The engine prints the value of the property that a failure names: a secret property is named only in the reason. */
export function unquoted(
  failures: readonly CheckFailure[],
  secrets: readonly string[],
): readonly CheckFailure[] {
  return failures.map(({ property, reason }) => ({
    property: secrets.includes(property.split(".")[0] ?? "") ? "" : property,
    reason: oneLine(reason),
  }));
}

/** A preview without a key would promise an update that must fail. */
export function connectionFailures(config: ProviderConfig): readonly CheckFailure[] {
  try {
    config.connection();
    return [];
  } catch (error) {
    if (error instanceof ComputeError) return [{ property: "", reason: messageOf(error) }];
    throw error;
  }
}
