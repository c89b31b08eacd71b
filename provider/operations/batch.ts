/**
 * Many waits, few requests: looks at operations of one project that come together share a listing (interface
 * 4.6) instead of a request each (interface 4.7).
 */
import { inTime, type CallOptions } from "../api/answers";
import type { Api, OperationPage } from "../api/client";
import type { ApiOperation } from "../api/schemas";
import type { Clock } from "../clock";
import { isKind } from "../errors";
import { operationBatchMs } from "../timing";
import { hasEnded } from "./status";
import type { LookAtOperation } from "./wait";

export interface OperationBatches {
  readonly look: LookAtOperation;
  /** The newest page of a project's operations, newest first. */
  listNewest(projectId: string, call?: CallOptions): Promise<readonly ApiOperation[]>;
  /** Those of them that are still under way, oldest first. */
  listUnended(projectId: string, call?: CallOptions): Promise<readonly ApiOperation[]>;
}

/** From this many looks on, a listing is cheaper than single reads. */
const listingPays = 3;
/** A page that surely shows a wave of creates; a service that refuses the number gets none. */
const pageLimit = 100;
/** Pages read before the rest is looked up singly. */
const maxPages = 3;

interface Look {
  readonly operationId: string;
  readonly call: CallOptions | undefined;
  readonly resolve: (operation: ApiOperation) => void;
  readonly reject: (reason: unknown) => void;
}

export function createOperationBatches(api: Api, clock: Clock): OperationBatches {
  const gathering = new Map<string, Look[]>();
  const rounds = new Map<string, readonly number[]>();
  let limit: number | undefined = pageLimit;

  const listPage: ListPage = async (projectId, cursor, call) => {
    const page = { ...(limit === undefined ? {} : { limit }), ...(cursor === undefined ? {} : { cursor }) };
    try {
      return await api.listOperations(projectId, page, call);
    } catch (error) {
      // The largest page is not stated (interface 4.6): a service that refuses ours is asked for its own.
      if (limit === undefined || !isKind(error, "badInput")) throw error;
      limit = undefined;
      return api.listOperations(projectId, cursor === undefined ? {} : { cursor }, call);
    }
  };

  const answer = async (projectId: string, looks: readonly Look[]): Promise<void> => {
    const listed =
      looks.length < listingPays
        ? new Map<string, ApiOperation>()
        : await listWanted(listPage, projectId, looks);
    for (const look of looks) {
      const operation = listed.get(look.operationId);
      if (operation === undefined)
        api.getOperation(projectId, look.operationId, look.call).then(look.resolve, look.reject);
      else look.resolve(operation);
    }
  };

  const listNewest: OperationBatches["listNewest"] = async (projectId, call) =>
    (await listPage(projectId, undefined, call)).operations;

  /** When the next round leaves, from now. */
  const beginRound = (projectId: string): number => {
    const nowMs = clock.monotonicMs();
    const lately = (rounds.get(projectId) ?? []).filter((atMs) => atMs > nowMs - operationBatchMs.roundsOf);
    rounds.set(projectId, [...lately, nowMs]);
    return Math.max(operationBatchMs.least, lately.length * operationBatchMs.forEachRound);
  };

  return {
    look: (operation, projectId, call) => {
      const looked = new Promise<ApiOperation>((resolve, reject) => {
        const look = { operationId: operation.id, call, resolve, reject };
        const waiting = gathering.get(projectId);
        if (waiting !== undefined) {
          waiting.push(look);
          return;
        }
        const looks: Look[] = [look];
        gathering.set(projectId, looks);
        void clock.sleep(beginRound(projectId)).then(() => {
          gathering.delete(projectId);
          return answer(projectId, looks);
        });
      });
      return inTime(looked, call?.deadline, `reading operation ${operation.id}`);
    },
    listNewest,
    listUnended: async (projectId, call) =>
      (await listNewest(projectId, call)).filter((operation) => !hasEnded(operation.status)).reverse(),
  };
}

type ListPage = (projectId: string, cursor?: string, call?: CallOptions) => Promise<OperationPage>;

/** What the newest pages show of the wanted operations; a failed listing shows nothing, and single reads follow. */
async function listWanted(
  listPage: ListPage,
  projectId: string,
  looks: readonly Look[],
): Promise<ReadonlyMap<string, ApiOperation>> {
  const wanted = new Set(looks.map((look) => look.operationId));
  const found = new Map<string, ApiOperation>();
  let cursor: string | undefined;
  try {
    for (let pages = 0; pages < maxPages && found.size < wanted.size; pages++) {
      // For all of them, so bounded by none of their deadlines.
      const page = await listPage(projectId, cursor);
      for (const operation of page.operations)
        if (wanted.has(operation.id)) found.set(operation.id, operation);
      if (page.cursor === undefined || page.cursor === cursor) break;
      cursor = page.cursor;
    }
  } catch {
    // Each look falls back to a read of its own, and reports what that says.
  }
  return found;
}
