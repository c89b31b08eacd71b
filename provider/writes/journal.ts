/**
 * What was about to be created, on disk before the request goes out: the engine forgets a create that was
 * killed, and the interface has no idempotency key. An entry outlives its create until the state is known to
 * hold the id.
 *
 * A file per owner, written atomically and flushed; ids, times and what was sent, secrets as hashes. Losing it is
 * survivable: a second primary is refused by name instead of reconciled.
 */
import { createHash } from "node:crypto";
import { readdirSync, rmSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import type { Clock } from "../clock";
import type { ProviderConfig } from "../settings/config";
import { journalForgetsAfterMs, journalServesMs } from "../timing";
import { hashOf, isHash, readOwn, writeFlushed } from "./flushedFile";
import { noteTakeovers, type Takeovers } from "./takeovers";

const entrySchema = z.object({
  /** It is the name of the entry's file as well. */
  owner: z.string().refine(isHash),
  /** Of the owner's stack: a destroy asks for what its own left behind. */
  stack: z.string().optional(),
  /** What the resource is called, for people. */
  title: z.string().optional(),
  projectId: z.string(),
  branchId: z.string(),
  type: z.enum(["read_write", "read_only"]),
  /** Computes of the branch before the request, as long as the one it made is not known. */
  baseline: z.array(z.string()),
  /** When, in milliseconds since the epoch, on this machine's clock. */
  intentAtMs: z.number(),
  /** What the body of its POST said besides, by argument; settings and secrets as hashes. */
  sent: z.record(z.string(), z.unknown()).optional(),
  /** From when to when its POST was under way, in the service's own time where its answers tell it. */
  window: z.object({ fromMs: z.number(), toMs: z.number() }).optional(),
  /** Whether the state held another compute of this owner at the time: this one was to replace it. */
  replaces: z.boolean().default(false),
  /** The compute, once an answer or a listing named it. */
  endpointId: z.string().optional(),
  /** The engine was told of the compute: unless it was killed in that very moment, its state holds it. */
  told: z.literal(true).optional(),
});

/** One create, from before its request until the state holds its id. */
export type JournalEntry = z.infer<typeof entrySchema>;

export interface Journal {
  /** The entry an earlier run left for this owner. */
  find(owner: string): Promise<JournalEntry | undefined>;
  /** On disk when it resolves. */
  write(entry: JournalEntry): Promise<void>;
  clear(owner: string): Promise<void>;
  /** Entries of other owners, so that nobody takes their computes; without an owner, all. */
  others(owner?: string): Promise<readonly JournalEntry[]>;
  /**
   * Removes the entries of creates whose compute the engine was told of, at the end of a process that ended in good
   * order. At once, since no time is left; an open create on the same place keeps them, as ever.
   */
  settle(owners: ReadonlySet<string>): void;
  /** Those whose compute nobody knows yet, as of a moment ago at most: a large stack asks for each resource. */
  unanswered(): Promise<readonly JournalEntry[]>;
}

/** What tells two stacks of one name apart: wherever a stack is checked out, it is the same. */
export interface Place {
  readonly baseUrl: string;
  readonly backend: string;
  /** The account, as far as it is known. */
  readonly apiKey: string;
}

/**
 * Names what a create is for, a resource or a stack, by its id.
 *
 * @returns undefined without an id; such a create is not journaled.
 */
export function ownerOf(id: string | undefined, { baseUrl, backend, apiKey }: Place): string | undefined {
  return id === undefined ? undefined : hashOf([withEitherVariant(id), baseUrl, backend, hashOf([apiKey])]);
}

/** A resource keeps its entry where its stack moves from one variant to the other: its URN tells them apart by its type. */
function withEitherVariant(id: string): string {
  const [stack, project, type, ...name] = id.split("::");
  const [native, dynamic] = ["compute:index:Endpoint", "pulumi-nodejs:dynamic/compute:Endpoint"];
  if (type === undefined || !type.endsWith(native)) return id;
  return [stack, project, `${type.slice(0, -native.length)}${dynamic}`, ...name].join("::");
}

/** The journal of this user, and whose entry a resource of this program has. */
export interface OpenJournal {
  readonly journal: Journal;
  readonly takeovers: Takeovers;
  readonly ownerOf: (id: string | undefined) => string | undefined;
}

/** @throws ConfigurationError where the key or the base URL is missing. */
export function openJournal(config: ProviderConfig, clock: Clock): OpenJournal {
  const { apiKey, baseUrl } = config.connection();
  const place = { baseUrl, backend: config.backend, apiKey };
  return {
    journal: createJournal(config.journalFolder, () => clock.now()),
    takeovers: noteTakeovers(config.journalFolder, baseUrl),
    ownerOf: (id) => ownerOf(id, place),
  };
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
      // Missing or unreadable: as good as lost, and that is survivable.
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
    find: read,
    write: async (entry) => {
      scan = undefined;
      await writeFlushed(folder, nameOf(entry.owner), entry);
    },
    // An entry that stays is looked into again, and that is all.
    clear: async (owner) => {
      await rm(fileOf(owner), { force: true }).catch(() => undefined);
    },
    others: all,
    settle: (owners) => {
      const entries = readAllNow(folder);
      const open = entries.filter(({ endpointId }) => endpointId === undefined);
      for (const entry of entries)
        if (
          entry.endpointId !== undefined &&
          owners.has(entry.owner) &&
          !open.some((one) => isSamePlace(one, entry))
        )
          removeNow(fileOf(entry.owner));
    },
    unanswered: async () => {
      if (scan === undefined || Math.abs(now() - scan.atMs) > journalServesMs)
        scan = { atMs: now(), entries: all() };
      return (await scan.entries).filter(({ endpointId }) => endpointId === undefined);
    },
  };
}

/** Notes that the engine has the compute of a create. An entry that cannot be written stays as it was: that is all. */
export async function noteTold(journal: Journal, owner: string, endpointId: string): Promise<void> {
  const entry = await entryNaming(journal, owner, endpointId);
  if (entry !== undefined) await journal.write({ ...entry, told: true }).catch(() => undefined);
}

/** @throws for an owner that is none: a path, which would lead out of the folder. */
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
 * The entry of an owner; undefined where its file is not this user's, no entry, or the entry of another owner.
 *
 * @throws where the file is missing or no JSON.
 */
function entryIn(folder: string, owner: string): JournalEntry | undefined {
  const entry = entrySchema.safeParse(readOwn(folder, nameOf(owner))).data;
  return entry?.owner === owner ? entry : undefined;
}

/** Every entry; none where a file is no JSON, which may be the entry of an open create. Never throws. */
function readAllNow(folder: string): readonly JournalEntry[] {
  try {
    return ownersIn(readdirSync(folder))
      .map((owner) => entryIn(folder, owner))
      .filter((entry) => entry !== undefined);
  } catch {
    return [];
  }
}

/** An entry that stays is looked into again; Windows refuses where another process has the file open. */
function removeNow(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // The next run clears it.
  }
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

/** Whether an id was written down as a secret: no message may show it, though the service does. */
export function isSealed(id: string): boolean {
  return id.startsWith("sha256:");
}

/** Whether two ids are one, each of them written down as a secret or not. */
export function isSameId(left: string, right: string): boolean {
  const seal = (id: string): string => (isSealed(id) ? id : sealed(id));
  return left === right || seal(left) === seal(right);
}
