/**
 * Parses the one document that `pulumi preview --json` prints.
 */
import type { z } from "zod";
import { missingFrom, withFewer } from "./counts";
import { firstIssue, pulumiAdvice, UnreadableInputError } from "./json";
import { toDiagnostic } from "./messages";
import { digestSchema } from "./schemas";
import { isChange, type Preview, type PreviewStep } from "./steps";
import { isStack } from "./urn";
import { groupBy, isMap } from "./values";

/** True for Pulumi's document. Terraform's `validate -json` also has `diagnostics`, but has `valid` too. */
export function isDigest(json: unknown): boolean {
  return (
    isMap(json) &&
    !("valid" in json) &&
    ["steps", "changeSummary", "diagnostics"].some((member) => member in json)
  );
}

/** @throws UnreadableInputError */
export function readDigest(json: unknown): Preview {
  const read = digestSchema.safeParse(json);
  if (!read.success)
    throw new UnreadableInputError(`it does not have the expected form: ${firstIssue(read.error)}`);
  const { steps, diagnostics, changeSummary } = read.data;
  const messages = (diagnostics ?? []).flatMap(toDiagnostic);
  const failed = messages.some(({ severity }) => severity === "error") || !hasEnd(read.data);
  const all = (steps ?? []).map(({ op, urn, oldState: before, newState: after, diffReasons: reasons }) => ({
    op,
    urn,
    before,
    after,
    reasons,
  }));
  const shown = all.map(({ op }) => op);
  const missing = missingFrom(
    shown,
    countsWhatItShows(all) ? changeSummary : withoutFound(all, changeSummary),
  );
  if (!failed && missing !== "") throw all.length === 0 ? withoutSteps(missing) : withFewer(missing);
  return {
    form: "document",
    ...withUnseen(splitRefreshes(all), changeSummary ?? {}),
    kept: [],
    diagnostics: messages,
    failed,
    partial: false,
    unchanged: changeSummary?.["same"] ?? 0,
  };
}

function withoutSteps(missing: string): UnreadableInputError {
  return new UnreadableInputError(
    `it counts changes but lacks their steps (${missing}), like the return value of \`stack.preview()\` in the Automation API`,
    `${pulumiAdvice} In the Automation API, write each event from \`onEvent\` as one line.`,
  );
}

/**
 * True if the counts can be compared with the steps. A refresh is counted by what it found, which a document does not
 * show. A document without steps can be compared too: every change that it counts is missing.
 */
function countsWhatItShows(steps: readonly PreviewStep[]): boolean {
  if (!steps.some(({ op }) => op === "refresh")) return true;
  const ofStack = steps.filter(({ urn }) => isStack(urn));
  const isPlan = ofStack.length > 0 && ofStack.every(({ op }) => op !== "refresh");
  return isPlan && steps.some(isChange);
}

/**
 * The counts without what the refreshes in a document may have found. Each finds at most one update or one deletion: what is
 * counted beyond that is missing.
 */
function withoutFound(
  steps: readonly PreviewStep[],
  counts: Readonly<Record<string, number>> = {},
): Readonly<Record<string, number>> {
  let left = steps.filter(({ op }) => op === "refresh").length;
  return Object.fromEntries(
    Object.entries(counts).map(([word, count]) => {
      const shown = steps.filter(({ op }) => op === word).length;
      const found = /^(?:update|delete)$/.test(word) ? Math.min(left, Math.max(0, count - shown)) : 0;
      left -= found;
      return [word, count - found];
    }),
  );
}

/**
 * True if the engine finished the preview: only then does it write these members. A document without them, such as one
 * with only a warning about the program's folder, belongs to a preview that failed earlier. Its error is on stderr
 * only.
 */
function hasEnd({ changeSummary, duration }: z.infer<typeof digestSchema>): boolean {
  return changeSummary != null || duration != null;
}

/**
 * A document shows only the beginning of a refresh. The result of the refresh is in the next step for the same
 * resource, if there is one. With the plugin, a document may instead show only the end of a refresh.
 */
function splitRefreshes(all: readonly PreviewStep[]): Pick<Preview, "steps" | "refreshes"> {
  const ofStack = all.filter(({ urn }) => isStack(urn));
  const isPart = ofStack.length === 0;
  // Only `pulumi refresh` refreshes the stack's own resource. Other commands plan a step for it; only a destroy that
  // keeps it plans none.
  const isRefresh = !isPart && ofStack.every(({ op }) => op === "refresh");
  const begun = new Set(all.filter(({ op }) => op === "refresh").map(({ urn }) => urn));
  // The engine replaces the beginning of a refresh by its end. If the beginning is still there, a deletion of the same
  // resource is planned: no refresh has found it.
  const isGone = ({ op, urn }: PreviewStep): boolean => op === "delete" && !isStack(urn) && !begun.has(urn);
  const mayBeRefresh = isPart || ofStack.some(({ op }) => op === "refresh");
  const isFound = (step: PreviewStep): boolean => mayBeRefresh && hasIdAlready(step) && !begun.has(step.urn);
  const isEnd = (step: PreviewStep): boolean => isFound(step) || (isRefresh && isGone(step));
  const ends = all
    .filter(isEnd)
    .map(({ urn, before, after }) => ({ urn, before, found: after ?? ("gone" as const) }));
  // In a part of a document, a step may be planned or the result of a refresh, so it counts as both.
  const steps = all.filter((step) => step.op !== "refresh" && (isPart || !isEnd(step)));
  const following = groupBy(steps, ({ urn }) => urn);
  const refreshes = all
    .filter(({ op }) => op === "refresh")
    .map(({ urn, before }) => {
      const next = following.get(urn) ?? [];
      const same = next.find((step) => step.before?.id === before?.id)?.before;
      const isNew = before?.delete !== true && next.some((step) => step.op === "create" && !step.before);
      return { urn, before, found: same ?? (isNew ? ("gone" as const) : undefined) };
    });
  return { steps, refreshes: [...refreshes, ...ends] };
}

/**
 * A document counts what a refresh found, even if it does not show it. If it counts no more than it shows, the other
 * resources are unchanged.
 */
function withUnseen(
  { steps, refreshes }: Pick<Preview, "steps" | "refreshes">,
  counts: Readonly<Record<string, number>>,
): Pick<Preview, "steps" | "refreshes" | "unseenChanges"> {
  const shown = refreshes.filter(({ found }) => found !== undefined && found !== "gone").length;
  const unseen = (counts["update"] ?? 0) - shown;
  // If there are steps, the counts are those of the plan.
  const isCounted = steps.length === 0 && Object.keys(counts).length > 0;
  if (!isCounted || unseen > 0) return { steps, refreshes, unseenChanges: isCounted ? unseen : undefined };
  const seen = refreshes.map((refresh) => ({ ...refresh, found: refresh.found ?? refresh.before }));
  return { steps, refreshes: seen, unseenChanges: undefined };
}

/**
 * True for the result of a refresh, which has an id. A planned update sometimes has an id too: the engine
 * continues to fill in the new state after it has planned the step.
 */
function hasIdAlready({ op, after }: PreviewStep): boolean {
  return op === "update" && after?.id !== undefined;
}
