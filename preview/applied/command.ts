/**
 * Runs `compute-preview --applied`: prints the report after an update, and decides the exit code.
 */
import { exitCodes } from "../ending";
import { firstUrn } from "../judge/report";
import { nameOf } from "../judge/stacks";
import { counted } from "../judge/summary";
import { UnreadableInputError } from "../read/json";
import { readPreview } from "../read/preview";
import { parseUrn } from "../read/urn";
import { appliedReportOf } from "./compare";
import { readApplied } from "./read";
import type { MarkdownOptions } from "../render/fit";
import { appliedMarkdown, appliedText } from "./render";
import type { AppliedReport } from "./shape";

/** An operation shows an interruption that nothing announced. */
export const unannouncedCode = 30;

/** What was asked for. */
interface AppliedRequest extends MarkdownOptions {
  readonly format: "markdown" | "json" | "text";
  /** The events of the update. */
  readonly applied: Uint8Array;
  /** The preview to compare with; undefined if there is none. */
  readonly preview: Uint8Array | undefined;
}

/** What is printed, and how the command ends. */
interface AppliedEnding {
  readonly text: string;
  readonly code: number;
  /** For the log; empty if there is nothing to report. */
  readonly message: string;
}

/** @throws UnreadableInputError */
export function runApplied({ applied, preview, format, ...options }: AppliedRequest): AppliedEnding {
  const events = readApplied(applied);
  const announcing = preview === undefined ? undefined : readPreview(preview);
  refuseOther(stackOf(events.anyUrn), announcing && stackOf(firstUrn(announcing)));
  const report = appliedReportOf(events, announcing);
  const text = {
    json: () => `${JSON.stringify(report, undefined, 2)}\n`,
    text: () => appliedText(report),
    markdown: () => appliedMarkdown(report, options),
  }[format]();
  return { text, ...appliedEndingOf(report) };
}

function stackOf(urn = ""): string {
  const { project = null, stack = null } = parseUrn(urn);
  return nameOf({ project, stack });
}

/** The preview of another stack announces nothing of this one: every interruption would seem unannounced. */
function refuseOther(updated: string, previewed = ""): void {
  if (updated === "" || previewed === "" || updated === previewed) return;
  const reason = `The preview is of ${previewed}, and the update of ${updated}`;
  throw new UnreadableInputError(reason, `${reason}: pass the preview of that stack, or none.`);
}

/** How the command ends, and what it says then. */
export function appliedEndingOf({
  failed,
  unannounced,
}: AppliedReport): Pick<AppliedEnding, "code" | "message"> {
  if (failed) return { code: exitCodes.previewFailed, message: "the update itself failed" };
  if (unannounced === 0) return { code: exitCodes.ok, message: "" };
  const count = counted(unannounced, "compute was", "computes were");
  return { code: unannouncedCode, message: `${count} interrupted, which was not announced` };
}
