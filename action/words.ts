/**
 * What the action adds around the report: where the run is, and why there is no preview.
 */
import { code } from "../preview/render/escape";
import type { Findings } from "./findings";
import type { Subject } from "./subject";

interface CommentParts {
  /** The comment's first line. */
  readonly marker: string;
  readonly subject: Subject | undefined;
  readonly findings: Findings;
  /** Where this run can be read. */
  readonly runUrl: string;
}

/** The whole comment. */
export function commentOf({ marker, subject, findings, runUrl }: CommentParts): string {
  const { markdown, full } = findings;
  const { revision } = subject ?? {};
  const what = revision && `Revision ${code(revision.sha.slice(0, 10))} into ${code(revision.base)}, `;
  return [
    (markdown || noPreview(marker, runUrl)).trimEnd(),
    ...(full === undefined ? [] : [`The summary of [this run](${runUrl}) has the full report.`]),
    `<sub>${what ?? ""}[this run](${runUrl}).</sub>`,
    "",
  ].join("\n\n");
}

function noPreview(marker: string, runUrl: string): string {
  return [
    marker,
    "### ⚠️ Not known: there is no preview",
    `Whether a compute drops its connections is not known: no preview was made, or it ended before it wrote anything. The log of [this run](${runUrl}) says why.`,
  ].join("\n\n");
}
