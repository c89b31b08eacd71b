/**
 * What a program may declare of a compute that exists, so that taking it over changes nothing.
 */
import { attributeNames } from "../../fields";
import { checkInputs, type CheckFailure, type CheckRules } from "./inputs";

/** Postgres settings stay unmanaged until a program declares them. */
export const importableNames = attributeNames.filter((name) => name !== "settings");

/** @returns why a program could not declare some of a compute's values: a service may have others. */
export function undeclarable(
  values: Readonly<Record<string, unknown>>,
  rules: Omit<CheckRules, "creates">,
): readonly CheckFailure[] {
  return checkInputs(values, { ...rules, creates: false }).failures;
}
