/**
 * The provider's own word on a change: `[may ]<verb>: …`, as a property of the preview and as a warning.
 */
import type { Diagnostic, Step } from "./input";

/** In the words of the provider's table of effects, and `interrupt` for what the interface leaves open. */
export type Interruption = "replace" | "move" | "suspend" | "restart" | "interrupt";

export interface Notice {
  readonly effect: Interruption;
  /** False where the provider says "may". */
  readonly certain: boolean;
  /** As the provider wrote it. */
  readonly text: string;
  readonly source: "property" | "warning";
}

const heaviestFirst = [
  "replace",
  "move",
  "suspend",
  "restart",
  "interrupt",
] as const satisfies readonly Interruption[];

export function parseNotice(text: unknown, source: Notice["source"]): Notice | undefined {
  if (typeof text !== "string") return undefined;
  const [, may, verb] = /^(may )?(replace|move|suspend|restart|interrupt): /.exec(text) ?? [];
  if (verb === undefined) {
    // The property means an interruption whatever its words; a warning may be about anything.
    return source === "property" ? { effect: "interrupt", certain: false, text, source } : undefined;
  }
  return { effect: verb as Interruption, certain: may === undefined && verb !== "interrupt", text, source };
}

/** The heaviest of what the two channels say: after a failed update only the warning knows the state. */
export function noticeOf(step: Step, diagnostics: readonly Diagnostic[]): Notice | undefined {
  const warnings = diagnostics.filter(({ urn, severity }) => urn === step.urn && severity === "warning");
  const notices = [
    parseNotice(step.after?.inputs?.["interruption"], "property"),
    ...warnings.map(({ text }) => parseNotice(text, "warning")),
  ].filter((notice) => notice !== undefined);
  return notices.sort((left, right) => weight(left) - weight(right))[0];
}

function weight({ effect, certain, source }: Notice): number {
  return heaviestFirst.indexOf(effect) * 4 + (certain ? 0 : 2) + (source === "warning" ? 0 : 1);
}
