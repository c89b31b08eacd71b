/**
 * What the action adds below the report: what is missing, what is refused, and who may allow it.
 */
import type { FailureKind } from "../preview/judge/failureKinds";
import { code } from "../preview/render/escape";
import { markerLine } from "../preview/render/markdown";
import type { Findings } from "./findings";
import type { Grant, ActionInputs } from "./inputs";
import type { PermissionDecision, Objection } from "./permissions";
import type { Subject } from "./subject";

export interface CommentParts {
  readonly inputs: Pick<ActionInputs, "marker" | "failOn" | "labels" | "environments">;
  readonly subject: Subject | undefined;
  readonly findings: Findings;
  readonly decision: Pick<PermissionDecision, "objections">;
  /** Where this run can be read. */
  readonly runUrl: string;
}

/** The whole comment. */
export function commentOf(told: CommentParts): string {
  const { findings, inputs, runUrl } = told;
  const report = findings.markdown || noPreview(inputs.marker);
  const revision = told.subject === undefined ? "" : `Revision ${code(told.subject.sha.slice(0, 10))}, `;
  return [report.trimEnd(), ...notesOf(told), `<sub>${revision}[this run](${runUrl}).</sub>`, ""].join(
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

function notesOf({ findings, inputs, subject, decision }: CommentParts): readonly string[] {
  const conclusion = subject?.previewing?.conclusion ?? "success";
  return [
    ...(conclusion === "success"
      ? []
      : [`> [!CAUTION]\n> The run that previews ended as ${code(conclusion)}: stacks may be missing here.`]),
    ...(findings.refused.size === 0 ? [] : [refusal(findings.refused, inputs)]),
    ...decision.objections.map(objectionLine),
  ];
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

/** What a commit status holds. */
const longestDescription = 140;

export function statusLine({ code: ending, computes, refused }: Findings, names: readonly string[]): string {
  const kinds = [...refused.keys()].join(", ");
  const drops = computes.filter((compute) => compute.drops === "yes").length;
  const count = `${drops} ${drops === 1 ? "compute drops its" : "computes drop their"} connections`;
  const allowed = names.length === 0 ? "" : `, allowed by ${names.join(", ")}`;
  const line =
    ending === 0
      ? `${count}${allowed}`
      : kinds === ""
        ? `ended with ${ending}`
        : `refused: ${kinds}; ${count}`;
  return line.slice(0, longestDescription);
}
