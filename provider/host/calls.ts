/**
 * What the engine asks to be done, independent of the provider variant: each variant converts its calls to these, and
 * back. What it asks before is in `planningCalls.ts`.
 */
import { knownInputs } from "../model/inputs";
import type { Known } from "../lifecycle/read";
import type { Resource } from "../run/resource";
import { checkHolds, type EndpointState } from "../model/state";
import { madePublic, sinceImport } from "./planningCalls";
import { toThrown } from "./serialization";
import { lifecycleOf, foundIn, replacementIn, seenOf, type SeenResource, type Session } from "./session";
import type { EngineDeclaration, Held, TimeLimited } from "../model/stored";
import { resourceOf } from "./resources";
import { nameLeft } from "./stack";

interface Guard {
  /** Secrets in what the engine passes: no message may show them. */
  readonly secrets: readonly string[];
  /** The property values of a partial failure. */
  readonly properties: (state: EndpointState) => Record<string, unknown>;
}

/** Runs a call of the engine, and throws only errors that the engine can handle. */
export async function guarded<T>(
  { hide, redact }: Session,
  { secrets, properties }: Guard,
  act: () => Promise<T>,
): Promise<T> {
  for (const secret of secrets) hide(secret);
  try {
    return await act();
  } catch (error) {
    throw toThrown(error, { redact, properties });
  }
}

export async function createDeclared(
  session: Session,
  { args, hidden, limitSeconds }: EngineDeclaration & TimeLimited,
): Promise<EndpointState> {
  const resource = resourceOf(hidden, { log: session.log, limitSeconds });
  const inputs = knownInputs(args);
  const lifecycle = await lifecycleOf(session);
  const replaces = replacementIn(session, resource);
  const seen = seenOf(session, resource);
  if (inputs.adopt !== undefined) seen.taken = inputs.adopt;
  const state = await lifecycle.create({ inputs, resource, replaces, announced: seen.creation?.announced });
  session.readiness.ready(resource.id);
  await nameLeft(session, { hidden, resource });
  return state;
}

/** @returns undefined if the compute is gone. */
export async function readHeld(
  session: Session,
  endpointId: string,
  { state, hidden, former }: Omit<Held, "state"> & { readonly state: Known },
): Promise<EndpointState | undefined> {
  const resource = resourceOf(hidden, { log: session.log, former });
  const seen = await (await lifecycleOf(session)).read(state, { endpointId, resource });
  if (resource.id === undefined) return seen;
  // A compute that a program reads by id is not its own: only its project was declared.
  if (state.endpointId !== undefined && state.managed.includes("branchId"))
    noteFound(seenOf(session, resource), endpointId, seen);
  return seen;
}

/**
 * A replaced compute that is still to be deleted is read under the same name: with two computes, neither counts as
 * the resource's.
 */
function noteFound(resource: SeenResource, endpointId: string, state: EndpointState | undefined): void {
  const { found } = resource;
  const isOther = found !== undefined && foundIn(resource)?.endpointId !== endpointId;
  if (state !== undefined) resource.found = isOther ? "two" : state;
  else if (!isOther) resource.found = undefined;
}

export async function updateHeld(
  session: Session,
  {
    held,
    declared,
    limitSeconds,
  }: { readonly held: Held; readonly declared: EngineDeclaration } & TimeLimited,
): Promise<EndpointState> {
  checkHolds(held.state);
  const resource = resourceOf(declared.hidden, { log: session.log, former: held.hidden, limitSeconds });
  const inputs = knownInputs(declared.args);
  const seen = seenOf(session, resource);
  const { announced, hasSaidWaiting } = seen.diffed ?? {};
  const cannotWait = madePublic({ args: held.state, hidden: held.hidden }, declared);
  const declaration = { inputs, resource, announced, hasSaidWaiting, cannotWait };
  const state = await (await lifecycleOf(session)).update(sinceImport(seen, held.state, inputs), declaration);
  session.readiness.ready(resource.id);
  await nameLeft(session, { hidden: declared.hidden, resource });
  return state;
}

/**
 * Whether the state has the compute twice, once as replaced: this run has taken it for the resource again, or its diff has
 * found it as the one to keep, and nothing replaces it.
 */
function isKept(session: Session, { endpointId }: EndpointState, resource: Resource): boolean {
  const { diffed, creation, taken } = seenOf(session, resource);
  if (taken === endpointId) return true;
  return diffed?.endpointId === endpointId && !diffed.replaces && creation === undefined;
}

export async function deleteHeld(
  session: Session,
  { state, hidden, former, limitSeconds }: Held & TimeLimited,
): Promise<void> {
  checkHolds(state);
  const resource = resourceOf(hidden, { log: session.log, former, limitSeconds });
  const lifecycle = await lifecycleOf(session);
  if (isKept(session, state, resource)) {
    const text = `Compute ${state.endpointId} is not deleted: this resource has it again, because of its line adopt, its option import, or a replacement that was cut off. To replace it, first remove the line with adopt or the option import, in an update of its own.`;
    return resource.row.say("warning", text);
  }
  const leftNamed = nameLeft(session, { hidden, resource });
  try {
    await lifecycle.delete(state, resource);
  } finally {
    // A destroy is the last run that can say it.
    await leftNamed;
  }
}
