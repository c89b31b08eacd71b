/**
 * The report after an update, on the merged pull request: what happened, beside what its preview announced.
 */
import { existsSync } from "node:fs";
import path from "node:path";
import { unannouncedCode } from "../preview/applied/command";
import { appliedMarkerLine } from "../preview/applied/render";
import type { AppliedReport } from "../preview/applied/shape";
import { exitCodes } from "../preview/ending";
import { filesBelow, runFile } from "../preview/files";
import type { Report } from "../preview/judge/shape";
import { isLinesFile } from "../preview/read/lines";
import { code } from "../preview/render/escape";
import { commentLength } from "../preview/render/markdown";
import { declarationsIn } from "./declared";
import { runPreview } from "./findings";
import { GitHubError } from "./github";
import { InputError, type ActionInputs } from "./inputs";
import { mergedPull } from "./merged";
import { placeOf } from "./order";
import { openFiles, writeAppliedOutputs } from "./outputs";
import type { PullRequest } from "./subject";
import { runUrlOf, tell, type RunContext } from "./telling";
import { afterName } from "./words";

/** What one file of events says. */
interface Update {
  readonly code: number;
  /** Without its first line, by which the comment is found. */
  readonly markdown: string;
  /** undefined where the file is none of an update. */
  readonly report: AppliedReport | undefined;
}

/** Leaves room for the foot, and for the line that says whose report is the newer one. */
const longest = commentLength - 2_000;

/** Room for what stands in place of stacks that are left out. */
const noteLength = 500;

/** The first that is met is the step's own. */
const byWeight: readonly number[] = [exitCodes.unreadable, exitCodes.previewFailed, unannouncedCode];

/** @returns the exit code. */
export async function reportApplied(context: RunContext): Promise<number> {
  const { inputs, runner } = context;
  const pull = await pullOf(context);
  if (pull === undefined) runner.say("notice", "No merged pull request brought this revision.");
  const announced = announcedBy(inputs, pull);
  const files = eventFiles(inputs.applied);
  const updates = files.map((file) => updateIn(file, { announced, most: longest - noteLength }));
  const ending = byWeight.find((one) => updates.some((update) => update.code === one)) ?? exitCodes.ok;
  const marker = appliedMarkerLine(inputs.marker);
  const foot = `<sub>[This run](${runUrlOf(runner)}).</sub>\n`;
  const whole = [marker, ...updates.map(({ markdown }) => markdown), foot].join("\n\n");
  const comment = shortened({ marker, updates, foot, whole });
  const full = comment === whole ? undefined : whole;
  const url = await tell(context, {
    number: pull?.number,
    marker,
    comment,
    full,
    place: placeOf(runner.env, undefined),
    isQuiet: ending === exitCodes.ok && updates.every(({ report }) => report?.computes.length === 0),
  });
  const reports = updates.flatMap(({ report }) => report ?? []);
  writeAppliedOutputs(runner, openFiles(runner), {
    ...{ code: ending, reports, comment, url, full },
  });
  if (ending !== exitCodes.ok)
    runner.say("error", `compute-preview ended with ${ending}: docs/compute-preview.md lists the codes`);
  return ending;
}

/** What cannot be asked takes the comment, not the report: an update has happened, whoever may read of it. */
async function pullOf(context: RunContext): Promise<PullRequest | undefined> {
  try {
    return await mergedPull(context);
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    context.runner.say("warning", `The merged pull request could not be asked for (${error.message}).`);
    return undefined;
  }
}

/** @throws InputError where there are none: a job that forgot to write them must not pass. */
function eventFiles(applied: readonly string[]): readonly string[] {
  const files = applied.flatMap((file) => filesIn(file) ?? [file]);
  if (files.length === 0)
    throw new InputError(`applied: there is no *.json, *.ndjson or *.jsonl below ${applied.join(", ")}`);
  return files;
}

/** @returns undefined if it is no folder. */
function filesIn(folder: string): readonly string[] | undefined {
  const files = filesBelow(folder)?.filter(
    (file) => /\.(json|ndjson|jsonl)$/.test(file) && path.posix.basename(file) !== runFile,
  );
  return files?.filter((file) => !isLinesFile(file, files)).map((file) => path.join(folder, file));
}

/** The previews that reviewers saw, by the name of their stack. Without one, the update's own preview counts. */
function announcedBy(
  { previews, workflow }: ActionInputs,
  pull: PullRequest | undefined,
): ReadonlyMap<string, string> {
  const [preview] = declarationsIn(previews).all;
  // The same revision may have been previewed for another pull request.
  if (workflow !== undefined && preview?.number !== pull?.number) return new Map();
  const files = previews.flatMap((file) => filesIn(file) ?? [file]);
  return new Map(
    files.flatMap((file) => {
      const { printed } = runPreview(["--format=json", "--", file]);
      return printed === "" ? [] : [[nameOf(JSON.parse(printed) as Report), file] as const];
    }),
  );
}

function nameOf({ project, stack }: Pick<Report, "project" | "stack">): string {
  return `${project ?? ""}/${stack ?? ""}`;
}

interface Comparing {
  readonly announced: ReadonlyMap<string, string>;
  /** Longest Markdown. */
  readonly most: number;
}

function updateIn(file: string, { announced, most }: Comparing): Update {
  const alone = runPreview(["--format=json", `--applied=${file}`]);
  if (alone.printed === "")
    return { code: alone.code, markdown: unreadable(file, alone.complaint), report: undefined };
  const preview = announced.get(nameOf(JSON.parse(alone.printed) as AppliedReport));
  const options = [`--applied=${file}`, ...(preview === undefined ? [] : ["--", preview])];
  const { code: ending, printed } = runPreview(["--format=json", ...options]);
  const { printed: markdown } = runPreview([`--max-length=${most}`, ...options]);
  return {
    code: ending,
    markdown: markdown.split("\n").slice(1).join("\n").trim(),
    report: JSON.parse(printed) as AppliedReport,
  };
}

function unreadable(file: string, complaint: string): string {
  const reason = existsSync(file)
    ? afterName(complaint)
    : "there is no such file: the step that runs pulumi up has not written it";
  return [
    `### What happened to the computes: ${code(path.basename(file))}`,
    `> [!CAUTION]\n> It is not known what this update did: ${code(reason, 400)}`,
  ].join("\n\n");
}

interface CommentOfUpdates {
  readonly marker: string;
  readonly updates: readonly Update[];
  readonly foot: string;
  readonly whole: string;
}

/** Whole stacks are left out where all of them do not fit: those that differ most from their announcement stay. */
function shortened({ marker, updates, foot, whole }: CommentOfUpdates): string {
  if (whole.length <= longest) return whole;
  const bySeverity = [...updates].sort((left, right) => weightOf(left) - weightOf(right));
  const kept: string[] = [];
  let length = 0;
  for (const { markdown } of bySeverity) {
    if (length + markdown.length > longest - noteLength) break;
    kept.push(markdown);
    length += markdown.length + 2;
  }
  const left = updates.length - kept.length;
  const note = `… and ${left} more ${left === 1 ? "stack" : "stacks"}: the summary of the run has them.`;
  return [marker, ...kept, note, foot].join("\n\n");
}

function weightOf({ code: ending }: Update): number {
  const index = byWeight.indexOf(ending);
  return index < 0 ? byWeight.length : index;
}
