/**
 * What `compute-preview` finds in the previews: its comment, its JSON, its verdict, and the numbers in them.
 */
import { statSync } from "node:fs";
import path from "node:path";
import { Client } from "pg";
import { readConnected, readReport, renderReport, reportsOf, type PreviewFiles } from "../preview/command";
import { createAsker, type AskConnections } from "../preview/connections/ask";
import { urlsVariable } from "../preview/connections/login";
import { exitCodes } from "../preview/judge/verdict";
import { filesBelow, readInput } from "../preview/files";
import { outcomes, type ComputeReport, type Outcome, type Report } from "../preview/shape";
import { isQuiet } from "../preview/judge/stacks";
import { commentLength } from "../preview/render/markdown";
import { InputError, type ActionInputs } from "./inputs";
import type { Environment } from "./runner";
import type { Subject } from "./subject";

export interface Findings {
  readonly code: number;
  readonly complaint: string;
  /** Empty if no preview could be read. */
  readonly markdown: string;
  /** The whole report, if it is too long for a comment. */
  readonly full: string | undefined;
  readonly json: string;
  /** True if nothing changes and nothing is wrong. */
  readonly isQuiet: boolean;
  /** One report for each stack that could be read. */
  readonly reports: readonly Report[];
  readonly computes: readonly ComputeReport[];
  /** The most serious outcome; undefined if no compute changes. */
  readonly worst: Outcome | undefined;
  /** Who opened the pull request, if missing secrets are why there is no preview; undefined otherwise. */
  readonly withoutSecrets: Subject["stranger"];
  /** The kinds of `fail-on` that apply, in the order of the exit codes. */
  readonly refused: readonly string[];
}

/** Room for what the Action adds below the report. */
const ownLength = 4_000;

/** More than the report of any stack needs. */
const fullLength = 50_000_000;

/** @param named - the inputs that the user names. */
export const previewFiles = (named: readonly string[]): PreviewFiles => ({
  read: (file = "") => readInput(file, named),
  list: filesBelow,
  // A step's stdin is no pipe, so reading it would wait forever. Without files, the command ends with an error instead.
  isTerminal: true,
});

/**
 * The files of one folder, by their paths below it: the full paths on a runner are so long that the stack names at
 * their ends would be cut.
 */
function filesIn(folder: string): PreviewFiles {
  return {
    ...previewFiles([]),
    read: (file = "") => readInput(path.join(folder, file), []),
    list: () => filesBelow(folder),
  };
}

/** True if nothing was written to this path, or to any file below it. */
function isEmpty(preview: string): boolean {
  const below = filesBelow(preview)?.map((file) => path.join(preview, file)) ?? [preview];
  return below.every((file) => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0);
}

/** The package `pg` is part of the bundle: a workflow need not install it. */
export function askerOf(environment: Environment): AskConnections {
  return createAsker({ pg: { Client }, environment, now: () => new Date() });
}

/** @throws InputError if the command refuses its options. */
export async function findingsOf(
  { previews, failOn, marker, passesWithoutSecrets, connectionUrls }: ActionInputs,
  subject: Subject | undefined,
): Promise<Findings> {
  const options = [
    ...(failOn === "" ? [] : [`--fail-on=${failOn}`]),
    ...(marker === undefined ? [] : [`--marker=${marker}`]),
    "--",
  ];
  const [folder = ""] = previews;
  const isFolder = previews.length === 1 && (filesBelow(folder) ?? []).length > 0;
  const files = isFolder ? filesIn(folder) : previewFiles(previews);
  const named = isFolder ? ["."] : previews;
  const args = [...options, ...named];
  // Only URLs, never PGPASSWORD: a preview may come from a pull request, and its host could be anybody's.
  const { code, complaint, report } =
    connectionUrls === ""
      ? readReport(args, files)
      : await readConnected(args, files, askerOf({ [urlsVariable]: connectionUrls }));
  if (code === exitCodes.usage) throw new InputError(complaint.split("\n")[0] ?? "");
  const inForm = (format: "markdown" | "json", maxLength = fullLength): string =>
    report === undefined ? "" : renderReport(report, { format, marker, maxLength });
  const full = inForm("markdown");
  const longest = commentLength - ownLength;
  const isCut = full.length > longest;
  const reports = report === undefined ? [] : reportsOf(report);
  const computes = reports.flatMap((one) => one.computes);
  // If a preview wrote anything, it ran, so missing secrets are not why it failed.
  const withoutSecrets = reports.length === 0 && previews.every(isEmpty) ? subject?.stranger : undefined;
  return {
    code: withoutSecrets && passesWithoutSecrets ? exitCodes.ok : code,
    withoutSecrets,
    complaint: complaint.trim(),
    markdown: isCut ? inForm("markdown", longest) : full,
    full: isCut ? full : undefined,
    json: inForm("json"),
    isQuiet: code === exitCodes.ok && reports.every(isQuiet),
    reports,
    computes,
    worst: outcomes.find((outcome) => computes.some((compute) => compute.outcome === outcome)),
    refused: report?.verdict.refused.map(({ kind }) => kind) ?? [],
  };
}
