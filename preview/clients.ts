/**
 * What clients of a compute notice, said in the same few words everywhere.
 */
import type { Step } from "./input";
import type { Notice } from "./notice";
import { hasFailedBefore, isRetained, type Verdict } from "./outcome";
import { describeFigure, figuresOf } from "./size";
import { leavesOf, secret, unknown, type Shown } from "./values";

/** A remark, and beside it the one foreign value it is about: renderers quote values, not remarks. */
export interface Remark {
  readonly text: string;
  readonly value?: string;
}

export function remarksOf(step: Step, verdict: Verdict, notice: Notice | undefined): readonly Remark[] {
  const figures = verdict.outcome === "delete" || verdict.outcome === "release" ? [] : figuresOf(step);
  return [
    ...remarksOfOutcome(step, verdict, notice),
    ...figures.map((figure) => ({ text: describeFigure(figure) })),
    ...(hasFailedBefore(step) ? [{ text: "an earlier update failed; this one goes on from there" }] : []),
  ];
}

function remarksOfOutcome(step: Step, verdict: Verdict, notice: Notice | undefined): readonly Remark[] {
  const drop = dropRemark(verdict, notice);
  const host = hostOf(step);
  switch (verdict.outcome) {
    case "refused":
      return [{ text: "the preview stopped here" }];
    case "delete":
      return [drop, { text: "its host goes away", ...host }];
    case "replace":
      return isRetained(step)
        ? [{ text: "a new host; the old compute goes on running, no longer managed", ...host }]
        : [drop, { text: "its host goes away", ...host }, { text: "the new one is known after the update" }];
    case "move":
      return [drop, { text: "the same host then serves another branch", ...branchOf(step) }];
    case "suspend":
      return [drop, { text: "none are taken while it is disabled" }];
    case "restart":
      return [drop];
    case "interrupt":
      return [drop, { text: "the interface does not say" }];
    case "adopt":
      return [{ text: "what is declared is applied to it, which may drop open connections" }];
    case "release":
      return [{ text: "it goes on running, no longer managed", ...host }];
    case "create":
      return [{ text: "its host is known after the update" }];
    case "none":
      return [{ text: "connections are unaffected" }];
  }
}

function dropRemark({ certain, outcome }: Verdict, notice: Notice | undefined): Remark {
  // The provider may have looked: its word on an idle compute counts more than the rule.
  if (notice !== undefined && /\bidle\b|nothing to drop/.test(notice.text)) {
    return { text: "open connections drop (it was idle when previewed)" };
  }
  return { text: certain && outcome !== "interrupt" ? "open connections drop" : "open connections may drop" };
}

function hostOf({ before }: Step): { readonly value?: string } {
  return quoted(before?.outputs?.["host"]);
}

function branchOf({ after }: Step): { readonly value?: string } {
  return quoted(after?.inputs?.["branchId"]);
}

/** Nothing to quote where the value is hidden, or known only during the update. */
function quoted(value: unknown): { readonly value?: string } {
  const shown: Shown = leavesOf("", value)[0]?.[1] ?? null;
  return shown === null || shown === secret || shown === unknown ? {} : { value: String(shown) };
}
