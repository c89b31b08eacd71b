/**
 * Refresh and `Endpoint.get`: the compute as the service shows it, or gone.
 */
import type { CallOptions } from "../api/answers";
import type { EndpointRef } from "../api/client";
import type { ApiEndpoint } from "../api/schemas";
import { deadlineIn } from "../clock";
import { ComputeError } from "../errors";
import { readLimitMs } from "../timing";
import { findListed, findNow } from "./find";
import type { Resource } from "./resource";
import { toRefreshed, type EndpointState } from "./state";
import { callOptions, type Services } from "./step";

/** What is known of a compute before it is read; without an id of its own, a program reads it for the first time. */
export type Known = Partial<EndpointState> & Pick<EndpointState, "managed">;

/** @returns undefined where the compute is gone. */
export async function readEndpoint(
  services: Services,
  known: Known,
  { endpointId, resource }: { readonly endpointId: string; readonly resource: Resource },
): Promise<EndpointState | undefined> {
  const { projectId } = known;
  if (typeof projectId !== "string" || projectId === "") {
    const fix = "Pass it: Endpoint.get(name, id, { projectId })";
    throw new ComputeError({ doing: `reading compute ${endpointId}`, what: "its project is not known", fix });
  }
  const ref = { projectId, endpointId };
  const call = callOptions({
    resource,
    deadline: deadlineIn(readLimitMs, services.clock, services.interrupted),
  });
  const endpoint = await observe(services, ref, call);
  if (endpoint !== undefined) return toRefreshed(endpoint, known);
  // A state is told that its compute is gone; a program that reads one by its id is told that there is none.
  if (known.endpointId === undefined) throw noSuchCompute(ref);
  return undefined;
}

function noSuchCompute({ projectId, endpointId }: EndpointRef): ComputeError {
  return new ComputeError({
    doing: `reading compute ${endpointId}`,
    what: `project ${projectId} has no such compute`,
    fix: "Correct the two ids; `listEndpoints({ projectId })` shows what is there",
  });
}

async function observe(
  services: Services,
  ref: EndpointRef,
  call: CallOptions,
): Promise<ApiEndpoint | undefined> {
  if (services.config.readSingle) {
    const single = await findNow(services, ref, call);
    if (single !== undefined) return single;
  }
  const first = services.lists.recent(ref.projectId, call);
  return findListed(services, ref, { first, call, doing: `reading compute ${ref.endpointId}` });
}
