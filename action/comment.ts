/**
 * Writes the one comment of a pull request.
 */
import * as z from "zod";
import { GitHubError, readAs, type GitHub } from "./github";
import { isAtLeast, placeLine, placeOfComment, type Place } from "./order";

const commentSchema = z.looseObject({
  id: z.number(),
  body: z.string().nullish(),
  user: z.looseObject({ login: z.string().default(""), type: z.string().optional() }).nullish(),
  html_url: z.string().optional(),
});

type Comment = z.infer<typeof commentSchema>;

interface Posting {
  readonly number: number;
  /** The comment's first line, by which the next run finds it. */
  readonly marker: string;
  readonly body: string;
  readonly place: Place;
  /** True if a comment is updated, but no new one is written. */
  readonly isQuiet: boolean;
  /** True if the token is the workflow's own: the author of its comments is known. */
  readonly isOwnToken: boolean;
}

/** The result of writing a comment. */
interface Posted {
  /** The comment's address; undefined if there is no comment. */
  readonly url: string | undefined;
  /** True if the comment already has a newer report, which stays. */
  readonly isLate: boolean;
}

const workflowLogin = "github-actions[bot]";

export async function postComment(posting: Posting, github: GitHub): Promise<Posted> {
  const isOwn = await ownershipOf(posting, github);
  const found = await ownComments(posting, { isOwn, github });
  const late = found.find((comment) => !isAtLeast(posting.place, placeOfComment(comment.body)));
  if (late !== undefined) return { url: late.html_url, isLate: true };
  const updated = await updateOne(posting, { found, github });
  if (updated !== undefined) return { url: updated.html_url, isLate: false };
  if (found.length === 0 && posting.isQuiet) return { url: undefined, isLate: false };
  return begin(posting, { isOwn, github, known: found });
}

/** Our own comments, the oldest first, so that every run updates the same one. */
async function ownComments(
  { number, marker }: Posting,
  { isOwn, github }: { readonly isOwn: (comment: Comment) => boolean; readonly github: GitHub },
): Promise<readonly Comment[]> {
  const list = await github.list(`issues/${number}/comments`);
  const comments = readAs(z.array(commentSchema), list, "The list of comments");
  return comments
    .filter((comment) => isOwn(comment) && (comment.body ?? "").split(/\r?\n/)[0] === marker)
    .sort((left, right) => left.id - right.id);
}

/**
 * Authors can change their own comments, so another author's comment with our marker is not ours to update. GitHub does
 * not tell the name behind an App's token, so with such a token any bot's comment counts. If the token has no right to
 * update that comment, GitHub refuses.
 */
async function ownershipOf({ isOwnToken }: Posting, github: GitHub): Promise<(comment: Comment) => boolean> {
  const login = isOwnToken ? workflowLogin : await github.login();
  return ({ user }) => (login === undefined ? user?.type === "Bot" : user?.login === login);
}

/** @returns undefined if no comment can be changed: each is gone, or belongs to another author. */
async function updateOne(
  posting: Posting,
  { found, github }: { readonly found: readonly Comment[]; readonly github: GitHub },
): Promise<Comment | undefined> {
  for (const { id } of found) {
    try {
      const answer = await github.send("PATCH", `issues/comments/${id}`, {
        body: { body: commentBody(posting) },
        isRepeatable: true,
      });
      return readComment(answer);
    } catch (error) {
      if (!(error instanceof GitHubError) || ![403, 404, 410].includes(error.status ?? 0)) throw error;
    }
  }
  return undefined;
}

interface Beginning {
  readonly isOwn: (comment: Comment) => boolean;
  readonly github: GitHub;
  /** Comments that could not be changed. */
  readonly known: readonly Comment[];
}

/** Writes a new comment. If another run has written one at the same time, only one of them stays. */
async function begin(posting: Posting, { isOwn, github, known }: Beginning): Promise<Posted> {
  const isNew = ({ id }: Comment): boolean => !known.some((comment) => comment.id === id);
  const lookAgain = async (): Promise<readonly Comment[]> =>
    (await ownComments(posting, { isOwn, github })).filter(isNew);
  const write = async (): Promise<Comment> => {
    const route = `issues/${posting.number}/comments`;
    return readComment(
      await github.send("POST", route, { body: { body: commentBody(posting) }, isRepeatable: false }),
    );
  };
  let written: Comment | undefined;
  try {
    written = await write();
  } catch (error) {
    if (!(error instanceof GitHubError) || !error.isUnknown) throw error;
    const same = (await lookAgain()).find(({ body }) => sameText(body, commentBody(posting)));
    written = same ?? (await write());
  }
  const [first = written, ...others] = await lookAgain();
  if (first.id === written.id && others.length === 0) return { url: written.html_url, isLate: false };
  return joinOthers(posting, { written, first, github });
}

/** If two runs wrote a comment at once, both runs keep the older comment. */
async function joinOthers(
  posting: Posting,
  { written, first, github }: { readonly written: Comment; readonly first: Comment; readonly github: GitHub },
): Promise<Posted> {
  if (first.id === written.id) return { url: written.html_url, isLate: false };
  await github.send("DELETE", `issues/comments/${written.id}`, { isRepeatable: true });
  if (!isAtLeast(posting.place, placeOfComment(first.body))) return { url: first.html_url, isLate: true };
  await updateOne(posting, { found: [first], github });
  return { url: first.html_url, isLate: false };
}

function readComment(answer: unknown): Comment {
  return readAs(commentSchema, answer, "The comment");
}

function commentBody({ body, place }: Posting): string {
  return `${body.trimEnd()}\n\n${placeLine(place)}\n`;
}

/** GitHub may change line endings, and white space around a text. */
function sameText(left: string | null | undefined, right: string): boolean {
  return (left ?? "").replaceAll("\r\n", "\n").trim() === right.trim();
}
