/**
 * Gives the arguments in a report the names that the plan or the program uses.
 */
import { argumentNames } from "../../provider/model/fields";
import { isTerraformUrn } from "../read/urn";
import type { Peer } from "./peer";

interface Named {
  readonly argument: string;
}

interface NamedCompute {
  readonly urn: string;
  readonly changes: readonly Named[];
  readonly drift: { readonly changes: readonly Named[] } | null;
}

/** A compute of another provider, with the argument names of its own tool. */
export function withPlanNames<Compute extends NamedCompute>(compute: Compute, peer: Peer): Compute {
  const { urn, changes, drift } = compute;
  const { pgSettings = "pgSettings", ...places } = { ...peer.createOnly, ...peer.sent };
  const named = <Change extends Named>(change: Change): Change => {
    const { argument } = change;
    const setting = /^settings\.pgSettings(\..*)?$/s.exec(argument);
    if (setting !== null) return { ...change, argument: `${spelled(pgSettings, urn)}${setting[1] ?? ""}` };
    const isOurs = argumentNames.some((name) => name === argument);
    const path = Object.entries(places).find(([name]) => name === argument)?.[1] ?? argument;
    return isOurs ? { ...change, argument: spelled(path, urn) } : change;
  };
  const outside = drift && { ...drift, changes: drift.changes.map(named) };
  return { ...compute, changes: changes.map(named), drift: outside };
}

/** Terraform writes names in snake_case. */
function spelled(path: string, urn: string): string {
  return isTerraformUrn(urn) ? path.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) : path;
}
