/**
 * What checks and diffs ask the service, and what they say of a service that does not answer.
 */
import type { CheckFailure } from "../model/inputs";
import type { LiveReads } from "../plan/live";
import type { Resource } from "../run/resource";
import { oneLine } from "../model/errors";
import { lifecycleOf, type Session } from "./session";

/** Connects with the first question. */
export function liveReadsOf(session: Session): Omit<LiveReads, "takeFailures"> {
  return {
    readLive: async (compute) => (await lifecycleOf(session)).readLive(compute),
    listLive: async (projectId) => (await lifecycleOf(session)).listLive(projectId),
    // Called after a read, so the session is connected.
    serviceNow: () => session.lifecycle?.serviceNow() ?? session.clock.now(),
  };
}

/**
 * Why the service could not be asked: a refusal fails the preview, because the update would fail too; anything else is
 * said on the row.
 */
export async function failedReads(
  { lifecycle, redact }: Session,
  { row }: Resource,
  isPreview: boolean,
): Promise<readonly CheckFailure[]> {
  const unasked = isPreview ? (lifecycle?.takeFailures() ?? []) : [];
  for (const { text, isRefusal } of unasked) if (!isRefusal) await row.say("warning", text);
  const refused = unasked.filter(({ isRefusal }) => isRefusal);
  // The engine prints a reason as it is, and a service's text may be in it.
  return refused.map(({ text }) => ({ property: "", reason: oneLine(redact(text)) }));
}
