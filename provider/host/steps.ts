/**
 * What the engine asks to be done, and to be read: for a refresh, `Endpoint.get` or an import. What it asks before is in
 * `planning.ts`.
 */
import type { Lookup } from "../lifecycle/read";
import { ComputeError } from "../model/errors";
import { importableNames, knownInputs, undeclarable } from "../model/inputs";
import { checkHolds, inputsOfState, type EndpointState } from "../model/state";
import type { EngineDeclaration, EngineState, TimeLimited } from "../model/stored";
import { heldInState } from "../plan/adoption";
import { isSameResource } from "../run/resource";
import type { EndpointRef } from "../service/client";
import { madePublic, sinceImport, type ChangeSides } from "./planning";
import type { Session } from "./session";

export async function createDeclared(
  { run: { history }, nameLeft, lifecycle, resourceOf }: Session,
  { args, hidden, limitSeconds }: EngineDeclaration & TimeLimited,
): Promise<EndpointState> {
  const resource = resourceOf(hidden, { limitSeconds });
  const inputs = knownInputs(args);
  const steps = await lifecycle();
  if (inputs.adopt !== undefined) history.noteTaken(resource, inputs.adopt);
  const state = await steps.create({ inputs, resource, ...history.announced(resource) });
  history.noteReady(resource);
  await nameLeft(resource);
  return state;
}

/** @returns undefined if the compute is gone. */
export async function readHeld(
  { run, lifecycle, resourceOf }: Session,
  endpointId: string,
  { state, hidden }: Pick<EngineState, "hidden"> & { readonly state: Lookup },
): Promise<EndpointState | undefined> {
  const resource = resourceOf(hidden);
  const seen = await (await lifecycle()).read(state, { endpointId, resource });
  // A compute that a program reads by id is not its own: only its project was declared.
  const isOwn = state.endpointId !== undefined && state.managed.includes("branchId");
  if (isOwn && resource.id !== undefined) run.history.noteRead(resource, endpointId, seen);
  return seen;
}

export async function updateHeld(
  session: Session,
  { held, declared, limitSeconds }: ChangeSides & TimeLimited,
): Promise<EndpointState> {
  const { nameLeft, lifecycle } = session;
  const { history } = session.run;
  checkHolds(held.state);
  const resource = session.resourceOf(declared.hidden, { former: held.hidden, limitSeconds });
  const inputs = knownInputs(declared.args);
  const before = sinceImport(session, resource, { known: held.state, args: inputs });
  const cannotWait = madePublic({ held, declared });
  const declaration = { inputs, resource, cannotWait, ...history.announced(resource) };
  const state = await (await lifecycle()).update(before, declaration);
  history.noteReady(resource);
  await nameLeft(resource);
  return state;
}

export async function deleteHeld(
  { run, nameLeft, lifecycle, resourceOf }: Session,
  { state, hidden, former, limitSeconds }: EngineState & TimeLimited,
): Promise<void> {
  checkHolds(state);
  const resource = resourceOf(hidden, { former, limitSeconds });
  const steps = await lifecycle();
  if (run.history.keeps(resource, state.endpointId)) {
    const text = `Compute ${state.endpointId} is not deleted: this resource has it again, because of its line adopt, its option import, or a replacement that was cut off. To replace it, first remove the line with adopt or the option import, in an update of its own.`;
    return resource.row.say("warning", text);
  }
  try {
    await steps.delete(state, resource);
  } finally {
    // A destroy is the last run that can say it.
    await nameLeft(resource);
  }
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
  // Only values that a program could declare: a service may have others.
  const inputs = inputsOfState(seen);
  const failures = undeclarable(inputs, { service, stored: inputs });
  const refused = new Set(failures.map(({ property }) => property));
  return { ...seen, managed: seen.managed.filter((name) => !refused.has(name)) };
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
