/**
 * Deletes what `compute-verify` has made, and only that: computes that an answer of the service has named. Anything else that
 * may be left is named for the user.
 */
import type { Clock } from "../provider/clock";
import { messageOf } from "../provider/model/errors";
import { listedText } from "../provider/model/state";
import { createShowsAfterMs } from "../provider/model/timing";
import type { Api } from "../provider/service/client";
import type { ApiEndpoint } from "../provider/service/schemas";
import type { VerifyOptions } from "./commandLine";
import type { Engine, OpenCreate } from "./engine";

interface Cleaning {
  readonly engine: Engine;
  readonly api: Api;
  readonly options: VerifyOptions;
  readonly clock: Clock;
  /** Aborts if the user does not want to wait for the deletions. */
  readonly abandon: AbortSignal;
  readonly abandoned: Promise<"abandoned">;
  readonly tell: (text: string) => void;
}

/** Deletes the computes that were made, and names those that may be left. @returns how many computes may be left */
export async function cleanUp(cleaning: Cleaning): Promise<number> {
  const { engine, abandoned, tell } = cleaning;
  const failures: string[] = [];
  const heldIds = (): readonly string[] =>
    (["replica", "primary"] as const).flatMap((compute) => engine.held(compute)?.endpointId ?? []);
  const made = heldIds();
  const remove = async (): Promise<number> => {
    // The replica first: a service may refuse to delete a primary that still has replicas.
    for (const compute of ["replica", "primary"] as const) {
      const id = engine.held(compute)?.endpointId;
      if (id === undefined) continue;
      await engine.destroy(compute).then(
        () => {
          tell(`deleted the ${compute}, ${id}`);
        },
        (error: unknown) => failures.push(engine.redact(messageOf(error))),
      );
    }
    const open = engine.openCreate();
    return open === undefined ? 0 : await nameUnknown(cleaning, open, made);
  };
  const unknown = await Promise.race([abandoned, remove()]);
  const held = heldIds();
  for (const id of held) tell(`LEFT: compute ${id} was not deleted. Delete it at the service.`);
  for (const text of failures) tell(`  ${text}`);
  if (unknown !== "abandoned") return held.length + unknown;
  if (held.length > 0 || engine.openCreate() === undefined) return held.length;
  tell(`LEFT: there may be a compute on branch ${cleaning.options.branchId}. Check that branch.`);
  return 1;
}

/**
 * Names the computes that a create without an answer may have made. They are not deleted, since they may belong to
 * somebody else. @returns how many computes may be left
 */
async function nameUnknown(
  { api, options, clock, abandon, tell }: Cleaning,
  { type, sentAtMs }: OpenCreate,
  made: readonly string[],
): Promise<number> {
  const { projectId, branchId } = options;
  const list = async (): Promise<readonly ApiEndpoint[]> =>
    [...(await api.listEndpoints(projectId)).values()].filter(
      (one) => one.branch_id === branchId && one.type === type && !made.includes(one.id),
    );
  try {
    let found: readonly ApiEndpoint[] = [];
    for (const waitMs of createShowsAfterMs) {
      await clock.sleep(waitMs, abandon);
      found = await list();
      if (found.length > 0) break;
    }
    const serviceAheadMs = (api.serviceNow() ?? clock.now()) - clock.now();
    const sent = new Date(sentAtMs + serviceAheadMs).toISOString().replace(/\.\d+/, "");
    const whose = `This command sent its create at ${sent}. A compute from before is somebody else's; for any other, ask those who use the branch`;
    for (const one of found)
      tell(
        `LEFT: compute ${listedText(one)} may come from the create that got no answer, or from somebody else. ${whose}. Delete it at the service only if it is nobody's.`,
      );
    if (found.length === 0)
      tell(
        `LEFT: there may be a compute on branch ${branchId}: the create got no answer, and no new compute has shown up so far. Check that branch again in a few minutes. ${whose}.`,
      );
    return Math.max(1, found.length);
  } catch {
    tell(
      `LEFT: there may be a compute on branch ${branchId}, whose computes could not be listed. Check that branch.`,
    );
    return 1;
  }
}
