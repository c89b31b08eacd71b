/**
 * What a preview says if the service does not answer it, or refuses to. Pure.
 */
import { RequestError } from "../../errors";
import { previewReadMs } from "../../timing";

const refusedKey = "The service refuses the key";
const noProject = "The service knows no project";
const unanswered = "The service could not be asked";

export interface FailedReads {
  /** Notes why a list failed. @param error - undefined if it only takes too long. */
  note(projectId: string, error: unknown): void;
  /** The sentences that no call has returned yet: each cause once in a process. */
  readonly take: () => readonly string[];
}

export function trackFailedReads(): FailedReads {
  const causes = new Set<string>();
  const unsaid: string[] = [];
  return {
    note: (projectId, error) => {
      const { cause, text } = failureOf(projectId, error);
      if (causes.has(cause)) return;
      causes.add(cause);
      unsaid.push(text);
    },
    take: () => unsaid.splice(0),
  };
}

function failureOf(projectId: string, error: unknown): { readonly cause: string; readonly text: string } {
  const doing = `listing the computes of project ${projectId}`;
  if (!(error instanceof RequestError)) {
    const text = `${unanswered}, so nothing was checked there: ${doing}: no answer within ${previewReadMs / 1000} s. Run \`pulumi preview\` again.`;
    return { cause: unanswered, text };
  }
  const { kind, message, problem } = error;
  const refused = (reason: string): string =>
    `${reason}, so nothing was checked there, and the update will fail: ${message}`;
  // Of the refusals only 401 and 403 doubt the connection.
  if (kind === "refused" && problem.doubtsConnection === true)
    return { cause: problem.what, text: refused(refusedKey) };
  // A proxy's 404 is none of the service's, and says nothing of the project.
  if (kind === "notFound") {
    const reason = `${noProject} ${projectId}`;
    return { cause: reason, text: refused(reason) };
  }
  // An outage may be over before the update.
  return { cause: unanswered, text: `${unanswered}, so nothing was checked there: ${message}` };
}
