/**
 * Imports: `pulumi import` and the option `import`. The interface cannot find a compute without its project, so the
 * id to import names both: `PROJECT/ep-…`.
 */
import { checkInputs } from "../endpoint/planning/inputs";
import { inputsOfState, type EndpointState } from "../endpoint/state";
import { ComputeError } from "../errors";
import { attributeNames } from "../fields";
import { readHeld } from "./calls";
import { seenOf, type Session } from "./session";
import { resourceOf, type Held } from "./stored";

/** Settings stay unmanaged until a program declares them. */
const importable = attributeNames.filter((name) => name !== "settings");

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
): Promise<EndpointState> {
  const endpointId = endpointIdIn(id);
  if (endpointId === id) throw withoutProject(id);
  const [projectId = "", ...others] = id.split("/");
  if (projectId === "" || endpointId === "" || others.length > 1) throw malformed(id);
  const resource = seenOf(session, urn);
  if (session.ownership.inState(endpointId).includes(urn)) throw alreadyHeld(endpointId);
  const hidden = { urn, secrets: [] };
  const seen = await readHeld(session, endpointId, { state: { projectId, managed: importable }, hidden });
  // A first read of a compute that is gone needs an error: the engine would not report it.
  if (seen === undefined) throw withoutProject(id);
  resource.imported = endpointId;
  return { ...seen, managed: acceptedOf(seen) };
}

/** An import declares only values that a program could declare: a service may have others. */
function acceptedOf(state: EndpointState): readonly string[] {
  const inputs = inputsOfState(state);
  const rules = { allowUnlistedSizes: false, creates: false, stored: inputs };
  const refused = new Set(checkInputs(inputs, rules).failures.map(({ property }) => property));
  return state.managed.filter((name) => !refused.has(name));
}

function malformed(id: string): ComputeError {
  return new ComputeError({
    doing: `importing compute ${id}`,
    what: "its id is not of the form PROJECT/ep-…",
    fix: "Name the project and the compute, with one slash between them",
  });
}

function withoutProject(id: string): ComputeError {
  return new ComputeError({
    doing: `importing compute ${id}`,
    what: "its project is not known",
    fix: `Name the project as well: \`pulumi import compute:index:Endpoint NAME PROJECT/${id}\`, or import: "PROJECT/${id}"`,
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

/**
 * @returns whether the compute was imported in this run: then the "original" that the engine deletes is the compute
 * itself.
 */
export async function keepImported(session: Session, { state, hidden }: Held): Promise<boolean> {
  const { endpointId } = state;
  if (![...session.resources.values()].some(({ imported }) => imported === endpointId)) return false;
  const { row } = resourceOf(hidden, { log: session.log });
  await row.say(
    "warning",
    `Compute ${endpointId} is not deleted: it was imported again in place of itself. Remove the option \`import\`: an import is done once.`,
  );
  return true;
}
