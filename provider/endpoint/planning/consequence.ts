/**
 * Words for what clients notice of an interruption.
 */
import type { Effect } from "../../fields";
import { figuresBetween, type SizeTable } from "../../sizes";
import type { DeclaredArguments, Stored } from "./changes";

/** A compute before and after a change. */
export interface NoticedSides {
  readonly before: Stored;
  readonly after: DeclaredArguments;
  /** Arguments whose values no message shows. */
  readonly secrets: readonly string[];
  readonly sizeTable: SizeTable;
}

export const sizeNames = ["autoscalingLimitMinCu", "autoscalingLimitMaxCu"] as const;

/** What is dropped, and what clients notice afterwards. */
export function consequence(
  effect: Exclude<Effect, "none">,
  sides: NoticedSides,
  now: string | undefined,
): string {
  if (effect === "replace") return replacementText(now);
  const facts = factsOf(now);
  if (effect === "unstated") {
    return `changes, and the interface does not say whether open connections survive${facts}`;
  }
  // Interface 1: all connections drop, also those through the pooler.
  const dropped =
    sides.before["poolerEnabled"] === true ? "open connections, pooled ones too" : "open connections";
  return `drops ${dropped}${facts}${clientsNotice(sides)}`;
}

/** What a compute does now, in brackets. */
function factsOf(now = ""): string {
  return now === "" ? "" : ` (${now})`;
}

export function replacementText(now: string | undefined): string {
  return `makes a new compute and deletes this one; its host goes away and open connections drop${factsOf(now)}`;
}

/** The figures that change with the size, as far as they reveal no secret. */
function clientsNotice({ before, after, secrets, sizeTable }: NoticedSides): string {
  const shown = sizeNames.filter((name) => !secrets.includes(name));
  const old = Object.fromEntries(shown.map((name) => [name, before[name]]));
  const next = Object.fromEntries(shown.map((name) => [name, after[name] ?? before[name]]));
  // In ASCII: the CLI cuts a long text after 150 bytes, even inside a character.
  const figures = figuresBetween(old, next, sizeTable).map(({ name, from, to, unit }) =>
    `${name} ${from} to ${to} ${unit}`.trimEnd(),
  );
  return figures.length === 0 ? "" : `; ${figures.join(", ")}`;
}
