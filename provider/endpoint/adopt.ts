/**
 * Whether a compute may be taken over: it must be what the program says, or nothing is touched.
 */
import type { ApiEndpoint } from "../api/schemas";
import { ComputeError } from "../errors";
import type { Stored } from "./changes";
import type { EndpointInputs } from "./inputs";
import { fieldsOf } from "./state";
import { unknownValue } from "./verdict";

/** What must agree before a compute is taken over; its other settings are brought to the declared ones. */
const identity = ["branchId", "type", "regionId"] as const;

/**
 * What a declaration is compared with before an existing compute becomes its own: what the service answers. Nobody
 * knows which triggers there were, so none of them is pulled.
 */
export function asFound(endpoint: ApiEndpoint, inputs: EndpointInputs): Stored {
  const live = fieldsOf(endpoint, inputs);
  return { ...live, managed: Object.keys(live), restartTriggers: inputs.restartTriggers };
}

/** @param endpoint - the compute that the service shows under the id; undefined where it shows none. */
export function adoptionProblem(
  inputs: EndpointInputs,
  endpoint: ApiEndpoint | undefined,
): ComputeError | undefined {
  const doing = `adopting compute ${inputs.adopt ?? ""}`;
  if (endpoint === undefined) {
    return new ComputeError({
      doing,
      what: `project ${inputs.projectId} has no such compute`,
      fix: "Correct the id or the project, or leave `adopt` out to create a compute",
    });
  }
  const is = fieldsOf(endpoint);
  const differing = identity.find((name) => {
    const isStated = inputs[name] !== undefined && inputs[name] !== unknownValue;
    return isStated && is[name] !== undefined && inputs[name] !== is[name];
  });
  if (differing === undefined) return undefined;
  const actual = String(is[differing]);
  return new ComputeError({
    doing,
    what: `its ${differing} is ${actual}, but the program says ${String(inputs[differing])}`,
    fix: `Set ${differing} to ${actual} to adopt it as it is and change it afterwards, or leave \`adopt\` out to create a compute`,
  });
}
