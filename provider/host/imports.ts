/**
 * Imports: `pulumi import` and the option `import`. The interface cannot find a compute without its project, so the
 * id to import names both: `PROJECT/ep-…`.
 */
import { ComputeError } from "../model/errors";
import { importableNames, undeclarable } from "../model/inputs";
import type { ServiceName } from "../model/services";
import { inputsOfState, type EndpointState } from "../model/state";
import type { EngineState } from "../model/stored";
import { isSameResource } from "../run/resource";
import { heldInState } from "../plan/adoption";
import type { EndpointRef } from "../service/client";
import type { Session } from "./session";
import { readHeld } from "./steps";

/** The compute's own id, also from an id that includes the project. */
export function endpointIdIn(id: string): string {
  return id.split("/").at(-1) ?? id;
}

/**
 * @throws ComputeError if the id names no project, the project has no such compute, or the resource already has it.
 */
export async function importCompute(
  session: Session,
  urn: string,
  id: string,
): Promise<EndpointState | undefined> {
  const ref = namedIn(id, {
    doing: `importing compute ${id}`,
    example: `\`pulumi import compute:index:Endpoint NAME PROJECT/${id}\`, or import: "PROJECT/${id}"`,
  });
  const { projectId, endpointId } = ref;
  const doing = `importing compute ${endpointId}`;
  const hidden = { urn, secrets: [] };
  const resource = session.resourceOf(hidden);
  const holder = (await session.backend.askFor(resource)).holderOf(endpointId);
  if (holder !== undefined)
    throw isSameResource(holder, urn) ? alreadyHeld(doing) : heldInState(holder, { doing });
  const state = { projectId, managed: importableNames };
  const seen = await readHeld(session, endpointId, { state, hidden });
  if (seen === undefined) return undefined;
  session.ownership.take(ref, resource);
  session.run.noteTaken(resource, endpointId);
  return { ...seen, managed: acceptedOf(seen, session.config().service) };
}

/** An import declares only values that a program could declare: a service may have others. */
function acceptedOf(state: EndpointState, service: ServiceName): readonly string[] {
  const inputs = inputsOfState(state);
  const failures = undeclarable(inputs, { service, stored: inputs });
  const refused = new Set(failures.map(({ property }) => property));
  return state.managed.filter((name) => !refused.has(name));
}

/**
 * The compute that `pulumi do … delete` names: it has no state, so the id has to name the project too.
 *
 * @throws ComputeError if it does not.
 */
export function heldByCommand(urn: string, id: string): EngineState {
  const named = namedIn(id, {
    doing: `deleting compute ${id}`,
    example: `\`pulumi do compute:index:Endpoint delete PROJECT/${id}\``,
  });
  const state: Partial<EndpointState> = { ...named, managed: ["projectId"] };
  return { state: state as EndpointState, hidden: { urn, secrets: [] } };
}

/**
 * @param how.example - how to name the project as well.
 * @throws ComputeError if the id does not name a project and a compute.
 */
function namedIn(
  id: string,
  { doing, example }: { readonly doing: string; readonly example: string },
): EndpointRef {
  const [projectId = "", endpointId, ...others] = id.split("/");
  if (endpointId === undefined) {
    const fix = `Name the project as well: ${example}`;
    throw new ComputeError({ doing, what: "its project is not known", fix });
  }
  if (projectId !== "" && endpointId !== "" && others.length === 0) return { projectId, endpointId };
  throw new ComputeError({
    doing,
    what: "its id is not of the form PROJECT/ep-…",
    fix: "Name the project and the compute, with one slash between them",
  });
}

/**
 * If the import also updated the endpoint, the engine drops `importID` from the state and imports it again as a
 * replacement of itself: deleting its "original" would delete the same compute.
 */
function alreadyHeld(doing: string): ComputeError {
  return new ComputeError({
    doing,
    what: "this resource has it already",
    fix: "Remove the option `import` from it: an import is done once",
  });
}
