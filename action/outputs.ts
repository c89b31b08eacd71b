/**
 * What the action leaves for other steps: counts, names, and the files of the report.
 */
import { mkdtempSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { AppliedReport } from "../preview/applied/shape";
import type { Findings } from "./findings";
import type { ActionInputs } from "./inputs";
import type { Runner } from "./runner";

interface Files {
  /** Of the artifact with all of a report that is too long for a comment. */
  readonly name: string;
  /** Writes one, and returns its place. */
  readonly write: (name: string, text: string) => string;
}

/** Of its own: two uses in one job must not write over each other. */
export function openFiles({ env }: Runner): Files {
  const folder = mkdtempSync(path.resolve(env["RUNNER_TEMP"] ?? ".", "compute-report-"));
  return {
    name: path.basename(folder),
    write: (name, text) => {
      const file = path.join(folder, name);
      writeFileSync(file, text);
      return file;
    },
  };
}

interface Written {
  readonly findings: Findings;
  readonly comment: string;
  readonly url: string | undefined;
  readonly files: Files;
}

export function writeOutputs(
  inputs: ActionInputs,
  runner: Runner,
  { findings, comment, url, files }: Written,
): void {
  const { code, computes, reports, worst, refused, full } = findings;
  const count = (drops: "yes" | "may"): string =>
    String(computes.filter((compute) => compute.drops === drops).length);
  const outputs = {
    code: String(code),
    stacks: String(reports.length),
    computes: String(computes.length),
    drops: count("yes"),
    "may-drop": count("may"),
    worst: worst ?? "",
    refused: [...refused.keys()].join(","),
    "allowed-by": allowedBy(findings).join(","),
    unannounced: "",
    markdown: files.write("compute-preview.md", comment),
    json: files.write("compute-preview.json", findings.json),
    full: full === undefined ? "" : files.write("compute-preview-full.md", full),
    "full-name": files.name,
    "comment-url": url ?? "",
  };
  hand(runner, outputs);
  if (inputs.comment === "never") runner.say("notice", `The report is in ${outputs.markdown}.`);
}

interface AppliedWritten {
  readonly code: number;
  readonly reports: readonly AppliedReport[];
  readonly comment: string;
  readonly full: string | undefined;
  readonly url: string | undefined;
}

export function writeAppliedOutputs(
  runner: Runner,
  files: Files,
  { code, reports, comment, full, url }: AppliedWritten,
): void {
  const count = (of: (report: AppliedReport) => number): string =>
    String(reports.reduce((sum, report) => sum + of(report), 0));
  hand(runner, {
    code: String(code),
    stacks: String(reports.length),
    computes: count(({ computes }) => computes.length),
    drops: count(({ interrupted }) => interrupted),
    "may-drop": count(({ computes }) => computes.filter(({ comparison }) => comparison === "unknown").length),
    worst: "",
    refused: "",
    "allowed-by": "",
    unannounced: count((report) => report.unannounced),
    markdown: files.write("compute-applied.md", comment),
    json: files.write("compute-applied.json", `${JSON.stringify(reports, undefined, 2)}\n`),
    full: full === undefined ? "" : files.write("compute-applied-full.md", full),
    "full-name": files.name,
    "comment-url": url ?? "",
  });
}

function hand(runner: Runner, outputs: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(outputs)) runner.output(name, value);
}

/** Whose word was needed. */
export function allowedBy({ allowed }: Findings): readonly string[] {
  return [...new Set(allowed.map(({ by }) => by))];
}
