/**
 * Imports: `pulumi import` and the option `import`. The interface cannot find a compute without its project, so the
 * id to import names both: `PROJECT/ep-…`.
 */
import type { EndpointRef } from "../../service/client";
import { importableNames, undeclarable } from "../../model/inputs";
import type { Known } from "../../lifecycle/read";
import { inputsOfState, type EndpointState } from "../../model/state";
import { ComputeError } from "../../model/errors";
import { readHeld } from "../calls";
import { configured, seenOf, type Session } from "../session";
import type { ServiceName } from "../../model/services";
import type { Held } from "../../model/stored";
import { resourceOf } from "../resources";
import { askBackend } from "../stack";
import { heldInState } from "../../plan/adoption";
import { isSameResource } from "../../model/urns";

/** The compute's own id, also from an id that includes the project. */
export function endpointIdIn(id: string): string {
  return id.split("/").at(-1) ?? id;
}

/**
 * @throws ComputeError if the id names no project, the project has no such compute, or the resource already has it.
 */
export async function importCompute(
  session: Session,
  { urn, id }: { readonly urn: string; readonly id: string },
): Promise<EndpointState | undefined> {
  const ref = namedIn(id, {
    doing: `importing compute ${id}`,
    example: `\`pulumi import compute:index:Endpoint NAME PROJECT/${id}\`, or import: "PROJECT/${id}"`,
  });
  const { projectId, endpointId } = ref;
  const hidden = { urn, secrets: [] };
  const resource = resourceOf(hidden, { log: session.log });
  const holder = (await askBackend(session, { hidden, resource })).holderOf(endpointId);
  if (holder !== undefined)
    throw isSameResource(holder, urn)
      ? alreadyHeld(endpointId)
      : heldInState(holder, { doing: `importing compute ${endpointId}` });
  const seen = await readHeld(session, endpointId, {
    state: { projectId, managed: importableNames },
    hidden,
  });
  if (seen === undefined) return undefined;
  session.ownership.take(ref, resource);
  seenOf(session, resource).taken = endpointId;
  return { ...seen, managed: acceptedOf(seen, configured(session).service) };
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
export function heldByCommand(urn: string, id: string): Held {
  const named = namedIn(id, {
    doing: `deleting compute ${id}`,
    example: `\`pulumi do compute:index:Endpoint delete PROJECT/${id}\``,
  });
  const state: Known = { ...named, managed: ["projectId"] };
  return { state: state as EndpointState, hidden: { urn, secrets: [] } };
}

interface Naming {
  readonly doing: string;
  /** How to name the project as well. */
  readonly example: string;
}

/** @throws ComputeError if the id does not name a project and a compute. */
function namedIn(id: string, { doing, example }: Naming): EndpointRef {
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
function alreadyHeld(endpointId: string): ComputeError {
  return new ComputeError({
    doing: `importing compute ${endpointId}`,
    what: "this resource has it already",
    fix: "Remove the option `import` from it: an import is done once",
  });
}
