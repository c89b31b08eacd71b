/**
 * Records on disk what nobody else knows of a create: the interface has no idempotency key, and Pulumi's backend knows a
 * create without its id (`stackBackend.ts`), and only if the whole run was killed. An entry is on disk
 *
 * - without an id from before the POST until its answer: if this process alone is killed, or no answer comes, the run
 *   goes on, and the engine forgets the create.
 * - with the id that the service answered from then on, until the state is known to hold it.
 *
 * One file per owner, written atomically and flushed; secret ids are hashes.
 */
import { rmSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { journalForgetsAfterMs } from "../pure/timing";
import { inDiskTime, isHash, isSilent, readOwn, remove, writeFlushed } from "./flushedFile";

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
  /** Ids of the branch's computes before the request; empty once the created compute is known. */
  baseline: z.array(z.string()),
  /** In milliseconds since the epoch, on this machine's clock. */
  intentAtMs: z.number(),
  /** The compute, from the service's answer on. */
  endpointId: z.string().optional(),
  /** When the service created it, by its own clock. */
  createdAt: z.string().optional(),
  /** Pulumi was told of it: unless its backend still has the create as pending, the state had the compute. */
  isReported: z.boolean().optional(),
});

/** One create, from before its request until the state holds its id. */
export type JournalEntry = z.infer<typeof entrySchema>;

export interface Journal {
  /** The entry that an earlier run wrote for this owner; none without an owner. */
  find(owner: string | undefined): Promise<JournalEntry | undefined>;
  /** On disk when it resolves. */
  write(entry: JournalEntry): Promise<void>;
  clear(owner: string): Promise<void>;
  /**
   * Clears the entry of a create if its compute cannot be lost any more: the state holds it, or it was deleted.
   *
   * @returns the entry if it is not known to be about this compute.
   */
  forget(owner: string | undefined, endpointId: string): Promise<JournalEntry | undefined>;
  /** Before the engine is told of a created compute: notes it in the entry. */
  report(owner: string | undefined): Promise<void>;
  all(): Promise<readonly JournalEntry[]>;
  /**
   * When a process ends normally: removes the entries whose computes it has reported to the engine. Synchronous: the
   * process is about to exit.
   */
  settle(): void;
  /** The file of an owner's entry: a user who deletes it decides that no compute is its owner's. */
  fileOf(owner: string): string;
}

export function createJournal(folder: string, now: () => number): Journal {
  const reported = new Set<string>();
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

  // If the file cannot be removed, its entry is only checked again.
  const clear = async (owner: string): Promise<void> => remove(folder, nameOf(owner)).catch(() => undefined);

  return {
    find: (owner = "") => read(owner),
    write: async (entry) => writeFlushed(folder, nameOf(entry.owner), entry),
    clear,
    forget: async (owner = "", endpointId) => {
      const entry = await read(owner);
      if (entry?.endpointId !== endpointId) return entry;
      await clear(owner);
      return undefined;
    },
    // An entry that cannot be written stays as it was.
    report: async (owner = "") => {
      reported.add(owner);
      const entry = await read(owner);
      if (entry?.endpointId === undefined) return;
      await writeFlushed(folder, nameOf(owner), { ...entry, isReported: true }).catch(() => undefined);
    },
    all: async () => {
      const owners = ownersIn(await inDiskTime(folder, () => readdir(folder)).catch(() => []));
      return (await Promise.all(owners.map(read))).filter((entry) => entry !== undefined);
    },
    settle: () => {
      if (isSilent(folder)) return;
      for (const owner of reported)
        try {
          rmSync(fileOf(owner), { force: true });
        } catch {
          // Windows refuses if another process has it open. The next run checks it again, and clears it.
        }
    },
    fileOf,
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
