/**
 * Records on disk what is about to be created, before the request is sent: the engine forgets a create that was
 * killed, and the interface has no idempotency key. An entry is on disk
 *
 * - without an id from before the POST until its answer. If the run is killed then, nobody knows what the POST did.
 * - with the id that the service answered from then on, until the state is known to hold it.
 *
 * One file per owner, written atomically and flushed; secret ids are hashes.
 */
import { closeSync, openSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { journalForgetsAfterMs, listServesMs } from "../timing";
import { isSamePlace } from "./sealedIds";
import { inDiskTime, isHash, isSilent, readFlags, readOwn, remove, writeFlushed } from "./flushedFile";

const entrySchema = z.object({
  /** Also the name of the entry's file. */
  owner: z.string().refine(isHash),
  /** Hash of the owner's stack: a destroy finds the pending creates of its own stack with it. */
  stack: z.string().optional(),
  /** The resource's name, for people. */
  title: z.string().optional(),
  projectId: z.string(),
  branchId: z.string(),
  type: z.enum(["read_write", "read_only"]),
  /** Ids of the branch's computes before the request, until the created compute is known. */
  baseline: z.array(z.string()),
  /** In milliseconds since the epoch, on this machine's clock. */
  intentAtMs: z.number(),
  /** The compute, from the service's answer on. */
  endpointId: z.string().optional(),
  /** When the service created it, by its own clock. */
  createdAt: z.string().optional(),
});

/** One create, from before its request until the state holds its id. */
export type JournalEntry = z.infer<typeof entrySchema>;

export interface Journal {
  /** The entry that an earlier run wrote for this owner; none without an owner. */
  find(owner: string | undefined): Promise<JournalEntry | undefined>;
  /** On disk when it resolves. */
  write(entry: JournalEntry): Promise<void>;
  clear(owner: string): Promise<void>;
  /** Entries of other owners, so that their computes are not claimed; without an owner, all entries. */
  others(owner?: string): Promise<readonly JournalEntry[]>;
  /**
   * When a process ends normally: removes the entries of these owners, whose computes were reported to the engine, except
   * those that a create without an answer on the same branch still needs. Synchronous: the process is about to exit.
   */
  settle(reported: ReadonlySet<string>): void;
  /** Entries without an endpoint id. Cached for 2 s, because every resource's diff asks for them. */
  unanswered(): Promise<readonly JournalEntry[]>;
}

export function createJournal(folder: string, now: () => number): Journal {
  const fileOf = (owner: string): string => join(folder, nameOf(owner));

  const read = async (owner: string): Promise<JournalEntry | undefined> => {
    try {
      const entry = entryOf(owner, await readOwn(folder, nameOf(owner)));
      if (entry === undefined || now() - entry.intentAtMs < journalForgetsAfterMs) return entry;
      await remove(folder, nameOf(owner));
      return undefined;
    } catch {
      // A missing or unreadable entry counts as lost, which is acceptable.
      return undefined;
    }
  };

  const all = async (except?: string): Promise<readonly JournalEntry[]> => {
    const owners = ownersIn(await inDiskTime(folder, () => readdir(folder)).catch(() => []));
    const entries = await Promise.all(owners.filter((owner) => owner !== except).map(read));
    return entries.filter((entry) => entry !== undefined);
  };
  let scan: { readonly atMs: number; readonly entries: Promise<readonly JournalEntry[]> } | undefined;

  return {
    find: async (owner) => (owner === undefined ? undefined : read(owner)),
    write: async (entry) => {
      scan = undefined;
      await writeFlushed(folder, nameOf(entry.owner), entry);
    },
    // If the file cannot be removed, its entry is only checked again.
    clear: async (owner) => {
      await remove(folder, nameOf(owner)).catch(() => undefined);
    },
    others: all,
    settle: (reported) => {
      const entries = isSilent(folder) ? [] : readAllNow(folder);
      const open = entries.filter(({ endpointId }) => endpointId === undefined);
      for (const entry of entries) {
        const isStored = entry.endpointId !== undefined && reported.has(entry.owner);
        if (isStored && !open.some((one) => isSamePlace(one, entry))) removeNow(fileOf(entry.owner));
      }
    },
    unanswered: async () => {
      if (scan === undefined || Math.abs(now() - scan.atMs) > listServesMs)
        scan = { atMs: now(), entries: all() };
      return (await scan.entries).filter(({ endpointId }) => endpointId === undefined);
    },
  };
}

/** @throws for an owner that is not a hash: a path could lead out of the folder. */
function nameOf(owner: string): string {
  if (!isHash(owner)) throw new Error("the owner of a journal entry must be a hash");
  return `${owner}.json`;
}

function ownersIn(names: readonly string[]): readonly string[] {
  return names
    .filter((name) => name.endsWith(".json"))
    .map((name) => name.slice(0, -".json".length))
    .filter(isHash);
}

/** The entry of an owner; undefined if the content is not an entry, or is another owner's entry. */
function entryOf(owner: string, content: unknown): JournalEntry | undefined {
  const entry = entrySchema.safeParse(content).data;
  return entry?.owner === owner ? entry : undefined;
}

/** Every entry; none if any file is not JSON, because it may be the entry of an open create. Never throws. */
function readAllNow(folder: string): readonly JournalEntry[] {
  try {
    return ownersIn(readdirSync(folder))
      .map((owner) => entryOf(owner, readNow(join(folder, nameOf(owner)))))
      .filter((entry) => entry !== undefined);
  } catch {
    return [];
  }
}

function readNow(path: string): unknown {
  const file = openSync(path, readFlags);
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } finally {
    closeSync(file);
  }
}

/** Removes an entry's file. Windows refuses if another process has it open; then the entry is only checked again. */
function removeNow(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // The next run clears it.
  }
}

/** Clears the entry of a create whose compute was deleted. */
export async function forgetDeleted(
  journal: Journal,
  owner: string | undefined,
  endpointId: string,
): Promise<void> {
  const entry = await journal.find(owner);
  if (entry?.endpointId === endpointId) await journal.clear(entry.owner);
}

/**
 * Clears the entry of a create once the state holds its compute: it cannot be lost any more. An open create on the same
 * branch may still need the entry to recognise other resources' computes.
 *
 * @returns the entry if it is not known to be about this compute.
 */
export async function forgetStored(
  journal: Journal,
  owner: string | undefined,
  endpointId: string,
): Promise<JournalEntry | undefined> {
  const entry = await journal.find(owner);
  if (entry?.endpointId !== endpointId) return entry;
  const open = await journal.unanswered();
  if (!open.some((other) => isSamePlace(other, entry))) await journal.clear(entry.owner);
  return undefined;
}
