/**
 * A declaration before and during the update: before it, any value may be one that only the update will know, and nobody
 * may send such a one.
 */
import { ComputeError } from "../../errors";
import type { EndpointInputs } from "./inputs";
import { holdsUnknown, type Planned } from "./verdict";

/** A declaration after `check`: any value may be one that only the update will know. */
export type PlannedInputs = { readonly [Name in keyof EndpointInputs]: Planned<EndpointInputs[Name]> };

/** A declaration that has passed `check`, as the engine hands it to a diff. */
export function plannedInputs(args: Readonly<Record<string, unknown>>): PlannedInputs {
  return args as PlannedInputs;
}

/**
 * The same as the engine hands it to a create or an update.
 *
 * @throws ComputeError where a value is still not known: nobody may send it.
 */
export function knownInputs(args: Readonly<Record<string, unknown>>): EndpointInputs {
  const unknown = Object.keys(args).filter((name) => holdsUnknown(args[name]));
  if (unknown.length === 0) return args as EndpointInputs;
  throw new ComputeError({
    doing: "changing a compute",
    what: `${unknown.join(" and ")} is not known yet, though the update has begun`,
    fix: "Run `pulumi up` without --target, so that what the value comes from is made first; nothing was sent",
  });
}
