/**
 * Refresh and `Endpoint.get`: the compute as the service shows it, or gone.
 */
import type { EndpointRef } from "../api/client";
import type { ApiEndpoint } from "../api/schemas";
import { ComputeError } from "../errors";
import type { EndpointInputs } from "./inputs";
import { inputsOfState, toState, type EndpointState } from "./state";
import { findListed, orGone, readOne, type Services } from "./step";

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
  const endpoint = await observe(services, { projectId, endpointId: id }, state.__urn);
  if (endpoint === undefined) return { id: "", props: {} };
  const declared = inputsOfState({ ...state, __managed: state.__managed ?? ["projectId"] } as EndpointState);
  const declaration = {
    inputs: declared as unknown as EndpointInputs,
    provider: state.__provider,
    urn: state.__urn,
  };
  const seen = toState(endpoint, declaration);
  // What an earlier run left unfinished stays so: looking is not waiting.
  const unfinished = state.__operations === undefined ? {} : { __operations: state.__operations };
  return { id, props: { ...seen, ...unfinished }, inputs: inputsOfState(seen) };
}

/** Between the two looks at a compute that seems gone. */
const secondLookMs = 500;

/** A list may be behind the truth: a compute counts as gone only when two looks in a row do not show it. */
async function observe(
  services: Services,
  ref: EndpointRef,
  urn: string | undefined,
): Promise<ApiEndpoint | undefined> {
  const first = services.config.readSingle
    ? await readOne(services, ref)
    : (await orGone(services.reads.listRecent(ref.projectId)))?.get(ref.endpointId);
  if (first !== undefined) return first;
  await services.clock.sleep(secondLookMs);
  return findListed(services, ref, { urn });
}
