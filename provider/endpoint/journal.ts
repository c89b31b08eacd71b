/**
 * What was about to be created, on disk before the request goes out: the engine forgets a create that was
 * killed, and the interface has no idempotency key. An entry outlives its create until the state is known to
 * hold the id.
 *
 * A file per owner, written atomically and flushed; ids and times only, a secret id as a hash. Losing it is
 * survivable: a second primary is refused by name instead of reconciled.
 */
import { createHash } from "node:crypto";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { Clock } from "../clock";
import type { ProviderConfig } from "../config";
import { hashOf, writeFlushed } from "./flushedFile";
import type { ComputeType } from "./inputs";
import { noteTakeovers, type Takeovers } from "./takeovers";

const entrySchema = z.object({
  owner: z.string(),
  projectId: z.string(),
  branchId: z.string(),
  type: z.enum(["read_write", "read_only"]),
  /** Computes of the branch before the request, as long as the one it made is not known. */
  baseline: z.array(z.string()),
  /** When, in milliseconds since the epoch, on this machine's clock. */
  intentAtMs: z.number(),
  /** Whether the state held another compute of this owner at the time: this one was to replace it. */
  replaces: z.boolean().default(false),
  /** The compute, once an answer or a listing named it. */
  endpointId: z.string().optional(),
});

/** One create, from before its request until the state holds its id. */
export interface JournalEntry extends z.infer<typeof entrySchema> {
  readonly type: ComputeType;
}

export interface Journal {
  /** The entry an earlier run left for this owner. */
  find(owner: string): Promise<JournalEntry | undefined>;
  /** On disk when it resolves. */
  write(entry: JournalEntry): Promise<void>;
  clear(owner: string): Promise<void>;
  /** Entries of other owners, to keep their computes theirs. */
  others(owner: string): Promise<readonly JournalEntry[]>;
  /** Those whose compute nobody knows yet, as of a moment ago at most: a large stack asks for each resource. */
  unanswered(): Promise<readonly JournalEntry[]>;
}

/**
 * Names the resource that a create is for: its URN, in this program's folder, on this service.
 *
 * @returns undefined without a URN; such a create is not journaled.
 */
export function ownerOf(
  urn: string | undefined,
  place: { readonly baseUrl: string; readonly folder: string },
): string | undefined {
  if (urn === undefined) return undefined;
  return hashOf([urn, place.baseUrl, place.folder]);
}

/** The journal of this user, and whose entry a resource of this program has. */
export interface OpenJournal {
  readonly journal: Journal;
  readonly takeovers: Takeovers;
  readonly ownerOf: (urn: string | undefined) => string | undefined;
}

/** @throws ConfigurationError where the key or the base URL is missing. */
export function openJournal(config: ProviderConfig, clock: Clock): OpenJournal {
  const place = { baseUrl: config.connection().baseUrl, folder: process.cwd() };
  return {
    journal: createJournal(config.journalFolder, () => clock.now()),
    takeovers: noteTakeovers(config.journalFolder, place.baseUrl),
    ownerOf: (urn) => ownerOf(urn, place),
  };
}

/** How long the entries that were read serve `unanswered`. */
const scanHoldsMs = 2_000;

/** Entries nobody came back for; a state that lost its create has been repaired by then. */
const forgetAfterMs = 90 * 24 * 3600 * 1000;

export function createJournal(folder: string, now: () => number): Journal {
  const fileOf = (owner: string): string => join(folder, `${owner}.json`);

  const read = async (file: string): Promise<JournalEntry | undefined> => {
    try {
      const entry = entrySchema.parse(JSON.parse(await readFile(file, "utf8")));
      if (now() - entry.intentAtMs < forgetAfterMs) return entry;
      await rm(file, { force: true });
      return undefined;
    } catch {
      // Missing or unreadable: as good as lost, and that is survivable.
      return undefined;
    }
  };

  const all = async (except?: string): Promise<readonly JournalEntry[]> => {
    const names = await readdir(folder).catch(() => []);
    const files = names.filter((name) => name.endsWith(".json") && name !== `${except}.json`);
    const entries = await Promise.all(files.map((name) => read(join(folder, name))));
    return entries.filter((entry) => entry !== undefined);
  };
  let scan: { readonly atMs: number; readonly entries: Promise<readonly JournalEntry[]> } | undefined;

  return {
    find: (owner) => read(fileOf(owner)),
    write: async (entry) => {
      scan = undefined;
      await writeFlushed(folder, `${entry.owner}.json`, entry);
    },
    clear: (owner) => rm(fileOf(owner), { force: true }),
    others: all,
    unanswered: async () => {
      if (scan === undefined || Math.abs(now() - scan.atMs) > scanHoldsMs)
        scan = { atMs: now(), entries: all() };
      return (await scan.entries).filter(({ endpointId }) => endpointId === undefined);
    },
  };
}

/** Clears the entry of a create whose compute has been deleted. */
export async function forgetDeleted(
  journal: Journal,
  owner: string | undefined,
  endpointId: string,
): Promise<void> {
  const entry = await entryNaming(journal, owner, endpointId);
  if (entry !== undefined) await journal.clear(entry.owner);
}

/** Clears the entry of a create once the state is seen to hold its compute: nothing can lose it any more. */
export async function forgetStored(
  journal: Journal,
  owner: string | undefined,
  endpointId: string,
): Promise<void> {
  const entry = await entryNaming(journal, owner, endpointId);
  if (entry !== undefined) await forget(journal, entry);
}

async function entryNaming(
  journal: Journal,
  owner: string | undefined,
  endpointId: string,
): Promise<JournalEntry | undefined> {
  const entry = owner === undefined ? undefined : await journal.find(owner);
  return entry?.endpointId === endpointId ? entry : undefined;
}

/**
 * Clears the entry of a first create once the state is seen to hold the resource. The state's inputs name no
 * compute, so that the entry of a replacement, which may not be in the state yet, stays.
 */
export async function forgetFirst(journal: Journal, owner: string | undefined): Promise<void> {
  if (owner === undefined) return;
  const entry = await journal.find(owner);
  if (entry?.endpointId !== undefined && !entry.replaces) await forget(journal, entry);
}

/** An open create on the same place still needs to be told which computes are others'. */
async function forget(journal: Journal, entry: JournalEntry): Promise<void> {
  const open = await journal.unanswered();
  if (!open.some((other) => isSamePlace(other, entry))) await journal.clear(entry.owner);
}

/** Whether two creates could be taken for one another. */
export function isSamePlace(left: JournalEntry, right: JournalEntry): boolean {
  return (
    left.type === right.type &&
    isSameId(left.projectId, right.projectId) &&
    isSameId(left.branchId, right.branchId)
  );
}

/** How a secret id is written down. Ids that are no secret stay readable. */
export function sealed(id: string): string {
  return `sha256:${createHash("sha256").update(id).digest("hex")}`;
}

function isSameId(left: string, right: string): boolean {
  const seal = (id: string): string => (id.startsWith("sha256:") ? id : sealed(id));
  return left === right || seal(left) === seal(right);
}
