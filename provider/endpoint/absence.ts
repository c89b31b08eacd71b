/**
 * What proves that a compute is gone: the list of its own project, twice in a row.
 *
 * A 404 of a list proves nothing. A gateway, a wrong address and the key of another account answer just the same,
 * and a state that believed them would lose every compute of the project.
 */
import type { CallOptions } from "../api/answers";
import type { EndpointRef } from "../api/client";
import type { ApiEndpoint } from "../api/schemas";
import { ComputeError, RequestError } from "../errors";
import type { EndpointsById } from "./reads";
import type { Services } from "./step";

/** What is being done, for the error's words: `refreshing compute ep-a`. */
export interface Look {
  readonly doing: string;
  readonly call?: CallOptions | undefined;
}

/** Between the two looks: a list may be behind the truth for a moment. */
const secondLookMs = 500;

/**
 * One compute as its project's list shows it; undefined where two looks in a row do not.
 *
 * @param first - a list that has been read already, for the first look.
 * @throws ComputeError where the service does not know the project, unless such projects count as deleted.
 */
export async function findListed(
  services: Services,
  ref: EndpointRef,
  { first, ...look }: Look & { readonly first?: Promise<EndpointsById> },
): Promise<ApiEndpoint | undefined> {
  const list = (): Promise<EndpointsById> => services.reads.listNow(ref.projectId, look.call);
  const seen = await knownProject(services, ref, { ...look, list: first ?? list() });
  if (seen === "deleted") return undefined;
  if (seen.has(ref.endpointId)) return seen.get(ref.endpointId);
  await services.clock.sleep(secondLookMs);
  const again = await knownProject(services, ref, { ...look, list: list() });
  return again === "deleted" ? undefined : again.get(ref.endpointId);
}

async function knownProject(
  { config }: Services,
  { projectId }: EndpointRef,
  { doing, list }: Look & { readonly list: Promise<EndpointsById> },
): Promise<EndpointsById | "deleted"> {
  try {
    return await list;
  } catch (error) {
    if (!(error instanceof RequestError) || ![404, 410].includes(error.status ?? 0)) throw error;
    if (config.missingProjectIsGone) return "deleted";
    throw new ComputeError({
      doing,
      what: `${config.connection().baseUrl} answers ${error.status ?? 404} to the list of project ${projectId}, as it does where the key or the address is another account's`,
      requestId: error.problem.requestId,
      fix: "Correct COMPUTE_API_KEY or COMPUTE_BASE_URL; where the project really was deleted, run the same command once with COMPUTE_MISSING_PROJECT=gone in the environment",
      cause: error,
    });
  }
}
