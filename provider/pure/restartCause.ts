/**
 * Compares the triggers of a declaration with those of the last restart. Pure: the provider and the report use the same
 * comparison.
 */
import { isDeepStrictEqual } from "node:util";
import type { Interruption } from "./interruption";
import { holdsUnknown, unknownValue } from "./unknown";

/** Why a restart is due. */
export interface RestartCause {
  readonly text: string;
  /** False if only the update will know whether a trigger changes. */
  readonly certain: boolean;
}

/** The triggers of a state; without them, no restart of this resource has been done yet. */
export interface Restarted {
  readonly triggers?: unknown;
}

/**
 * @param before - the last restart; undefined for a new resource.
 *
 * @returns undefined if no restart is due. A removed trigger asks for none.
 */
export function causeOf(before: Restarted | undefined, { triggers }: Restarted): RestartCause | undefined {
  const done = before?.triggers;
  const isFirst = done === undefined;
  if (triggers === unknownValue) return { text: "triggers, known only during the update,", certain: isFirst };
  const names = changedTriggers(done, triggers);
  if (names.length === 0) return isFirst ? { text: "this resource", certain: true } : undefined;
  // A new trigger restarts the compute whatever its value will be.
  const isCertain = (name: string): boolean =>
    isFirst || !holdsUnknown(membersOf(triggers)[name]) || !Object.hasOwn(membersOf(done), name);
  return { text: `triggers (${names.join(", ")})`, certain: names.some(isCertain) };
}

/** Names of the triggers that are new or have another value. */
export function changedTriggers(done: unknown, triggers: unknown): readonly string[] {
  const old = membersOf(done);
  return Object.entries(membersOf(triggers))
    .filter(([name, value]) => !Object.hasOwn(old, name) || !isDeepStrictEqual(old[name], value))
    .map(([name]) => name);
}

function membersOf(triggers: unknown): Readonly<Record<string, unknown>> {
  return typeof triggers === "object" && triggers !== null ? (triggers as Record<string, unknown>) : {};
}

/** What a restart does to open connections, without live facts. */
export function interruptionBy({ text, certain }: RestartCause): Interruption {
  return {
    effect: "restart",
    certain,
    text: `${certain ? "" : "may "}restart: ${text} drops open connections`,
  };
}
