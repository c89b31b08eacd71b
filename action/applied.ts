/**
 * The report after an update, on the merged pull request: what happened, beside what its preview announced.
 */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { appliedEndingOf, unannouncedCode } from "../preview/applied/command";
import { appliedReportOf } from "../preview/applied/compare";
import { readApplied } from "../preview/applied/read";
import { appliedMarkdown, appliedMarkerLine } from "../preview/applied/render";
import type { AppliedReport } from "../preview/applied/shape";
import { exitCodes } from "../preview/ending";
import { filesBelow, runFile } from "../preview/files";
import { firstUrn } from "../preview/judge/report";
import { isLinesFile } from "../preview/read/lines";
import { readPreview, type Preview } from "../preview/read/preview";
import { parseUrn } from "../preview/read/urn";
import { counted } from "../preview/judge/summary";
import { code } from "../preview/render/escape";
import { commentLength } from "../preview/render/markdown";
import { declarationsIn } from "./declared";
import { InputError, type ActionInputs } from "./inputs";
import { mergedPull } from "./merged";
import { placeOf } from "./order";
import { openFiles, writeAppliedOutputs } from "./outputs";
import { askedFor } from "./runner";
import type { PullRequest } from "./subject";
import { runUrlOf, publish, type RunContext } from "./publish";

/** What one file of events says. */
interface Update {
  readonly file: string;
  readonly code: number;
  /** Without its first line, by which the comment is found. */
  readonly markdown: string;
  /** undefined where the file is none of an update. */
  readonly report: AppliedReport | undefined;
}

/** Leaves room for the foot, and for the line that says whose report is the newer one. */
const longest = commentLength - 2_000;

/** Room for what stands in place of stacks that are left out, and for a file's name. */
const noteLength = 500;

/** The first that is met is the step's own. */
const byWeight: readonly number[] = [exitCodes.unreadable, exitCodes.previewFailed, unannouncedCode];

/** @returns the exit code. */
export async function reportApplied(context: RunContext): Promise<number> {
  const { inputs, runner } = context;
  // An update has happened, whoever may read of it.
  const pull = await askedFor("The merged pull request", runner, () => mergedPull(context));
  if (pull === undefined) runner.say("notice", "No merged pull request brought this revision.");
  const announced = announcedBy(inputs, pull);
  const files = eventFiles(inputs.applied);
  const most = longest - 2 * noteLength;
  const updates = named(files.map((file) => updateIn(file, { announced, files, most })));
  const ending = byWeight.find((one) => updates.some((update) => update.code === one)) ?? exitCodes.ok;
  const marker = appliedMarkerLine(inputs.marker);
  const foot = `<sub>[This run](${runUrlOf(runner)}).</sub>\n`;
  const whole = [marker, ...updates.map(({ markdown }) => markdown), foot].join("\n\n");
  const comment = shortened({ marker, updates, foot, whole });
  const full = comment === whole ? undefined : whole;
  const url = await publish(context, {
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

/** What reviewers saw of one stack. */
interface Announced {
  readonly file: string;
  readonly stack: string;
  readonly preview: Preview;
}

/** Without any, what the update itself announced counts. */
function announcedBy(
  { previews, workflow }: ActionInputs,
  pull: PullRequest | undefined,
): readonly Announced[] {
  const [declared] = declarationsIn(previews).all;
  // The same revision may have been previewed for another pull request.
  if (workflow !== undefined && declared?.number !== pull?.number) return [];
  return previews
    .flatMap((file) => filesIn(file) ?? [file])
    .flatMap((file) => {
      try {
        const preview = readPreview(readFileSync(file));
        return [{ file: path.basename(file), stack: stackIn(firstUrn(preview)), preview }];
      } catch {
        return [];
      }
    });
}

/**
 * Stacks of two organisations may have one name, and no event names the organisation: then the file of the same name
 * counts, and never one that is named like another update's.
 */
function announcedFor(file: string, stack: string, { announced, files }: Comparing): Preview | undefined {
  const ofStack = announced.filter((one) => one.stack === stack);
  const same = ofStack.filter((one) => one.file === path.basename(file));
  const free = ofStack.filter((one) => !files.some((other) => path.basename(other) === one.file));
  const [only, ...others] = same.length > 0 ? same : free;
  return others.length === 0 ? only?.preview : undefined;
}

function stackIn(urn: string | undefined): string {
  const { project, stack } = parseUrn(urn ?? "");
  return `${project ?? ""}/${stack ?? ""}`;
}

interface Comparing {
  readonly announced: readonly Announced[];
  /** Of all updates. */
  readonly files: readonly string[];
  /** Longest Markdown. */
  readonly most: number;
}

function updateIn(file: string, comparing: Comparing): Update {
  try {
    const events = readApplied(readFileSync(file));
    const report = appliedReportOf(events, announcedFor(file, stackIn(events.anyUrn), comparing));
    const [, ...lines] = appliedMarkdown(report, { maxLength: comparing.most }).split("\n");
    return { file, code: appliedEndingOf(report).code, markdown: lines.join("\n").trim(), report };
  } catch (error) {
    return { file, code: exitCodes.unreadable, markdown: unreadable(file, error), report: undefined };
  }
}

/** Stacks of one name are told apart by their files, in the first line of each. */
function named(updates: readonly Update[]): readonly Update[] {
  const nameOf = ({ report }: Update): string => `${report?.project ?? ""}/${report?.stack ?? ""}`;
  return updates.map((update) => {
    const alike = updates.filter((other) => other.report && nameOf(other) === nameOf(update));
    if (update.report === undefined || alike.length < 2) return update;
    const [head = "", ...lines] = update.markdown.split("\n");
    return {
      ...update,
      markdown: [`${head} (${code(path.basename(update.file), 80)})`, ...lines].join("\n"),
    };
  });
}

function unreadable(file: string, error: unknown): string {
  const reason = existsSync(file)
    ? error instanceof Error
      ? error.message
      : String(error)
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
  const note = `… and ${counted(left, "more stack")}: the summary of the run has them.`;
  return [marker, ...kept, note, foot].join("\n\n");
}

function weightOf({ code: ending }: Update): number {
  const index = byWeight.indexOf(ending);
  return index < 0 ? byWeight.length : index;
}
