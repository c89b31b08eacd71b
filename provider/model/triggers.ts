/**
 * Which triggers ask for a restart. Pure: check, diff, update and the report use the same comparison.
 */
import { isDeepStrictEqual } from "node:util";
import { holdsUnknown } from "./unknown";

/** For a program that has the resource of earlier versions. */
export const removedRestart =
  "EndpointRestart is an argument now: remove the resource, and put its triggers into the argument restartTriggers of " +
  'the Endpoint, for example restartTriggers: { release: "2026-48" }. The compute restarts once with that, and then ' +
  "whenever a value changes or is added";

export type Triggers = Readonly<Record<string, unknown>>;

/**
 * Names of the triggers that are new or have another value. A removed one asks for nothing.
 *
 * @param done - the triggers of a state, or of an earlier declaration.
 */
export function dueTriggers(done: unknown, wanted: unknown): readonly string[] {
  const old = membersOf(done);
  return Object.entries(membersOf(wanted))
    .filter(([name, value]) => !Object.hasOwn(old, name) || !isDeepStrictEqual(old[name], value))
    .map(([name]) => name);
}

/** Whether a restart is due whatever the unknown values will be: a new trigger restarts with any value. */
export function isRestartCertain(done: unknown, wanted: unknown): boolean {
  const isNew = (name: string): boolean => !Object.hasOwn(membersOf(done), name);
  return dueTriggers(done, wanted).some((name) => isNew(name) || !holdsUnknown(membersOf(wanted)[name]));
}

/**
 * What a state keeps of the earlier triggers while a restart is not done: the next diff then finds it again. Removed
 * triggers are left out, and of secret ones those that change: the engine marks a value as secret only where the
 * present declaration has a secret. Such a trigger counts as new in the next run.
 */
export function keptTriggers(
  done: Triggers | undefined,
  wanted: Triggers | undefined,
  isSecret: boolean,
): Triggers | undefined {
  if (done === undefined || wanted === undefined) return undefined;
  const left = isSecret ? dueTriggers(done, wanted) : [];
  const isKept = (name: string): boolean => Object.hasOwn(wanted, name) && !left.includes(name);
  return Object.fromEntries(Object.entries(done).filter(([name]) => isKept(name)));
}

function membersOf(triggers: unknown): Triggers {
  return typeof triggers === "object" && triggers !== null ? (triggers as Triggers) : {};
}
