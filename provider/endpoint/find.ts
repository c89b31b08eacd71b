/**
 * Finding computes, and what proves that one is gone: the list of its own project, twice in a row.
 *
 * A 404 of a list proves nothing. A gateway, a wrong address and the key of another account answer just the same,
 * and a state that believed them would lose every compute of the project.
 */
import type { CallOptions } from "../api/answers";
import type { EndpointRef } from "../api/client";
import type { ApiEndpoint } from "../api/schemas";
import { ComputeError, isKind, isNotFound } from "../errors";
import { secondLookMs } from "../timing";
import { namesOf } from "./holders";
import type { EndpointInputs } from "./inputs";
import type { EndpointsById } from "./lists";
import { callOptions, type Services, type Step } from "./step";

/** One compute as it is now; undefined where the service shows none, which is no proof that it is gone. */
export async function findNow(
  { api, config, lists }: Services,
  ref: EndpointRef,
  call?: CallOptions,
): Promise<ApiEndpoint | undefined> {
  if (!config.readSingle) return (await lists.now(ref.projectId, call)).get(ref.endpointId);
  try {
    return await api.getEndpoint(ref, call);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** How a compute is looked for. */
export interface Look {
  /** For the error's words: `reading compute ep-a`. */
  readonly doing: string;
  readonly call?: CallOptions | undefined;
  /** A list that has been asked for already, for the first look. */
  readonly first?: Promise<EndpointsById>;
}

/**
 * One compute as its project's list shows it; undefined where it is gone: where two looks in a row do not show it.
 *
 * @throws ComputeError where the service does not know the project, unless such projects count as deleted.
 */
export async function findListed(
  services: Services,
  ref: EndpointRef,
  { doing, call, first }: Look,
): Promise<ApiEndpoint | undefined> {
  const list = (): Promise<EndpointsById> => services.lists.now(ref.projectId, call);
  const seen = await listOf(services, ref, { doing, list: first ?? list() });
  const found = seen?.get(ref.endpointId);
  if (seen === undefined || found !== undefined) return found;
  await services.clock.sleep(secondLookMs);
  return (await listOf(services, ref, { doing, list: list() }))?.get(ref.endpointId);
}

/** The computes of a project; undefined where it was deleted. */
async function listOf(
  { config }: Services,
  { projectId }: EndpointRef,
  { doing, list }: { readonly doing: string; readonly list: Promise<EndpointsById> },
): Promise<EndpointsById | undefined> {
  try {
    return await list;
  } catch (error) {
    if (!isKind(error, "notFound", "notFoundBetween")) throw error;
    if (config.missingProjectIsGone) return undefined;
    const { what, requestId } = error.problem;
    throw new ComputeError({
      doing,
      what: `${config.connection().baseUrl} knows no project ${projectId} (${what}), as where the key or the address is another account's`,
      requestId,
      doubtsConnection: true,
      fix: "Correct COMPUTE_API_KEY or COMPUTE_BASE_URL; where the project really was deleted, run the same command once with COMPUTE_MISSING_PROJECT=gone in the environment",
      cause: error,
    });
  }
}

/** The primary compute of a branch, if it has one. */
export function primaryOn(branchId: string, endpoints: EndpointsById): ApiEndpoint | undefined {
  return [...endpoints.values()].find(
    (endpoint) => endpoint.branch_id === branchId && endpoint.type === "read_write",
  );
}

/** Whether the wanted branch has its primary: a conflict over that is no lock. */
export async function hasPrimary(
  step: Step,
  { type, projectId, branchId }: Pick<EndpointInputs, "type" | "projectId" | "branchId">,
): Promise<boolean> {
  if (type !== "read_write") return false;
  return primaryOn(branchId, await step.services.lists.now(projectId, callOptions(step))) !== undefined;
}

/**
 * A branch has at most one primary (interface 1). One that is there is never taken over silently: every default branch
 * comes with its own, and a later destroy would delete it.
 */
export async function refuseSecondPrimary(
  step: Step,
  inputs: EndpointInputs,
  before: EndpointsById,
): Promise<void> {
  const { branchId, projectId } = inputs;
  if (primaryOn(branchId, before) === undefined) return;
  // A list may still show one that was just deleted.
  await step.services.clock.sleep(secondLookMs);
  const primary = primaryOn(branchId, await step.services.lists.now(projectId, callOptions(step)));
  if (primary === undefined) return;
  const { resource, services } = step;
  const other = services.holders.otherHolder({ projectId, endpointId: primary.id }, resource);
  const whose = other === undefined ? "" : ` of resource ${namesOf(other, resource)[0]}`;
  throw new ComputeError({
    doing: `creating a read_write compute on branch ${branchId} of project ${projectId}`,
    what: `the branch has its one primary already, compute ${primary.id}${whose}`,
    fix:
      other === undefined
        ? `Where that is this resource under an earlier name, add the option aliases: [{ name: "the earlier name" }]; to manage it here, add the line adopt: "${primary.id}" (then \`pulumi destroy\` deletes it, unless retainOnDelete is set); to have another, use another branch or type: "read_only"; where this resource is being replaced by force (--replace, \`pulumi state taint\`), add the option deleteBeforeReplace: true`
        : 'Remove one of the two resources, or use another branch or type: "read_only"',
  });
}
