/**
 * An answer of the service by the names of arguments: a new argument is in it without a change to a test.
 */
import { attribute, attributeNames } from "../../provider/model/fields";

/** The arguments that the answer has, but for `settings`, whose members have other names too. */
export function argumentsOf(answer: object): Readonly<Record<string, unknown>> {
  const wire = answer as Readonly<Record<string, unknown>>;
  const values = attributeNames
    .filter((name) => name !== "settings")
    .map((name) => [name, wire[attribute(name).wire]] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}
