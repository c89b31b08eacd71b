/**
 * Types of a declaration before and during the update: before the update any value may be unknown, and an unknown
 * value must never be sent.
 */
import { ComputeError } from "../../errors";
import type { EndpointInputs } from "./inputs";
import { holdsUnknown, type Planned } from "./unknown";

/** A declaration after `check`: any value may be unknown until the update. */
export type PlannedInputs = { readonly [Name in keyof EndpointInputs]: Planned<EndpointInputs[Name]> };

/** A declaration that has passed `check`, as the engine passes it to a diff. */
export function plannedInputs(args: Readonly<Record<string, unknown>>): PlannedInputs {
  return args as PlannedInputs;
}

/**
 * A declaration as the engine passes it to a create or an update.
 *
 * @throws ComputeError if a value is still unknown, because it must not be sent.
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
