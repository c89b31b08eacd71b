/**
 * The commit status. GitHub keeps statuses by revision and name, and a revision may be the head of several pull requests:
 * a name with `{base}` in it is about one branch; any other name is refused to such a revision.
 */
import * as z from "zod";
import { GitHubError, type GitHub } from "./github";
import { addressAt, isAtLeast, placeOfStatus, type Place } from "./order";
import type { Runner } from "./runner";
import type { Sibling, Subject } from "./subject";

/** What a commit status holds. */
const longestDescription = 140;

export interface StatusText {
  readonly state: "success" | "failure" | "pending" | "error";
  readonly description: string;
}

/** A status of `name` on a revision of a pull request into `base`. */
export interface StatusOf {
  readonly name: string;
  readonly sha: string;
  readonly base: string;
}

interface StatusUpdate {
  readonly status: StatusText;
  readonly place: Place;
  readonly url: string;
}

const placeholder = "{base}";

const statusSchema = z.looseObject({
  context: z.string(),
  state: z.string(),
  description: z.string().nullish(),
  target_url: z.string().nullish(),
});

type Status = z.infer<typeof statusSchema>;

/**
 * Other pull requests that the same status would speak for: those of the same revision, and if the name has the branch
 * only those into the same one.
 */
export function sharing(name: string | undefined, { siblings = [], base }: Subject): readonly Sibling[] {
  return name?.includes(placeholder) ? siblings.filter((sibling) => sibling.base === base) : siblings;
}

/** Those of them whose preview may be another one. */
export function contradicting(name: string | undefined, subject: Subject): readonly Sibling[] {
  return sharing(name, subject).filter(({ base }) => base !== subject.base);
}

function contextOf({ name, base }: Pick<StatusOf, "name" | "base">): string {
  return name.replaceAll(placeholder, () => base);
}

/** The newest status of this name; undefined if there is none. */
export async function statusNow(of: StatusOf, github: GitHub): Promise<Status | undefined> {
  const context = contextOf(of);
  const statuses = z.array(statusSchema).parse(await github.list(`commits/${of.sha}/statuses`));
  // Newest first.
  return statuses.find((status) => status.context === context);
}

/** Sets it, unless a newer report has. What GitHub refuses is a warning: the step's own ending stays. */
export async function setStatus(
  of: StatusOf,
  { status, place, url }: StatusUpdate,
  { github, runner }: { readonly github: GitHub; readonly runner: Runner },
): Promise<void> {
  try {
    const now = await statusNow(of, github);
    if (!isAtLeast(place, placeOfStatus(now?.target_url))) {
      runner.say("notice", "A newer report has set the status: it stays.");
      return;
    }
    const body = {
      context: contextOf(of),
      state: status.state,
      description: Array.from(status.description).slice(0, longestDescription).join(""),
      target_url: addressAt(url, place),
    };
    await github.send("POST", `statuses/${of.sha}`, { body, isRepeatable: true });
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    runner.say("warning", `The status could not be set (${error.message}).`);
  }
}
