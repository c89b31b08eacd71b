/**
 * Reads operations for many waits with few requests: all waits of a project share one read, a list (interface 4.6). If they
 * wait for one operation only, they read just that operation (interface 4.7).
 */
import { isKind } from "../model/errors";
import { fewOperations, sharedPollMs } from "../model/timing";
import type { Api, OperationPage } from "./client";
import type { CallOptions } from "./request";
import type { ApiOperation } from "./schemas";
import type { Operations, ReadOperations } from "./wait";

export interface OperationBatches {
  readonly read: ReadOperations;
  /** The newest page of a project's operations, newest first. */
  readonly listNewest: (projectId: string, call?: CallOptions) => Promise<readonly ApiOperation[]>;
  /**
   * The operations of one compute, newest first, from the newest page that has operations of this compute. In a large stack,
   * operations of other computes fill the first page within seconds.
   */
  listOf(projectId: string, endpointId: string, call?: CallOptions): Promise<readonly ApiOperation[]>;
}

/** Large enough for a burst of creates. If the service rejects the limit, it is omitted. */
const pageLimit = 100;
/** How many pages are searched for operations. The operations that these pages do not show are then read one by one. */
const maxPages = 3;

/** Waits of one project that share a read. */
interface Round {
  /** Ids of the operations that they wait for. */
  readonly ids: Set<string>;
  /** Sends the read, unless it was sent already. The wait that is due first sends it. */
  readonly send: () => void;
  readonly isSent: Promise<void>;
  readonly shown: Promise<ReadonlyMap<string, ApiOperation>>;
}

export function createOperationBatches(api: Api): OperationBatches {
  const rounds = new Map<string, Round>();
  /** Projects in which this run has awaited many operations at once. */
  const large = new Set<string>();
  const listPage = pageLister(api);

  const listNewest: OperationBatches["listNewest"] = async (projectId, call) =>
    (await listPage(projectId, undefined, call)).operations;

  const beginRound = (projectId: string): Round => {
    const ids = new Set<string>();
    let send = (): void => undefined;
    const isSent = new Promise<void>((resolve) => (send = resolve));
    const shown = isSent.then(() => {
      rounds.delete(projectId);
      return ids.size === 1 ? new Map<string, ApiOperation>() : listWanted(listPage, projectId, ids);
    });
    const round = { ids, send, isSent, shown };
    rounds.set(projectId, round);
    return round;
  };

  const untilDue = async (projectId: string, { inMs, deadline }: Parameters<ReadOperations>[2]) => {
    await deadline.wait(inMs);
    if (large.has(projectId)) await deadline.wait(Math.min(sharedPollMs - inMs, deadline.leftMs()));
  };

  const read: ReadOperations = async (operations, projectId, next) => {
    const { deadline, onRetry } = next;
    const { ids, send, isSent, shown } = rounds.get(projectId) ?? beginRound(projectId);
    for (const { id } of operations) ids.add(id);
    if (ids.size > fewOperations) large.add(projectId);
    void untilDue(projectId, next).then(send);
    await isSent;
    const [first, ...others] = operations;
    const shared = async (): Promise<Operations> => {
      const seen = await shown;
      const now = seen.get(first.id) ?? (await api.getOperation(projectId, first.id, { deadline, onRetry }));
      return [now, ...others.map((operation) => seen.get(operation.id) ?? operation)];
    };
    return deadline.bound(shared(), `reading operation ${first.id}`);
  };

  return {
    read,
    listNewest,
    listOf: async (projectId, endpointId, call) => {
      let own: readonly ApiOperation[] = [];
      await listPages(listPage, { projectId, call }, ({ operations }) => {
        own = operations.filter((operation) => operation.endpoint_id === endpointId);
        return own.length === 0;
      });
      return own;
    },
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
      // Interface 4.6 does not state the largest page: a service that refuses ours is asked for its default.
      if (limit === undefined || !isKind(error, "badInput")) throw error;
      limit = undefined;
      return api.listOperations(projectId, { cursor }, call);
    }
  };
}

/** The wanted operations that the newest pages show. If a list fails, single reads follow. */
async function listWanted(
  listPage: ListPage,
  projectId: string,
  wanted: ReadonlySet<string>,
): Promise<ReadonlyMap<string, ApiOperation>> {
  const found = new Map<string, ApiOperation>();
  // Several waits share this list, so none of their deadlines may end it.
  const listed = listPages(listPage, { projectId }, ({ operations }) => {
    for (const operation of operations) if (wanted.has(operation.id)) found.set(operation.id, operation);
    return found.size < wanted.size;
  });
  // Each wait falls back to its own read, and reports the error of that read.
  await listed.catch(() => undefined);
  return found;
}

/** Reads pages, newest first, until no further page is wanted. */
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
