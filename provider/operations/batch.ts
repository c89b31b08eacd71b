/**
 * Reads operations for many waits with few requests: polls of one project's operations that come together share a list
 * (interface 4.6) instead of a request each (interface 4.7).
 */
import { inTime, type CallOptions } from "../api/answers";
import type { Api, OperationPage } from "../api/client";
import type { ApiOperation } from "../api/schemas";
import type { Clock } from "../clock";
import { isKind } from "../errors";
import { launchIn } from "../flight";
import { operationBatchMs } from "../timing";
import { hasEnded } from "./status";
import type { LookAtOperation } from "./wait";

export interface OperationBatches {
  readonly look: LookAtOperation;
  /** The newest page of a project's operations, newest first. */
  listNewest(projectId: string, call?: CallOptions): Promise<readonly ApiOperation[]>;
  /**
   * The operations of one compute on the newest page that has any, newest first. In a large stack, others' operations fill
   * the first page within seconds.
   */
  listOf(projectId: string, endpointId: string, call?: CallOptions): Promise<readonly ApiOperation[]>;
  /** The operations of the newest page that are still under way, oldest first. */
  listUnended(projectId: string, call?: CallOptions): Promise<readonly ApiOperation[]>;
}

/** From this many operations on, a list is cheaper than single reads. */
const listPays = 3;
/** Large enough for a burst of creates. If the service rejects the limit, it is omitted. */
const pageLimit = 100;
/** Pages read for operations that the newest does not show; the remaining ones are then read one by one. */
const maxPages = 3;

/** Polls of one project that wait for the same list. */
interface Round {
  /** One for each poll, in the order asked. */
  readonly operationIds: string[];
  readonly listed: Promise<ReadonlyMap<string, ApiOperation>>;
}

export function createOperationBatches(api: Api, clock: Clock): OperationBatches {
  const rounds = new Map<string, Round>();
  const roundWaitMs = roundTimer(clock);
  const listPage = pageLister(api);

  const listNewest: OperationBatches["listNewest"] = async (projectId, call) =>
    (await listPage(projectId, undefined, call)).operations;

  const beginRound = (projectId: string): Round => {
    const operationIds: string[] = [];
    const { answer } = launchIn(roundWaitMs(projectId), clock, async () => {
      rounds.delete(projectId);
      return operationIds.length < listPays
        ? new Map<string, ApiOperation>()
        : listWanted(listPage, projectId, new Set(operationIds));
    });
    const round = { operationIds, listed: answer };
    rounds.set(projectId, round);
    return round;
  };

  const read: LookAtOperation = async ({ id }, projectId, call) => {
    const { operationIds, listed } = rounds.get(projectId) ?? beginRound(projectId);
    operationIds.push(id);
    return (await listed).get(id) ?? api.getOperation(projectId, id, call);
  };

  return {
    look: (operation, projectId, call) =>
      inTime(read(operation, projectId, call), call?.deadline, `reading operation ${operation.id}`),
    listNewest,
    listOf: async (projectId, endpointId, call) => {
      let own: readonly ApiOperation[] = [];
      await listPages(listPage, { projectId, call }, ({ operations }) => {
        own = operations.filter((operation) => operation.endpoint_id === endpointId);
        return own.length === 0;
      });
      return own;
    },
    listUnended: async (projectId, call) =>
      (await listNewest(projectId, call)).filter((operation) => !hasEnded(operation.status)).reverse(),
  };
}

/** @returns how long a project's next round waits for other polls to join it, in milliseconds. */
function roundTimer(clock: Clock): (projectId: string) => number {
  const begun = new Map<string, readonly number[]>();
  return (projectId) => {
    const nowMs = clock.monotonicMs();
    const lately = (begun.get(projectId) ?? []).filter((atMs) => atMs > nowMs - operationBatchMs.roundsOf);
    begun.set(projectId, [...lately, nowMs]);
    return Math.max(operationBatchMs.least, lately.length * operationBatchMs.forEachRound);
  };
}

type ListPage = (projectId: string, cursor?: string, call?: CallOptions) => Promise<OperationPage>;

/** Reads a page of a project's operations, as large as the service allows. */
function pageLister(api: Api): ListPage {
  let limit: number | undefined = pageLimit;
  return async (projectId, cursor, call) => {
    try {
      return await api.listOperations(projectId, { limit, cursor }, call);
    } catch (error) {
      // The largest page is not stated (interface 4.6): a service that refuses ours is asked for its own.
      if (limit === undefined || !isKind(error, "badInput")) throw error;
      limit = undefined;
      return api.listOperations(projectId, { cursor }, call);
    }
  };
}

/** What the newest pages show of the wanted operations. A list that fails shows nothing: single reads follow. */
async function listWanted(
  listPage: ListPage,
  projectId: string,
  wanted: ReadonlySet<string>,
): Promise<ReadonlyMap<string, ApiOperation>> {
  const found = new Map<string, ApiOperation>();
  // Several polls share this list, so none of their deadlines may end it.
  const listed = listPages(listPage, { projectId }, ({ operations }) => {
    for (const operation of operations) if (wanted.has(operation.id)) found.set(operation.id, operation);
    return found.size < wanted.size;
  });
  // Each poll falls back to a read of its own, and reports what that read says.
  await listed.catch(() => undefined);
  return found;
}

/** Reads the newest pages, as long as the next one is wanted. */
async function listPages(
  listPage: ListPage,
  { projectId, call }: { readonly projectId: string; readonly call?: CallOptions | undefined },
  wantsNext: (page: OperationPage) => boolean,
): Promise<void> {
  let cursor: string | undefined;
  for (let pages = 0; pages < maxPages; pages++) {
    const page = await listPage(projectId, cursor, call);
    if (!wantsNext(page) || page.cursor === undefined || page.cursor === cursor) return;
    cursor = page.cursor;
  }
}
