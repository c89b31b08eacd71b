/**
 * Many waits, few requests: looks at operations of one project that come together share a listing (interface
 * 4.6) instead of a request each (interface 4.7).
 */
import type { CallOptions } from "../api/answers";
import type { Api, OperationPage } from "../api/client";
import type { ApiOperation } from "../api/schemas";
import type { Clock } from "../clock";
import { RequestError } from "../errors";
import { hasEnded } from "./status";
import type { LookAtOperation } from "./wait";

export interface OperationFeed {
  readonly look: LookAtOperation;
  /** Operations that the newest page of a project shows as still under way, oldest first. */
  listUnended(projectId: string, call?: CallOptions): Promise<readonly ApiOperation[]>;
}

/** How long a look waits for others to share its request: shorter where there seem to be none. */
const gatherMs = { alone: 20, inCompany: 100 } as const;
/** A look that comes so soon after another one has company. */
const companyMs = 500;
/** From this many looks on, a listing is cheaper than single reads. */
const listingPays = 4;
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

export function createOperationFeed(api: Api, clock: Clock): OperationFeed {
  const gathering = new Map<string, Look[]>();
  const lookedAtMs = new Map<string, number>();
  let limit: number | undefined = pageLimit;

  const listPage: ListPage = async (projectId, cursor, call) => {
    const page = { ...(limit === undefined ? {} : { limit }), ...(cursor === undefined ? {} : { cursor }) };
    try {
      return await api.listOperations(projectId, page, call);
    } catch (error) {
      // The largest page is not stated (interface 4.6): a service that refuses ours is asked for its own.
      if (limit === undefined || !(error instanceof RequestError) || error.status !== 400) throw error;
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

  const gatherFor = (projectId: string): number => {
    const nowMs = clock.monotonicMs();
    const sinceLastMs = nowMs - (lookedAtMs.get(projectId) ?? Number.NEGATIVE_INFINITY);
    lookedAtMs.set(projectId, nowMs);
    return sinceLastMs < companyMs ? gatherMs.inCompany : gatherMs.alone;
  };

  return {
    look: (operation, projectId, call) =>
      new Promise((resolve, reject) => {
        const look = { operationId: operation.id, call, resolve, reject };
        const waitMs = gatherFor(projectId);
        const waiting = gathering.get(projectId);
        if (waiting !== undefined) {
          waiting.push(look);
          return;
        }
        const looks: Look[] = [look];
        gathering.set(projectId, looks);
        void clock.sleep(waitMs).then(() => {
          gathering.delete(projectId);
          return answer(projectId, looks);
        });
      }),
    listUnended: async (projectId, call) => {
      const { operations } = await listPage(projectId, undefined, call);
      return operations.filter((operation) => !hasEnded(operation.status)).reverse();
    },
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
      const page = await listPage(projectId, cursor, looks[0]?.call);
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
