/**
 * Shows who allowed what `--fail-on` refuses, so that a reader knows that it would otherwise be refused.
 */
import type { FailureKind } from "../judge/failureKinds";
import type { Allowance, Report } from "../judge/shape";
import { groupBy } from "../read/values";
import { labelsLine, type Quote } from "./words";

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

/** One line for each person who allowed something in this stack, with the computes. */
export function allowedLines({ allowed = [], computes }: Report, quote: Quote): readonly string[] {
  const textOf = ({ kind, computes: urns }: Allowance): string => {
    const labels = computes.filter(({ urn }) => urns.includes(urn)).map(({ label }) => label);
    return `${nouns[kind]} of ${labelsLine(labels, quote)}`;
  };
  return [...groupBy(allowed, ({ by }) => by)].map(
    ([by, entries]) => `Allowed by ${quote(by)}: ${entries.map(textOf).join("; ")}.`,
  );
}
