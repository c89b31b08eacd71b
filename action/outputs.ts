/**
 * What the Action hands to later steps: counts, names, and the files of the report.
 */
import { mkdtempSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Findings } from "./findings";
import type { Runner } from "./runner";

interface Written {
  readonly findings: Findings;
  readonly comment: string;
  /** The comment's address. */
  readonly url: string | undefined;
}

export function writeOutputs(runner: Runner, { findings, comment, url }: Written): void {
  const { code, computes, reports, worst, refused, full, json } = findings;
  const count = (drops: "yes" | "may"): number =>
    computes.filter((compute) => compute.drops === drops).length;
  // Each use gets its own folder: two uses in one job must not overwrite each other's files.
  const folder = mkdtempSync(path.resolve(runner.env["RUNNER_TEMP"] ?? ".", "compute-report-"));
  const write = (name: string, text: string): string => {
    const file = path.join(folder, name);
    writeFileSync(file, text);
    return file;
  };
  const outputs = {
    code,
    stacks: reports.length,
    computes: computes.length,
    drops: count("yes"),
    "may-drop": count("may"),
    worst: worst ?? "",
    refused: refused.join(","),
    markdown: write("compute-preview.md", comment),
    json: write("compute-preview.json", json),
    full: full === undefined ? "" : write("compute-preview-full.md", full),
    "comment-url": url ?? "",
  };
  for (const [name, value] of Object.entries(outputs)) runner.output(name, String(value));
}
