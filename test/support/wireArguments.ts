/**
 * Translates an answer of the service to the names of arguments, so that a new argument needs no change to a test.
 */
import { attribute, attributeNames } from "../../provider/model/fields";

/** The arguments in the answer, except for `settings`, whose members also have other names. */
export function argumentsOf(answer: object): Readonly<Record<string, unknown>> {
  const wire = answer as Readonly<Record<string, unknown>>;
  const values = attributeNames
    .filter((name) => name !== "settings")
    .map((name) => [name, wire[attribute(name).wire]] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}
