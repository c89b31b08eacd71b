/**
 * Shows who allowed what `--fail-on` refuses, so that a reader knows that it would otherwise be refused.
 */
import type { FailureKind } from "../judge/failureKinds";
import type { Allowance, Report } from "../judge/shape";
import { counted } from "../judge/summary";
import { groupBy } from "../read/values";
import { someOf, type Quote } from "./words";

const nouns = {
  delete: "deletion",
  replace: "replacement",
  move: "move",
  suspend: "suspension",
  restart: "restart",
  may: "possible interruption",
  drop: "drop of the connections",
  drift: "change made outside",
} as const satisfies Record<FailureKind, string>;

const mostNames = 6;

/** One line for each person who allowed something in this stack, with the computes. */
export function allowedLines({ allowed = [], computes }: Report, quote: Quote): readonly string[] {
  return linesOf(allowed, quote, ({ kind, computes: urns }) => {
    const labels = computes.filter(({ urn }) => urns.includes(urn)).map(({ label }) => label);
    // A resource may have two computes: one that an earlier replacement left over is deleted beside its update.
    const names = someOf([...new Set(labels)].map(quote), mostNames);
    return `${nouns[kind]} of ${names.join(", ")}`;
  });
}

/** The lines for several stacks, with numbers: the stacks' sections have the names. */
export function allowedCountLines(reports: readonly Report[], quote: Quote): readonly string[] {
  const all = reports.flatMap(({ allowed = [] }) => allowed);
  const alike = [...groupBy(all, ({ kind, by }) => `${kind} ${by}`).values()];
  const totals = alike.map((same) => ({ ...same[0], computes: same.flatMap(({ computes }) => computes) }));
  return linesOf(
    totals,
    quote,
    ({ kind, computes }) => `${nouns[kind]} of ${counted(computes.length, "compute")}`,
  );
}

function linesOf(
  allowed: readonly Allowance[],
  quote: Quote,
  textOf: (allowance: Allowance) => string,
): readonly string[] {
  return [...groupBy(allowed, ({ by }) => by)].map(
    ([by, entries]) => `Allowed by ${quote(by)}: ${entries.map(textOf).join("; ")}.`,
  );
}
