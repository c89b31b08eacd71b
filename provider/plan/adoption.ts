/**
 * Decides whether a compute may be adopted: it must match the declaration, or nothing is changed.
 */
import type { ApiEndpoint } from "../service/schemas";
import { ComputeError, type Problem } from "../model/errors";
import type { PlannedInputs } from "../model/inputs";
import type { AdoptLine, Replacement } from "../run/history";
import { heldTwice } from "../run/ownership";
import { isSameResource, titleIn, type Resource, type Severity } from "../run/resource";
import { fieldsOf } from "../model/state";
import { isUnknown, type Planned } from "../model/unknown";
import type { PlanServices } from "./services";

/** Why `adopt` is refused for a replacement. */
const adoptForReplacement =
  "a compute cannot replace itself. Remove the line with adopt and run `pulumi up`. Then make this change, so that the replacement creates a new compute";

/** The error for a compute that another resource already has: deleting either resource would delete the compute of both. */
export function heldInState(urn: string, more: Pick<Problem, "doing">): ComputeError {
  return new ComputeError({
    ...more,
    what: `resource "${titleIn(urn)}" of this stack already manages it`,
    fix: "Nothing was changed",
    choices: [
      `If this is "${titleIn(urn)}" under a new name: add the option aliases or run \`pulumi state rename\`. Do not adopt or import the compute.`,
      `Otherwise: remove that resource from the program, and from the state with \`pulumi state delete '${urn}'\` (the compute stays). Then run the same command again.`,
    ],
  });
}

/** Arguments that must match before a compute is taken over. Its other values are changed to the declared ones. */
const identity = ["branchId", "type", "regionId"] as const;

/** The first argument in which a compute differs from the declared one; undefined if there is no difference. */
function differingIdentity(
  inputs: Pick<PlannedInputs, (typeof identity)[number]>,
  endpoint: ApiEndpoint,
): (typeof identity)[number] | undefined {
  const is = fieldsOf(endpoint);
  return identity.find((name) => {
    const isStated = inputs[name] !== undefined && !isUnknown(inputs[name]);
    return isStated && is[name] !== undefined && inputs[name] !== is[name];
  });
}

/** @param endpoint - the compute that the service lists under the id; undefined if it lists no such compute. */
export function adoptionProblem(
  inputs: PlannedInputs,
  endpoint: ApiEndpoint | undefined,
): ComputeError | undefined {
  const doing = `adopting compute ${knownText(inputs.adopt)}`;
  if (endpoint === undefined) {
    return new ComputeError({
      doing,
      what: `project ${knownText(inputs.projectId)} has no such compute`,
      fix: "Correct the id or the project, or leave `adopt` out to create a compute",
    });
  }
  const differing = differingIdentity(inputs, endpoint);
  if (differing === undefined) return undefined;
  const declared = knownText(inputs[differing]);
  // The branch of a compute that is not ours may be a secret of the program that has it.
  const actual = differing === "branchId" ? undefined : String(fieldsOf(endpoint)[differing]);
  const wanted = actual ?? "the branch that it is on (see it at the service)";
  return new ComputeError({
    doing,
    what: `its ${differing} is ${actual === undefined ? `not ${declared}, as the program declares` : `${actual}, but the program declares ${declared}`}`,
    fix: `To adopt this compute, set ${differing} to ${wanted}; you can change it in a later update. To create a compute instead, leave \`adopt\` out`,
  });
}

/** A declaration that may adopt a compute. */
interface Adopting {
  readonly inputs: PlannedInputs;
  readonly resource: Resource;
  /** Set for the new side of a replacement. */
  readonly replaces?: Replacement | undefined;
}

/** Why an adoption is refused: a resource of the program or of the stack's state has the compute, or adopts it as well. */
export async function adoptedTwice(
  adopting: Adopting,
  { ownership, backend }: PlanServices,
): Promise<string | undefined> {
  const { inputs, resource } = adopting;
  const itself = selfReplacement(adopting);
  if (itself !== undefined) return itself;
  const { adopt: endpointId, projectId } = inputs;
  if (endpointId === undefined) return undefined;
  if (isUnknown(endpointId) || isUnknown(projectId)) return undefined;
  const urn = (await backend())?.holderOf(endpointId);
  if (urn !== undefined) {
    const doing = `adopting compute ${endpointId}`;
    const isOwn = isSameResource(urn, resource.urn ?? "");
    return isOwn ? adoptForReplacement : heldInState(urn, { doing }).message;
  }
  const other = ownership.take({ projectId, endpointId }, resource);
  return other && heldTwice(endpointId, resource, other).message;
}

/** Why a replacement must not adopt a compute: the replacement may delete that very compute next. */
function selfReplacement({ inputs, replaces }: Adopting): string | undefined {
  if (replaces === undefined || inputs.adopt === undefined) return undefined;
  if (replaces.endpointId !== undefined && replaces.endpointId !== inputs.adopt) return undefined;
  return adoptForReplacement;
}

/**
 * What to say if the `adopt` line was changed or removed. This is not a failure, since `adopt` takes effect only when the
 * resource is created. The line may even name a compute that was replaced since, if the program goes back to an earlier
 * version.
 */
export function adoptLineNotice(
  { before, now }: AdoptLine,
  endpointId: string,
): { readonly severity: Severity; readonly text: string } | undefined {
  if (before === now || now === endpointId) return undefined;
  if (now === undefined) {
    const text = `The line with adopt is gone, and this resource keeps compute ${endpointId}. From now on, a destroy deletes that compute, unless the option retainOnDelete: true is set.`;
    return { severity: "info", text };
  }
  if (typeof now !== "string" || isUnknown(now)) return undefined;
  const fix = before === undefined ? "Remove the line" : `Put adopt: "${endpointId}" back`;
  const text = `adopt: "${now}" has no effect: this resource already has compute ${endpointId}, and adopt takes effect only at creation. ${fix}. To take over ${now} as well, declare another Endpoint that adopts it.`;
  return { severity: "warning", text };
}

function knownText(value: Planned<string> | undefined): string {
  return value === undefined || isUnknown(value) ? "" : value;
}
