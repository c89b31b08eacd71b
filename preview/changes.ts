/**
 * What changes in one compute's arguments: from what the state holds to what the program declares.
 */
import { effects, type ArgumentName, type Effect } from "../provider/endpoint/effects";
import type { Step } from "./input";
import { leavesOf, secret, type Shown } from "./values";

/** One argument, or one member of a map of them, that changes. */
export interface Change {
  /** `settings.pgSettings.work_mem` for a member. */
  readonly argument: string;
  /** null where it was not set; `[secret]` where it is one. */
  readonly from: Shown;
  /** null where it is removed; `[unknown]` where only the update will know. */
  readonly to: Shown;
  /** What changing this argument does to a running compute. */
  readonly effect: Effect;
  /** True for a secret before and after: whether it changes, the preview does not show. */
  readonly hidden: boolean;
}

const names = Object.keys(effects) as readonly ArgumentName[];

/** Left out, these go back to a default of ours; any other argument is unmanaged then, and stays as it is. */
const removable: ReadonlySet<ArgumentName> = new Set([
  "settings",
  "restartTriggers",
  "onInterruption",
  "timeouts",
]);

/** In the order of the table of effects, heaviest first. */
export function changesOf(step: Step): readonly Change[] {
  if (step.after === undefined) return [];
  return names.flatMap((name) =>
    name === "adopt" && step.before !== undefined ? [] : changesOfArgument(name, step),
  );
}

function changesOfArgument(name: ArgumentName, step: Step): readonly Change[] {
  const from = new Map(leavesOf(name, valueBefore(step, name)));
  const to = new Map(leavesOf(name, step.after?.inputs?.[name]));
  const removed = [...from.keys()].filter((path) => isRemoved(name, path, { step, to }));
  const changed = [...to].filter(([path, value]) => differs(path, from.get(path), value));
  return [...changed, ...removed.map((path) => [path, null] as const)].map(([argument, value]) => {
    const old = from.get(argument) ?? null;
    return {
      argument,
      from: old,
      to: value,
      effect: effectOf(name, value),
      hidden: old === secret && value === secret,
    };
  });
}

/** What the service runs, as the state knows it; where it answers no such field, what was declared. */
export function valueBefore(step: Step, name: string): unknown {
  return step.before?.outputs?.[name] ?? step.before?.inputs?.[name];
}

function differs(path: string, from: Shown | undefined, to: Shown): boolean {
  if (from === secret || to === secret || from === undefined) return true;
  if (path === "suspendTimeoutSeconds") return (from === 0 ? 300 : from) !== (to === 0 ? 300 : to); // interface 3.1
  // Services answer Postgres settings as text, whatever was sent.
  if (path.startsWith("settings.")) return String(from) !== String(to);
  return from !== to;
}

/** Gone from the declaration, and not merely hidden in a map that is secret or unknown as a whole. */
function isRemoved(
  name: ArgumentName,
  path: string,
  now: { step: Step; to: ReadonlyMap<string, Shown> },
): boolean {
  if (!removable.has(name) || now.to.has(path)) return false;
  if (name === "settings" && now.step.after?.inputs?.[name] === undefined) return false; // unmanaged from now on
  if ([...now.to.keys()].some((other) => path.startsWith(`${other}.`))) return false;
  // The state also holds settings that are the service's own.
  const declared = new Map(leavesOf(name, now.step.before?.inputs?.[name]));
  const managed = now.step.before?.outputs?.["__managed"];
  return declared.has(path) || (Array.isArray(managed) && managed.includes(path));
}

/** The two arguments whose effect hangs on the value: enabling drops nothing, nor does a trigger that goes. */
function effectOf(name: ArgumentName, to: Shown): Effect {
  if (name === "disabled" && to === false) return "none";
  if (name === "restartTriggers" && to === null) return "none";
  return effects[name];
}
