/**
 * What the engine asks to be done, and the reads of a refresh. What it asks before is in `planning.ts`.
 */
import type { Lookup } from "../lifecycle/read";
import { knownInputs } from "../model/inputs";
import { checkHolds, type EndpointState } from "../model/state";
import type { EngineDeclaration, EngineState, TimeLimited } from "../model/stored";
import { madePublic, sinceImport, type ChangeSides } from "./planning";
import type { Session } from "./session";

export async function createDeclared(
  { run, backend, lifecycle, resourceOf }: Session,
  { args, hidden, limitSeconds }: EngineDeclaration & TimeLimited,
): Promise<EndpointState> {
  const resource = resourceOf(hidden, { limitSeconds });
  const inputs = knownInputs(args);
  const steps = await lifecycle();
  const replaces = run.replacedBy(resource);
  if (inputs.adopt !== undefined) run.noteTaken(resource, inputs.adopt);
  const state = await steps.create({ inputs, resource, replaces, ...run.announced(resource) });
  run.noteReady(resource);
  await backend.nameLeft(resource);
  return state;
}

/** @returns undefined if the compute is gone. */
export async function readHeld(
  { run, lifecycle, resourceOf }: Session,
  endpointId: string,
  { state, hidden, former }: Omit<EngineState, "state"> & { readonly state: Lookup },
): Promise<EndpointState | undefined> {
  const resource = resourceOf(hidden, { former });
  const seen = await (await lifecycle()).read(state, { endpointId, resource });
  // A compute that a program reads by id is not its own: only its project was declared.
  const isOwn = state.endpointId !== undefined && state.managed.includes("branchId");
  if (isOwn && resource.id !== undefined) run.noteRead(resource, endpointId, seen);
  return seen;
}

export async function updateHeld(
  session: Session,
  { held, declared, limitSeconds }: ChangeSides & TimeLimited,
): Promise<EndpointState> {
  const { run, backend, lifecycle } = session;
  checkHolds(held.state);
  const resource = session.resourceOf(declared.hidden, { former: held.hidden, limitSeconds });
  const inputs = knownInputs(declared.args);
  const before = sinceImport(session, resource, { known: held.state, args: inputs });
  const cannotWait = madePublic({ held, declared });
  const declaration = { inputs, resource, cannotWait, ...run.announced(resource) };
  const state = await (await lifecycle()).update(before, declaration);
  run.noteReady(resource);
  await backend.nameLeft(resource);
  return state;
}

export async function deleteHeld(
  { run, backend, lifecycle, resourceOf }: Session,
  { state, hidden, former, limitSeconds }: EngineState & TimeLimited,
): Promise<void> {
  checkHolds(state);
  const resource = resourceOf(hidden, { former, limitSeconds });
  const steps = await lifecycle();
  if (run.keeps(resource, state.endpointId)) {
    const text = `Compute ${state.endpointId} is not deleted: this resource has it again, because of its line adopt, its option import, or a replacement that was cut off. To replace it, first remove the line with adopt or the option import, in an update of its own.`;
    return resource.row.say("warning", text);
  }
  const leftNamed = backend.nameLeft(resource);
  try {
    await steps.delete(state, resource);
  } finally {
    // A destroy is the last run that can say it.
    await leftNamed;
  }
}
