/**
 * Publishes a report: as a comment on a pull request, and always in the summary of the step.
 */
import { postComment } from "./comment";
import type { GitHub } from "./github";
import type { ActionInputs } from "./inputs";
import type { Place } from "./order";
import type { Runner } from "./runner";

/** The inputs, runner and GitHub client of a step. */
export interface RunContext {
  readonly inputs: ActionInputs;
  readonly runner: Runner;
  readonly github: GitHub;
}

interface Publication {
  /** The pull request's number; undefined if only the summary shows the report. */
  readonly number: number | undefined;
  /** The comment's first line. */
  readonly marker: string;
  readonly comment: string;
  /** The whole report, if it is too long for a comment. */
  readonly full: string | undefined;
  readonly place: Place;
  /** True if nothing changes and nothing is wrong. */
  readonly isQuiet: boolean;
}

/** The summary of a step holds 1 MiB. */
const summaryBytes = 900_000;

/** Always writes the summary, so that a report is never lost. @returns the comment's address. */
export async function publish(
  { inputs, runner, github }: RunContext,
  { number, marker, comment, full, place, isQuiet }: Publication,
): Promise<string | undefined> {
  const whole = full !== undefined && Buffer.byteLength(full) < summaryBytes ? full : comment;
  if (inputs.comment === "never" || number === undefined) {
    runner.summarize(whole);
    return undefined;
  }
  try {
    const { url, isLate } = await postComment(
      {
        number,
        marker,
        body: comment,
        place,
        isQuiet: inputs.comment === "changes" && isQuiet,
        isOwnToken: inputs.isOwnToken,
      },
      github,
    );
    if (isLate) runner.say("notice", "The comment already shows a newer report, so it was not updated.");
    runner.summarize(whole);
    return url;
  } catch (error) {
    // For example, the pull request comes from a fork, or the repository gives its token no write access.
    const reason = error instanceof Error ? error.message : String(error);
    runner.say(
      "warning",
      `The comment could not be written (${reason}); the report is in the summary of this run.`,
    );
    runner.summarize(`> The comment could not be written, so this is the only report.\n\n${whole}`);
    return undefined;
  }
}

export function runUrlOf({ env }: Runner): string {
  return `${env["GITHUB_SERVER_URL"] ?? ""}/${env["GITHUB_REPOSITORY"] ?? ""}/actions/runs/${env["GITHUB_RUN_ID"] ?? ""}`;
}
