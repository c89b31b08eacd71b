/**
 * The engine asks for the current state of a compute: for a refresh, for `Endpoint.get`, or for an import.
 */
import type { Lookup } from "../lifecycle/read";
import { ComputeError } from "../model/errors";
import { importableNames, undeclarable } from "../model/inputs";
import { inputsOfState, type EndpointState } from "../model/state";
import type { EngineState } from "../model/stored";
import { heldInState } from "../plan/adoption";
import { isSameResource } from "../run/resource";
import type { EndpointRef } from "../service/client";
import type { Session } from "./session";

/** @returns undefined if the compute is gone. */
export async function readHeld(
  { run, lifecycle, resourceOf }: Session,
  endpointId: string,
  { state, hidden }: Pick<EngineState, "hidden"> & { readonly state: Lookup },
): Promise<EndpointState | undefined> {
  const resource = resourceOf(hidden);
  const seen = await (await lifecycle()).read(state, { endpointId, resource });
  // A compute that a program reads by id does not belong to the program, which declares only the project.
  const isOwn = state.endpointId !== undefined && state.managed.includes("branchId");
  if (isOwn && resource.id !== undefined) run.history.noteRead(resource, endpointId, seen);
  return seen;
}

/**
 * `pulumi import` and the option `import`.
 *
 * @throws ComputeError if the project has no such compute, or a resource of the stack already has it.
 */
export async function importCompute(
  session: Session,
  urn: string,
  ref: EndpointRef,
): Promise<EndpointState | undefined> {
  const { projectId, endpointId } = ref;
  const doing = `importing compute ${endpointId}`;
  const hidden = { urn, secrets: [] };
  const resource = session.resourceOf(hidden);
  const holder = (await session.askBackend(resource))?.holderOf(endpointId);
  if (holder !== undefined)
    throw isSameResource(holder, urn) ? alreadyHeld(doing) : heldInState(holder, { doing });
  const { service } = session.config();
  const state = { projectId, managed: importableNames(service) };
  const seen = await readHeld(session, endpointId, { state, hidden });
  if (seen === undefined) return undefined;
  session.run.ownership.take(ref, resource);
  session.run.history.noteTaken(resource, endpointId);
  // Keep only values that a program could declare: a service may have others.
  const inputs = inputsOfState(seen);
  const failures = undeclarable(inputs, { service, stored: inputs });
  const refused = new Set(failures.map(({ property }) => property));
  return { ...seen, managed: seen.managed.filter((name) => !refused.has(name)) };
}

/**
 * If an import also updated the compute, the engine drops `importID` from the state. It then imports the compute again, as a
 * replacement of itself, and would delete the "original", which is the same compute.
 */
function alreadyHeld(doing: string): ComputeError {
  return new ComputeError({
    doing,
    what: "this resource already has that compute",
    fix: "Remove the option `import` from the resource: an import is done only once",
  });
}
