/**
 * The computes of a project as one list shows them, and what the list says about one of them. Pure.
 */
import type { UnreadableEndpoint } from "./client";
import type { ApiEndpoint } from "./schemas";
import type { RequestError } from "../model/errors";

/** The computes of a project by id. */
export interface EndpointsById extends ReadonlyMap<string, ApiEndpoint> {
  /** Computes that the list shows and that cannot be read; undefined if there are none. */
  readonly unreadable?: readonly UnreadableEndpoint[] | undefined;
}

/**
 * The reason why a list does not tell whether it has a compute; undefined if it does tell. One compute that cannot be
 * read says nothing of the others, unless its id cannot be read either.
 */
export function unreadableIn(
  { unreadable = [] }: Pick<EndpointsById, "unreadable">,
  isMeant: (id: string) => boolean,
): RequestError | undefined {
  return unreadable.find(({ id }) => id === undefined || isMeant(id))?.error;
}

/** The compute of a list; undefined if the list has none. @throws RequestError if the list does not tell. */
export function endpointIn(endpoints: EndpointsById, endpointId: string): ApiEndpoint | undefined {
  const endpoint = endpoints.get(endpointId);
  const error = endpoint === undefined ? unreadableIn(endpoints, (id) => id === endpointId) : undefined;
  if (error !== undefined) throw error;
  return endpoint;
}

/** The primary compute of a branch, if it has one. */
export function primaryOn(branchId: string, endpoints: EndpointsById): ApiEndpoint | undefined {
  return [...endpoints.values()].find(
    (endpoint) => endpoint.branch_id === branchId && endpoint.type === "read_write",
  );
}
