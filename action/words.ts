/**
 * What the action adds around the report: what is refused, and where the run is.
 */
import { failureCodes, type FailureKind } from "../preview/judge/failureKinds";
import { code } from "../preview/render/escape";
import { markerLine } from "../preview/render/markdown";
import type { Findings } from "./findings";
import type { ActionInputs } from "./inputs";
import type { Subject } from "./subject";

interface CommentParts {
  readonly inputs: Pick<ActionInputs, "marker" | "failOn">;
  readonly subject: Subject | undefined;
  readonly findings: Findings;
  /** Where this run can be read. */
  readonly runUrl: string;
}

/** The whole comment. */
export function commentOf({ inputs, subject, findings, runUrl }: CommentParts): string {
  const { markdown, full, refused, code: ending, complaint } = findings;
  const { revision } = subject ?? {};
  const what = revision && `Revision ${code(revision.sha.slice(0, 10))} into ${code(revision.base)}, `;
  return [
    (markdown || noPreview(inputs.marker)).trimEnd(),
    ...(full === undefined ? [] : [`The summary of [this run](${runUrl}) has the full report.`]),
    ...(refused.size === 0 ? [] : [refusal(refused, inputs.failOn)]),
    ...(ending === failureCodes.drift && refused.size === 0
      ? [`**Refused**: ${complaint.replace(/^compute-preview: /, "")}.`]
      : []),
    `<sub>${what ?? ""}[this run](${runUrl}).</sub>`,
    "",
  ].join("\n\n");
}

function noPreview(marker: string | undefined): string {
  return [
    markerLine(marker),
    "### Computes",
    "**There is no preview: whether a compute drops its connections is not known.** The log of the run that previews says why. Pull requests from forks get no keys, so nothing can be previewed there.",
  ].join("\n\n");
}

function refusal(refused: ReadonlyMap<FailureKind, number>, failOn: string): string {
  const kinds = [...refused].map(([kind, count]) => `${code(kind)} (${count})`).join(", ");
  return `**Refused** by ${code(`fail-on: ${failOn}`)}: ${kinds}.`;
}
