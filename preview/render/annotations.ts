/**
 * Writes each interruption as a remark at the line that declares its compute: as GitHub's workflow commands, or as
 * GitLab's code quality report.
 */
import { createHash } from "node:crypto";
import path from "node:path";
import type { ComputeReport, Report } from "../shape";
import { wholePhraseOf } from "../judge/summary";
import { jsonText, visible } from "./escape";
import { remarksLine } from "./words";

/** The hosts that show annotations. */
export const annotationHosts = ["github", "gitlab"] as const;

export type AnnotationHost = (typeof annotationHosts)[number];

type RemarkLevel = "error" | "warning" | "notice";

/** GitHub shows ten annotations of each kind per step; the Action's own errors and notices need two of them. */
const mostOfAKind = 8;

const gitLabLevels = { error: "critical", warning: "major", notice: "minor" } as const;

/** @param folder - the folder of Pulumi.yaml, as seen from the repository's root; empty for the root. */
export function toAnnotations(reports: readonly Report[], host: AnnotationHost, folder: string): string {
  const annotated = reports.flatMap(({ computes, stack }) =>
    computes
      .filter(({ drops, outcome }) => drops !== "no" || outcome === "refused")
      .map((compute) => ({ compute, stack, file: fileOf(compute, folder) })),
  );
  return host === "github" ? gitHubLines(annotated) : gitLabReport(annotated);
}

interface Annotated {
  readonly compute: ComputeReport;
  readonly stack: string | null;
  /** Relative to the repository; undefined if the preview does not show it. */
  readonly file: string | undefined;
}

function fileOf({ source }: ComputeReport, folder: string): string | undefined {
  if (source === null) return undefined;
  const file = path.posix.join(folder, source.file);
  return file.startsWith("..") ? undefined : file;
}

function levelOf({ outcome, drops }: ComputeReport): RemarkLevel {
  if (outcome === "refused" || (drops === "yes" && (outcome === "delete" || outcome === "replace")))
    return "error";
  return drops === "yes" ? "warning" : "notice";
}

function annotationText({ compute, stack }: Annotated): string {
  const { errors, label } = compute;
  const remarks = errors[0] === undefined ? remarksLine(compute, visible) : visible(errors[0]);
  return `${visible(label)} ${wholePhraseOf(compute)}${stack === null ? "" : ` in ${visible(stack)}`}: ${remarks}`;
}

/** The last annotation of a kind says how many more there are. */
function gitHubLines(annotated: readonly Annotated[]): string {
  const kinds: readonly RemarkLevel[] = ["error", "warning", "notice"];
  return kinds
    .flatMap((kind) => {
      const all = annotated.filter(({ compute }) => levelOf(compute) === kind);
      const shown = all.length > mostOfAKind ? all.slice(0, mostOfAKind - 1) : all;
      const more = all.length - shown.length;
      return [
        ...shown.map((one) => `::${kind}${fileAndLine(one)}::${escapeData(annotationText(one))}\n`),
        ...(more === 0 ? [] : [`::${kind}::${more} more computes: see the report\n`]),
      ];
    })
    .join("");
}

function fileAndLine({ compute: { source }, file }: Annotated): string {
  return source === null || file === undefined ? "" : ` file=${escapeProperty(file)},line=${source.line}`;
}

/** Escapes line breaks, which would begin another command. */
function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(visible(text)).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

/** GitLab needs a line: a compute without one appears only in the report. */
function gitLabReport(annotated: readonly Annotated[]): string {
  const issues = annotated.flatMap((one) => {
    const { compute, file } = one;
    if (compute.source === null || file === undefined) return [];
    return [
      {
        description: annotationText(one),
        check_name: "compute-preview",
        fingerprint: createHash("sha256").update(`${compute.urn} ${compute.outcome}`).digest("hex"),
        severity: gitLabLevels[levelOf(compute)],
        location: { path: file, lines: { begin: compute.source.line } },
      },
    ];
  });
  return jsonText(issues);
}
