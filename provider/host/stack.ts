/**
 * What a run asks Pulumi's backend: once, and what earlier runs left is said on rows.
 */
import type { Resource } from "../run/resource";
import type { Hidden } from "../model/stored";
import { declaredWithinMs } from "../model/timing";
import type { StackBackend } from "../run/stackBackend";
import { stackNamesOf } from "./resources";
import { lifecycleOf, type Session } from "./session";

/** Who asks, and for which stack. */
interface Asking {
  readonly hidden: Hidden;
  readonly resource: Resource;
}

/** Asks Pulumi's backend, once in a run. What a step needs and could not be had, the first row says that needs it. */
export async function askBackend(session: Session, { hidden, resource }: Asking): Promise<StackBackend> {
  const { backend } = session;
  if (resource.urn === undefined) return backend;
  const problem = await backend.ask(stackNamesOf(hidden));
  if (problem === undefined || session.hasSaidUnasked) return backend;
  session.hasSaidUnasked = true;
  await resource.row.say(
    "warning",
    `Pulumi's backend could not be asked for this stack's state and for creates that an earlier run did not end (${problem}). If a run of this stack was killed, look at the service for computes that it made before you create others. Adopt no compute that another resource has.`,
  );
  return backend;
}

/**
 * Says once in a run what earlier runs began to create and this run's program does not declare. It begins beside the run's
 * first call, so that a run with nothing pending waits for nothing; steps that take their time wait for it at their end.
 */
export function nameLeft(session: Session, asking: Asking): Promise<void> {
  session.leftNamed ??= sayLeft(session, asking).catch(() => undefined);
  return session.leftNamed;
}

async function sayLeft(session: Session, { hidden, resource }: Asking): Promise<void> {
  const { backend, clock } = session;
  const { urn } = resource;
  if (urn === undefined) return;
  // A run that needs the answer says why it could not be had.
  if ((await backend.ask(stackNamesOf(hidden))) !== undefined) return;
  // The engine checks one resource after the other: it may check some of these in a moment.
  if (backend.left(urn).length > 0) await clock.sleep(declaredWithinMs);
  for (const create of backend.left(urn)) {
    const text = await (await lifecycleOf(session)).leftText(create);
    if (text !== undefined && backend.left(urn).includes(create)) await resource.row.say("warning", text);
  }
}
