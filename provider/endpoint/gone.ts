/**
 * Whether a "not found" speaks of the compute, and the error where it does.
 */
import { ComputeError, RequestError } from "../errors";
import { findListed } from "./find";
import { callOptions, type Step, type Target } from "./step";

/**
 * Whether it is the compute that a "not found" speaks of: a branch may be missing as well, or a route.
 *
 * @throws ComputeError where the service does not know the project either.
 */
export async function isGone(step: Step, { doing, ref }: Target): Promise<boolean> {
  const look = { doing, call: callOptions(step) };
  const seen = await findListed(step.services, ref, look).catch((error: unknown) => {
    if (error instanceof RequestError) return "unsure";
    throw error;
  });
  return seen === undefined;
}

export function goneError(target: Target): ComputeError {
  return new ComputeError({
    doing: target.doing,
    what: "the service no longer knows this compute",
    fix: "Run `pulumi refresh`: the next preview then shows that it is created again",
  });
}
