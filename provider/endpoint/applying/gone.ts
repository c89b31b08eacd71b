/**
 * Decides whether a "not found" is about the compute, and returns the error if it is.
 */
import { isNotFound, RequestError, type ComputeError } from "../../errors";
import { absenceError, findListed, type Presence } from "./find";
import type { EndpointState } from "../state";
import { callOptions, type ComputeStep } from "./step";

/**
 * The error if a "not found" is about the compute: a branch or a route may be missing as well.
 *
 * @throws ComputeError if the service does not know the project either.
 */
export async function absence(
  step: ComputeStep,
  { error, state }: { readonly error: unknown; readonly state: EndpointState },
): Promise<ComputeError | undefined> {
  if (!isNotFound(error)) return undefined;
  const options = { doing: step.doing, call: callOptions(step) };
  const listed = await findListed(step.services, state, options).catch(
    (failure: unknown): Presence | undefined => {
      if (failure instanceof RequestError) return undefined;
      throw failure;
    },
  );
  return listed === undefined || listed.kind === "found" ? undefined : absenceError(step, listed);
}
