/**
 * What `compute-preview` says of the previews: its comment, its JSON, its ending, and the numbers in them.
 */
import { readFileSync } from "node:fs";
import { runCommand } from "../preview/command";
import { filesBelow } from "../preview/files";
import { failureKinds, type FailureKind } from "../preview/judge/failureKinds";
import { refusedKinds, type Permission, type Rules } from "../preview/judge/failures";
import {
  outcomes,
  type Allowance,
  type ComputeReport,
  type Outcome,
  type Report,
  type StacksReport,
} from "../preview/judge/shape";
import { isQuiet } from "../preview/judge/stacks";
import { commentLength } from "../preview/render/markdown";
import { InputError, type ActionInputs } from "./inputs";

export interface Findings {
  readonly code: number;
  readonly complaint: string;
  /** Empty where no preview could be read. */
  readonly markdown: string;
  /** All of the report, where it is too long for a comment. */
  readonly full: string | undefined;
  readonly json: string;
  /** Nothing changes, and nothing is wrong. */
  readonly isQuiet: boolean;
  readonly stacks: number;
  readonly computes: readonly ComputeReport[];
  /** Most serious of all; undefined where no compute changes. */
  readonly worst: Outcome | undefined;
  readonly allowed: readonly Allowance[];
  /** How many computes are refused, by kind. */
  readonly refused: ReadonlyMap<FailureKind, number>;
}

/** Room for what the action adds below the report. */
const ownLength = 4_000;

/** More than any stack needs. */
const fullLength = 50_000_000;

const usageCode = 2;

/** Workflow commands, a line each; empty where nothing is interrupted. */
export function annotationsOf({ previews, folder }: Pick<ActionInputs, "previews" | "folder">): string {
  return runPreview(["--annotations=github", `--folder=${folder}`, "--", ...previews]).printed;
}

/** @throws InputError where the command refuses its options. */
export function findingsOf(
  { previews, failOn, marker }: Pick<ActionInputs, "previews" | "failOn" | "marker">,
  permissions: readonly Permission[],
): Findings {
  const options = [
    ...(failOn === "" ? [] : [`--fail-on=${failOn}`]),
    ...(marker === undefined ? [] : [`--marker=${marker}`]),
    ...permissions.map(({ by, kinds }) => `--allowed-by=${by}=${kinds.join(",")}`),
    "--",
    ...previews,
  ];
  const { code, printed: full, complaint } = runPreview([`--max-length=${fullLength}`, ...options]);
  if (code === usageCode) throw new InputError(complaint.split("\n")[0] ?? "");
  const longest = commentLength - ownLength;
  const isCut = full.length > longest;
  const markdown = isCut ? runPreview([`--max-length=${longest}`, ...options]).printed : full;
  const { printed: json } = runPreview(["--format=json", ...options]);
  const report = json === "" ? undefined : (JSON.parse(json) as Report | StacksReport);
  const reports = reportsOf(report);
  const computes = reports.flatMap((one) => one.computes);
  return {
    code,
    complaint,
    markdown,
    full: isCut ? full : undefined,
    json,
    isQuiet: code === 0 && reports.every(isQuiet),
    stacks: reports.length,
    computes,
    worst: outcomes.find((outcome) => computes.some((compute) => compute.outcome === outcome)),
    allowed: reports.flatMap((one) => one.allowed ?? []),
    refused: countRefused(computes, {
      failOn: failOn.split(",").map((kind) => kind.trim()) as FailureKind[],
      permissions,
    }),
  };
}

function reportsOf(report: Report | StacksReport | undefined): readonly Report[] {
  if (report === undefined) return [];
  return report.format === "compute-preview" ? [report] : report.stacks.map((stack) => stack.report);
}

/** In the order of the exit codes. */
function countRefused(computes: readonly ComputeReport[], rules: Rules): ReadonlyMap<FailureKind, number> {
  const met = computes.flatMap((compute) => refusedKinds(compute, rules));
  const counts = failureKinds.map((kind) => [kind, met.filter((one) => one === kind).length] as const);
  return new Map(counts.filter(([, count]) => count > 0));
}

/** Runs the command as a process of its own would. */
export function runPreview(args: readonly string[]): { code: number; printed: string; complaint: string } {
  const [printed, complaints]: [string[], string[]] = [[], []];
  const code = runCommand(args, {
    read: (file) => readFileSync(file ?? 0),
    list: filesBelow,
    // There is no pipe: without files the command would wait for one.
    isTerminal: true,
    print: (text) => printed.push(text),
    complain: (text) => complaints.push(text),
  });
  return { code, printed: printed.join(""), complaint: complaints.join("").trim() };
}
