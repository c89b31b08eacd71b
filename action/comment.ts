/**
 * The one comment of a pull request.
 */
import * as z from "zod";
import type { GitHub } from "./github";

const comment = z.looseObject({
  id: z.number(),
  body: z.string().nullish(),
  user: z.looseObject({ type: z.string().optional() }).nullish(),
  html_url: z.string().optional(),
});

export interface Posting {
  readonly number: number;
  /** The comment's first line, by which the next run finds it. */
  readonly marker: string;
  readonly body: string;
  /** True where a comment is updated, and none is begun. */
  readonly isQuiet: boolean;
}

/** @returns the comment's address; undefined where there is none. */
export async function postComment(
  { number, marker, body, isQuiet }: Posting,
  github: GitHub,
): Promise<string | undefined> {
  const route = `issues/${number}/comments`;
  const comments = z.array(comment).parse(await github.list(route));
  // Whoever writes a comment may change it later, so that a person's own, with our marker, is not ours to fill.
  const own = comments.find(
    ({ user, body: text }) => user?.type === "Bot" && (text ?? "").split(/\r?\n/)[0] === marker,
  );
  if (own === undefined && isQuiet) return undefined;
  const answer = await (own === undefined
    ? github.send("POST", route, { body })
    : github.send("PATCH", `issues/comments/${own.id}`, { body }));
  return comment.partial().parse(answer).html_url;
}
