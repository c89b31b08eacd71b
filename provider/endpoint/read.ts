/**
 * Refresh and `Endpoint.get`: the compute as the service shows it, or gone.
 */
import type { EndpointRef } from "../api/client";
import type { ApiEndpoint } from "../api/schemas";
import { ComputeError } from "../errors";
import { inputsOfState, toRefreshed, type EndpointState } from "./state";
import { findListed } from "./absence";
import { readOne, type Services } from "./step";

export interface ReadResult {
  /** Empty where the compute is gone. */
  readonly id: string;
  readonly props: Record<string, unknown>;
  readonly inputs?: Record<string, unknown>;
}

/** @param state - the outputs in the state; for `Endpoint.get`, what its caller passed. */
export async function readEndpoint(
  services: Services,
  id: string,
  state: Readonly<Partial<EndpointState>>,
): Promise<ReadResult> {
  const { projectId } = state;
  if (typeof projectId !== "string" || projectId === "") {
    const fix = "Pass it: Endpoint.get(name, id, { projectId })";
    throw new ComputeError({ doing: `reading compute ${id}`, what: "its project is not known", fix });
  }
  const endpoint = await observe(services, { projectId, endpointId: id });
  if (endpoint === undefined) {
    // A state is told that its compute is gone; whoever reads one by its id is told that there is none.
    if (state.endpointId === undefined) throw noSuchCompute({ projectId, endpointId: id });
    return { id: "", props: {} };
  }
  const seen = toRefreshed(endpoint, state);
  return { id, props: { ...seen }, inputs: inputsOfState(seen) };
}

function noSuchCompute({ projectId, endpointId }: EndpointRef): ComputeError {
  return new ComputeError({
    doing: `reading compute ${endpointId}`,
    what: `project ${projectId} has no such compute`,
    fix: "Correct the two ids; `listEndpoints({ projectId })` shows what is there",
  });
}

async function observe(services: Services, ref: EndpointRef): Promise<ApiEndpoint | undefined> {
  if (services.config.readSingle) {
    const single = await readOne(services, ref);
    if (single !== undefined) return single;
  }
  const first = services.reads.listRecent(ref.projectId);
  return findListed(services, ref, { first, doing: `reading compute ${ref.endpointId}` });
}
