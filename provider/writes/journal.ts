/**
 * Records on disk what is about to be created, before the request is sent: the engine forgets a create that was
 * killed, and the interface has no idempotency key. An entry stays after its create until the state is known to hold
 * the id.
 *
 * One file per owner, written atomically and flushed, with ids, times and what was sent; secrets are hashes. If it is
 * lost, a second primary is refused by name instead of being found again.
 */
import { createHash } from "node:crypto";
import { readdirSync, rmSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { journalForgetsAfterMs, journalServesMs } from "../timing";
import { isHash, readOwn, writeFlushed, writeNow } from "./flushedFile";
import { runSchema } from "./runs";

const windowSchema = z.object({ fromMs: z.number(), toMs: z.number() });

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
  /** The process that wrote it. */
  run: runSchema.optional().catch(undefined),
  /** Computes of the branch before the request, until the created compute is known. */
  baseline: z.array(z.string()),
  /** In milliseconds since the epoch, on this machine's clock. */
  intentAtMs: z.number(),
  /** The other arguments in the body of its POST; settings and secrets as hashes. */
  sent: z.record(z.string(), z.unknown()).optional(),
  /** When its last POST was under way, in the service's own time if its answers state it. */
  window: windowSchema.optional(),
  /** The same of the POSTs before it; none of them was answered. */
  earlier: z.array(windowSchema).optional(),
  /** The compute, once an answer or a list named it. */
  endpointId: z.string().optional(),
  /**
   * The compute was reported to the engine: unless the engine was killed at that moment, its state holds the compute.
   * `unseen` if a later run changed the stack, and saw no such resource in its state.
   */
  told: z.union([z.literal(true), z.literal("unseen")]).optional(),
});

/** One create, from before its request until the state holds its id. */
export type JournalEntry = z.infer<typeof entrySchema>;

/** What a process knows at its end, by the hashes of the journal. */
export interface EndedRun {
  /** Owners whose create it has reported to the engine. */
  readonly answered: ReadonlySet<string>;
  /** Owners that it has seen: the engine shows every resource of a stack that is updated, unless `--target` excludes it. */
  readonly seen: ReadonlySet<string>;
  /** Stacks that it has changed. */
  readonly changed: ReadonlySet<string>;
}

export interface Journal {
  /** The entry that an earlier run wrote for this owner; none without an owner. */
  find(owner: string | undefined): Promise<JournalEntry | undefined>;
  /** On disk when it resolves. */
  write(entry: JournalEntry): Promise<void>;
  clear(owner: string): Promise<void>;
  /** Entries of other owners, so that their computes are not claimed; without an owner, all entries. */
  others(owner?: string): Promise<readonly JournalEntry[]>;
  /**
   * When a process ends normally: removes the entries of creates whose compute it reported to the engine, except those
   * that an unresolved create on the same branch still needs, and marks the reported ones of earlier runs that it has
   * not seen. Synchronous: the process is about to exit.
   */
  settle(run: EndedRun): void;
  /** Entries without an endpoint id. Cached for 2 s, because every resource's diff asks for them. */
  unanswered(): Promise<readonly JournalEntry[]>;
}

export function createJournal(folder: string, now: () => number): Journal {
  const fileOf = (owner: string): string => join(folder, nameOf(owner));

  const read = async (owner: string): Promise<JournalEntry | undefined> => {
    try {
      const entry = entryIn(folder, owner);
      if (entry === undefined || now() - entry.intentAtMs < journalForgetsAfterMs) return entry;
      await rm(fileOf(owner), { force: true });
      return undefined;
    } catch {
      // A missing or unreadable entry counts as lost, which is acceptable.
      return undefined;
    }
  };

  const all = async (except?: string): Promise<readonly JournalEntry[]> => {
    const owners = ownersIn(await readdir(folder).catch(() => []));
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
      await rm(fileOf(owner), { force: true }).catch(() => undefined);
    },
    others: all,
    settle: ({ answered, seen, changed }) => {
      const entries = readAllNow(folder);
      const open = entries.filter(({ endpointId }) => endpointId === undefined);
      for (const entry of entries) {
        const { owner, stack, endpointId, told } = entry;
        const isNeeded = open.some((one) => isSamePlace(one, entry));
        if (endpointId !== undefined && answered.has(owner) && !isNeeded) removeNow(fileOf(owner));
        if (told === true && changed.has(stack ?? "") && !seen.has(owner))
          writeNow(folder, nameOf(owner), JSON.stringify({ ...entry, told: "unseen" }));
      }
    },
    unanswered: async () => {
      if (scan === undefined || Math.abs(now() - scan.atMs) > journalServesMs)
        scan = { atMs: now(), entries: all() };
      return (await scan.entries).filter(({ endpointId }) => endpointId === undefined);
    },
  };
}

/** Records that the engine has the compute of a create. If writing fails, the entry stays unchanged. */
export async function noteTold(
  journal: Journal,
  owner: string | undefined,
  endpointId: string,
): Promise<void> {
  const entry = await entryNaming(journal, owner, endpointId);
  if (entry !== undefined) await journal.write({ ...entry, told: true }).catch(() => undefined);
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

/**
 * The entry of an owner; undefined if the file is another user's, is not an entry, or is another owner's entry.
 *
 * @throws if the file is missing or is not JSON.
 */
function entryIn(folder: string, owner: string): JournalEntry | undefined {
  const entry = entrySchema.safeParse(readOwn(folder, nameOf(owner))).data;
  return entry?.owner === owner ? entry : undefined;
}

/** Every entry; none if any file is not JSON, because it may be the entry of an open create. Never throws. */
function readAllNow(folder: string): readonly JournalEntry[] {
  try {
    return ownersIn(readdirSync(folder))
      .map((owner) => entryIn(folder, owner))
      .filter((entry) => entry !== undefined);
  } catch {
    return [];
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
  const entry = await entryNaming(journal, owner, endpointId);
  if (entry !== undefined) await journal.clear(entry.owner);
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

async function entryNaming(
  journal: Journal,
  owner: string | undefined,
  endpointId: string,
): Promise<JournalEntry | undefined> {
  const entry = await journal.find(owner);
  return entry?.endpointId === endpointId ? entry : undefined;
}

/** Whether one create could be mistaken for the other. */
export function isSamePlace(left: JournalEntry, right: JournalEntry): boolean {
  return (
    left.type === right.type &&
    isSameId(left.projectId, right.projectId) &&
    isSameId(left.branchId, right.branchId)
  );
}

/** The stored form of a secret id. Other ids stay readable. */
export function sealed(id: string): string {
  return `sha256:${createHash("sha256").update(id).digest("hex")}`;
}

/** Whether an id was stored as a secret: no message may show it, even if the service does. */
export function isSealed(id: string): boolean {
  return id.startsWith("sha256:");
}

/** Whether two ids are equal, whether or not they were stored as secrets. */
export function isSameId(left: string, right: string): boolean {
  const seal = (id: string): string => (isSealed(id) ? id : sealed(id));
  return left === right || seal(left) === seal(right);
}
