/**
 * What a preview says if the service refuses to answer it at all: an update would get the same answer. An outage is no
 * refusal: it may be over before the update. Pure.
 */
import type { RequestError } from "../../errors";

const refusedKey = "The service refuses the key";
const noProject = "The service knows no project";

export interface RefusedLooks {
  /** Notes why a list failed. */
  note(projectId: string, error: RequestError): void;
  /** The sentences that no call has returned yet: each cause once in a process. */
  readonly take: () => readonly string[];
}

export function trackRefusedLooks(): RefusedLooks {
  const causes = new Set<string>();
  const unsaid: string[] = [];
  return {
    note: (projectId, error) => {
      const refusal = refusalOf(projectId, error);
      if (refusal === undefined || causes.has(refusal.cause)) return;
      causes.add(refusal.cause);
      unsaid.push(refusal.text);
    },
    take: () => unsaid.splice(0),
  };
}

function refusalOf(
  projectId: string,
  { kind, message, problem }: RequestError,
): { readonly cause: string; readonly text: string } | undefined {
  const text = (reason: string): string =>
    `${reason}, so nothing was checked there, and the update will fail: ${message}`;
  // Of the refusals only 401 and 403 doubt the connection.
  if (kind === "refused" && problem.doubtsConnection === true)
    return { cause: problem.what, text: text(refusedKey) };
  // A proxy's 404 is none of the service's, and says nothing of the project.
  if (kind === "notFound") {
    const reason = `${noProject} ${projectId}`;
    return { cause: reason, text: text(reason) };
  }
  return undefined;
}
