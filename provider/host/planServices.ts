/**
 * What check and diff get from the session, and the code that both share.
 */
import type { Arguments } from "../model/changes";
import type { ComputeError } from "../model/errors";
import { ownOf, withoutUndefined } from "../model/state";
import type { PlanServices } from "../plan/services";
import type { Resource } from "../run/resource";
import type { Session } from "./session";

export function planServices(session: Session, resource: Resource): PlanServices {
  const { clock, run, lifecycle } = session;
  return {
    config: session.config(),
    ownership: run.ownership,
    pause: (ms) => clock.sleep(ms),
    liveReads: { readLive: async (compute) => (await lifecycle()).readLive(compute) },
    previewReplica: async (place) => {
      // The service is asked only if Pulumi's backend has answered.
      if (run.backend.known() === undefined) return {};
      return (await lifecycle()).previewReplica({ place, resource });
    },
    backend: () => session.askBackend(resource),
    now: () => clock.now(),
  };
}

/**
 * Takes the reads that failed. It warns about each failure on the row, except about refusals.
 *
 * @returns the refusals: they fail the preview, because the update would fail too.
 */
export async function failedReads({ loaded }: Session, { row }: Resource): Promise<readonly ComputeError[]> {
  const failed = loaded()?.takeFailures() ?? [];
  for (const { error, isRefusal } of failed) if (!isRefusal) await row.say("warning", error.message);
  return failed.filter(({ isRefusal }) => isRefusal).map(({ error }) => error);
}

/**
 * What a declaration is compared with. If this run has imported the compute, the arguments that only this provider has (such as
 * `restartTriggers`) count as already applied, so that the import causes no restart.
 */
export function sinceImport<Known extends Arguments>(
  { run }: Session,
  resource: Resource,
  { known, args }: { readonly known: Known; readonly args: Arguments },
): Known {
  return run.history.hasTaken(resource) ? { ...withoutUndefined(ownOf(args)), ...known } : known;
}
