/**
 * Finds computes, and decides when a compute is gone (`findListed`).
 *
 * A 404 for a list proves nothing. A gateway, a wrong address or the key of another account gives the same answer, and
 * a state that trusted it would lose every compute of the project.
 */
import type { CallOptions } from "../service/request";
import type { EndpointRef, EndpointsById } from "../service/client";
import type { ApiEndpoint } from "../service/schemas";
import { ComputeError, isKind, isNotFound, RequestError } from "../model/errors";
import { clocksDifferMs, listsProveAbsenceAfterMs, secondListMs, timeOf } from "../model/timing";
import type { EndpointInputs } from "../model/inputs";
import { endpointIn, primaryOn } from "../service/lists";
import type { EndpointState } from "../model/state";
import { callOptions, type ComputeStep, type Service, type Step, type Target } from "./step";

/** The compute of a step as it is now; undefined if the service does not list it, which does not prove that it is gone. */
export async function seenNow(step: ComputeStep): Promise<ApiEndpoint | undefined> {
  return endpointIn(await step.service.listComputes(step.ref, callOptions(step)), step.ref.endpointId);
}

/** Like `seenNow`, but undefined also if the list fails. */
export function seenIfListed(step: ComputeStep): Promise<ApiEndpoint | undefined> {
  return seenNow(step).catch(() => undefined);
}

/** How to search for a compute. */
interface FindOptions {
  /** For the error message: `reading compute ep-a`. */
  readonly doing: string;
  readonly call?: CallOptions | undefined;
  /** How old the first list may be, in milliseconds. Default 0. */
  readonly ageMs?: number;
}

/** A compute to find. Without `createdAt` its age is unknown. */
export type DatedRef = EndpointRef & Pick<EndpointState, "createdAt">;

/** What the project's list shows about one compute. */
export type Presence =
  | { readonly kind: "found"; readonly endpoint: ApiEndpoint }
  | { readonly kind: "gone" }
  /** No list shows it, but it is so recent that the lists may be late: this proves nothing. */
  | { readonly kind: "notYet"; readonly ageMs: number };

/**
 * Searches the project's list for one compute. Only this function decides that a compute is gone. Two lists in a row must miss
 * the compute, and the compute must be older than the longest delay of a list. An unknown age counts as old enough.
 *
 * @throws ComputeError if the service does not know the project, which proves nothing about its computes.
 */
export async function findListed(
  service: Service,
  wanted: DatedRef,
  options: FindOptions,
): Promise<Presence> {
  const first = endpointIn(await listOf(service, wanted, options), wanted.endpointId);
  if (first !== undefined) return { kind: "found", endpoint: first };
  await service.clock.sleep(secondListMs);
  const second = endpointIn(await listOf(service, wanted, { ...options, ageMs: 0 }), wanted.endpointId);
  if (second !== undefined) return { kind: "found", endpoint: second };
  const ageMs = ageWithoutProof(service, wanted);
  return ageMs === undefined ? { kind: "gone" } : { kind: "notYet", ageMs };
}

/** Age of a compute that is so recent that lists may miss it; undefined for an older compute, or if the age is unknown. */
export function ageWithoutProof(
  { api, clock }: Service,
  { createdAt }: Pick<EndpointState, "createdAt">,
): number | undefined {
  const serviceNowMs = api.serviceNow();
  const toleranceMs = serviceNowMs === undefined ? clocksDifferMs : 0;
  const ageMs = (serviceNowMs ?? clock.now()) - timeOf(createdAt);
  // If the creation time is in the future, the clocks differ, and the compute is recent.
  return ageMs < listsProveAbsenceAfterMs + toleranceMs ? Math.max(ageMs, 0) : undefined;
}

/** `compute ep-a is not listed yet, 40 s after its creation`, for messages. */
export function notListedYet({ endpointId }: EndpointRef, ageMs: number): string {
  return `compute ${endpointId} is not listed yet, ${Math.round(ageMs / 1000)} s after its creation`;
}

/** End of a message about a compute that is not listed yet: what happens if it was deleted. */
export const countsAsDeletedLater = `lists may be late, so the compute counts as deleted only if it is still missing ${listsProveAbsenceAfterMs / 1000} s after its creation`;

/** Error for a compute that its project's list does not show. */
export function absenceError(
  { doing, ref }: Target,
  listed: Exclude<Presence, { kind: "found" }>,
): ComputeError {
  if (listed.kind === "notYet") {
    const fix = `Run the same command again in a moment: ${countsAsDeletedLater}`;
    return new ComputeError({ doing, what: notListedYet(ref, listed.ageMs), fix });
  }
  return new ComputeError({
    doing,
    what: "the service no longer lists this compute",
    fix: "Run `pulumi refresh`: the next `pulumi up` then creates it again",
  });
}

/**
 * The error if a "not found" is about the compute, and not about a branch or a route.
 *
 * @throws ComputeError if the service does not know the project either.
 */
export async function absence(
  step: ComputeStep,
  { error, wanted }: { readonly error: unknown; readonly wanted: DatedRef },
): Promise<ComputeError | undefined> {
  if (!isNotFound(error)) return undefined;
  const options = { doing: step.doing, call: callOptions(step) };
  const listed = await findListed(step.service, wanted, options).catch(
    (failure: unknown): Presence | undefined => {
      if (failure instanceof RequestError) return undefined;
      throw failure;
    },
  );
  return listed === undefined || listed.kind === "found" ? undefined : absenceError(step, listed);
}

/** The computes of a project. */
async function listOf(
  { config, listComputes }: Service,
  wanted: EndpointRef,
  { doing, call, ageMs = 0 }: FindOptions,
): Promise<EndpointsById> {
  try {
    return await listComputes(wanted, { ...call, ageMs });
  } catch (error) {
    if (!isKind(error, "notFound", "notFoundBetween")) throw error;
    const { what, requestId } = error.problem;
    throw new ComputeError({
      doing,
      what: `the service at ${config.connection().baseUrl} finds no project ${wanted.projectId} (${what})`,
      requestId,
      doubtsConnection: true,
      fix: "The key or the address may belong to another account: correct COMPUTE_API_KEY or COMPUTE_BASE_URL. If the project really was deleted, take its computes out of the state: run `pulumi state delete URN` for each (`pulumi stack --show-urns` prints the URNs)",
      cause: error,
    });
  }
}

/**
 * Whether the wanted branch already has a primary. If it has, a conflict does not mean that the project is locked.
 *
 * @param own - a compute that may have moved there already: it does not count.
 */
export async function hasPrimary(
  step: Step,
  { type, projectId, branchId }: Pick<EndpointInputs, "type" | "projectId" | "branchId">,
  own?: EndpointRef,
): Promise<boolean> {
  if (type !== "read_write") return false;
  const primary = primaryOn(branchId, await step.service.listComputes({ projectId }, callOptions(step)));
  // A late list may still show a primary that this run has deleted.
  return primary !== undefined && primary.id !== own?.endpointId && !step.run.deleted.has(primary.id);
}
