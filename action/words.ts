/**
 * What the action adds below the report: what is missing, what is refused, and who may allow it.
 */
import { exitCodes } from "../preview/ending";
import { failureCodes, type FailureKind } from "../preview/judge/failureKinds";
import { counted } from "../preview/judge/summary";
import { code } from "../preview/render/escape";
import { markerLine } from "../preview/render/markdown";
import type { Findings } from "./findings";
import type { Grant, ActionInputs } from "./inputs";
import type { PermissionDecision, Objection } from "./permissions";
import { contradicting } from "./status";
import type { Sibling, Subject } from "./subject";

interface CommentParts {
  readonly inputs: Pick<ActionInputs, "marker" | "failOn" | "labels" | "environments" | "status">;
  readonly subject: Subject | undefined;
  readonly findings: Findings;
  readonly decision: Pick<PermissionDecision, "objections">;
  /** Why the previews may be of something else; empty where they are not. */
  readonly doubt: string;
  /** Where this run can be read. */
  readonly runUrl: string;
  /** Of the artifact with all of a report that is too long for a comment. */
  readonly fullName: string;
}

/** The whole comment. */
export function commentOf(parts: CommentParts): string {
  const { findings, inputs, runUrl, subject } = parts;
  const report = findings.markdown || noPreview(inputs.marker);
  const revision =
    subject === undefined || !subject.isRevisionKnown
      ? ""
      : `Revision ${code(subject.sha.slice(0, 10))} into ${code(subject.base)}, `;
  return [report.trimEnd(), ...notesOf(parts), `<sub>${revision}[this run](${runUrl}).</sub>`, ""].join(
    "\n\n",
  );
}

function noPreview(marker: string | undefined): string {
  return [
    markerLine(marker),
    "### Computes",
    "**There is no preview: whether a compute drops its connections is not known.** The log of the run that previews says why. Pull requests from forks get no keys, so nothing can be previewed there.",
  ].join("\n\n");
}

function notesOf(parts: CommentParts): readonly string[] {
  const { findings, inputs, subject, decision, doubt } = parts;
  const conclusion = subject?.previewing?.conclusion ?? "success";
  const others =
    subject === undefined || inputs.status === undefined ? [] : contradicting(inputs.status, subject);
  return [
    ...(conclusion === "success"
      ? []
      : [`> [!CAUTION]\n> The run that previews ended as ${code(conclusion)}: stacks may be missing here.`]),
    ...(doubt === "" ? [] : [`> [!CAUTION]\n> It is not known what was previewed: ${doubt}.`]),
    ...(others.length === 0 ? [] : [`> [!CAUTION]\n> The status fails: ${contradictionLine(others)}.`]),
    ...(findings.full === undefined
      ? []
      : [
          `The full report is the artifact ${code(parts.fullName)} of [this run](${parts.runUrl}#artifacts).`,
        ]),
    ...(findings.refused.size === 0 ? [] : [refusal(findings.refused, inputs)]),
    // No label allows it: it is about what is not known of the computes.
    ...(findings.code === failureCodes.drift && findings.refused.size === 0
      ? [`**Refused**: ${afterName(findings.complaint)}.`]
      : []),
    ...decision.objections.map(objectionLine),
  ];
}

/** A complaint of the command, without its name. */
function afterName(complaint: string): string {
  return complaint.replace(/^compute-preview: /, "");
}

function refusal(
  refused: ReadonlyMap<FailureKind, number>,
  { failOn, labels, environments }: CommentParts["inputs"],
): string {
  const kinds = [...refused].map(([kind, count]) => `${code(kind)} (${count})`).join(", ");
  const text = `**Refused** by ${code(`fail-on: ${failOn}`)}: ${kinds}.`;
  const helps = ({ kinds: allowed }: Grant): boolean =>
    allowed.some((kind) => refused.has(kind) || (refused.has("drop") && kind !== "may" && kind !== "drift"));
  const ways = [
    ...labels.filter(helps).map(({ name, kinds: of }) => `the label ${code(name)} (${of.join(", ")})`),
    ...environments
      .filter(helps)
      .map(({ name, kinds: of }) => `an approval of ${code(name)} (${of.join(", ")})`),
  ];
  if (ways.length === 0) return text;
  return `${text} A reviewer who neither opened nor pushed this allows it with ${ways.join(" or ")}, for this preview alone.`;
}

function objectionLine({ kind, name, by, reason }: Objection): string {
  const what = kind === "label" ? "The label" : "The approval of";
  return `${what} ${code(name)} by ${code(by)} does not count: ${reason}.`;
}

/** Short enough for a status, which cuts what is longer. */
export function contradictionLine(others: readonly Sibling[]): string {
  const names = others.map(({ number, base }) => `#${number} into ${base}`);
  return `this revision is also the head of ${names.join(", ")}; put {base} into the status's name, or push another commit`;
}

export function statusLine({ code: ending, computes, refused }: Findings, names: readonly string[]): string {
  const kinds = [...refused.keys()].join(", ");
  const countOf = (wanted: "yes" | "may"): number => computes.filter(({ drops }) => drops === wanted).length;
  const [drops, may] = [countOf("yes"), countOf("may")];
  const count = `${counted(drops, "compute drops its", "computes drop their")} connections${may === 0 ? "" : `, ${may} may`}`;
  const allowed = names.length === 0 ? "" : `, allowed by ${names.join(", ")}`;
  if (ending === exitCodes.unasked) return `the service could not be asked; ${count}`;
  const line =
    ending === 0
      ? `${count}${allowed}`
      : kinds === ""
        ? `ended with ${ending}`
        : `refused: ${kinds}; ${count}`;
  return line;
}
