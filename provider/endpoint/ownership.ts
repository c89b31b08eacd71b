/**
 * Which resource holds a compute? A compute belongs to one resource, and only that resource deletes it. There are
 * four sources, and none of them is complete:
 *
 * - `process`: what the resources of this run hold: seen in their diffs, which the engine requests before it deletes
 *   what is no longer in the program (but not for resources outside `--target`), in the check of an adoption, and in
 *   creates, from the answer of the POST on.
 * - `note`: what a resource took over with `adopt`, in any run of this user.
 * - `journal`: what creates are known to have made, until the state contains it.
 * - `state`: what a refresh of this run has read from the state. The program may no longer contain some of that.
 *
 * A caller that leaves a source out has to give the reason.
 */
import type { EndpointRef } from "../api/client";
import type { ApiEndpoint } from "../api/schemas";
import { ComputeError } from "../errors";
import type { JournalEntry } from "../writes/journal";
import type { OpenJournal } from "../writes/openJournal";
import type { Takeovers } from "../writes/takeovers";
import type { Resource } from "./resource";

/** A resource by its names. A resource without a name cannot be recognised. */
export type Holder = Pick<Resource, "id" | "formerId" | "title">;

/**
 * Who asks: a resource, which is not reported as its own owner, or a create, by its journal entry. A compute that any
 * resource holds, its own included, is not the result of that create.
 */
export type Asker = Holder | Pick<JournalEntry, "owner">;

/** For the question whether any resource holds a compute. */
export const nobody: Asker = { owner: "" };

/** A compute that no resource is known to hold. */
export interface Unheld {
  readonly endpoint: ApiEndpoint;
  /** The resource that the create was for, if the journal has it. */
  readonly madeFor?: string | undefined;
}

/** For whom computes without a holder are asked. */
export interface ForWhom {
  readonly resource: Holder & Pick<Resource, "stackId">;
  readonly isPreview: boolean;
}

/** How a compute is known to belong to another resource. */
type Holding =
  | { readonly source: "process"; readonly holder: Holder }
  | { readonly source: "note"; readonly file: string }
  | { readonly source: "journal"; readonly entry: JournalEntry }
  | { readonly source: "state"; readonly id: string };

type Source = Holding["source"];

/** The possible answers if some sources are not asked. */
type OwnerFrom<Left extends Source> = Extract<Holding, { readonly source: Exclude<Source, Left> }>;

/** Sources that are not asked, each with the reason. */
export type Without<Left extends Source> = Readonly<Record<Left, string>>;

/** What the resources of this run hold. */
interface Holders {
  /**
   * A resource of the program has this compute in its state, is about to adopt it, or has just created it.
   *
   * @returns another resource of the program that has it as well. This overrides notes and journal, and a resource
   * that has the compute only in its state loses it.
   */
  take(ref: EndpointRef, holder: Holder): Holder | undefined;
  /** Takes a compute that a create without an answer has made, unless another resource has it by now. */
  takeFree(ref: EndpointRef, holder: Holder): boolean;
  /** A create of this process gives an existing compute to its resource. */
  takeOver(ref: EndpointRef, holder: Holder): void;
  /** The resource whose create took the compute over. */
  takerOf(ref: EndpointRef): Holder | undefined;
  /** A resource gives up its compute, because it is deleted. */
  release(ref: EndpointRef, holder: Holder): void;
}

export interface Ownership extends Holders {
  /** Which other resource holds a compute. */
  holderOf<Left extends Source = never>(
    ref: EndpointRef,
    asker: Asker,
    without?: Without<Left>,
  ): Promise<OwnerFrom<Left> | undefined>;
  /** The computes of a project that no other resource holds. */
  free<Left extends Source = never>(
    computes: Iterable<ApiEndpoint>,
    projectId: string,
    asked: { readonly by: Asker; readonly without?: Without<Left> },
  ): Promise<readonly ApiEndpoint[]>;
  /** The computes of a project that no resource holds, whoever asks. */
  unheld(computes: Iterable<ApiEndpoint>, projectId: string, forWhom: ForWhom): Promise<readonly Unheld[]>;
  /** Which resources have a compute in the state, as far as a refresh of this run has read it. */
  readonly inState: Records["inState"];
  /** Written for later runs, in which the engine does not request every resource's diff. */
  readonly notes: () => Pick<Takeovers, "note" | "addName" | "clear">;
}

/** The records outside this process. */
export interface Records {
  /** Opened by the first question, because that needs the configuration. */
  readonly opened: () => Pick<OpenJournal, "journal" | "takeovers" | "ownerOf">;
  /** Ids of the resources that have the compute in their state, as far as a refresh of this run has read it. */
  readonly inState: (endpointId: string) => readonly string[];
  /** What this run knows of the owner of an entry; undefined if it has not seen such a resource. */
  readonly seen: (owner: string) => SeenOwner | undefined;
  /** Whether the run that wrote an entry still goes on. */
  readonly isAtWork: (run: JournalEntry["run"]) => boolean;
}

interface SeenOwner {
  /** The compute that it has in the state, and keeps. */
  readonly keeps?: string | undefined;
}

export function trackOwnership(records: Records): Ownership {
  const { heldBy, ...holders } = trackHolders();
  return {
    ...holders,
    holderOf: async <Left extends Source>(ref: EndpointRef, asker: Asker, without?: Without<Left>) => {
      const { now, withJournal } = asking(asker, without, { records, heldBy });
      // A source that is left out gives no answer.
      return (now(ref) ?? (await withJournal())(ref)) as OwnerFrom<Left> | undefined;
    },
    free: async (computes, projectId, { by, without }) => {
      const { now, withJournal } = asking(by, without, { records, heldBy });
      const isFree = (answer: Answers) => (compute: ApiEndpoint) =>
        answer({ projectId, endpointId: compute.id }) === undefined;
      const left = [...computes].filter(isFree(now));
      return left.length === 0 ? left : left.filter(isFree(await withJournal()));
    },
    unheld: async (computes, projectId, forWhom) => {
      const { now } = asking(nobody, {}, { records, heldBy });
      const isFree = ({ id }: ApiEndpoint): boolean => now({ projectId, endpointId: id }) === undefined;
      const left = [...computes].filter(isFree);
      if (left.length === 0) return [];
      const entries = await records.opened().journal.others();
      const isAbandoned = abandonedFor(forWhom, entries, records);
      // Answers that arrived during the wait are in memory by now.
      return left.filter(isFree).flatMap((endpoint) => {
        const named = entries.filter(({ endpointId }) => endpointId === endpoint.id);
        return named.every(isAbandoned) ? [{ endpoint, madeFor: named[0]?.title }] : [];
      });
    },
    inState: records.inState,
    notes: () => records.opened().takeovers,
  };
}

type Answers = (ref: EndpointRef) => Holding | undefined;

interface OwnershipSources {
  readonly records: Records;
  readonly heldBy: (ref: EndpointRef) => readonly Holder[];
}

/** Asks what is known in memory first, then the journal, which is slower: it has one file per create. */
function asking(
  asker: Asker,
  without: Partial<Without<Source>> = {},
  { records, heldBy }: OwnershipSources,
): { readonly now: Answers; readonly withJournal: () => Promise<Answers> } {
  const isAsked = (source: Source): boolean => without[source] === undefined;
  const now: Answers = (ref) =>
    (isAsked("process") ? inProcess(ref, asker, heldBy) : undefined) ??
    (isAsked("note") ? inNotes(ref, asker, records) : undefined) ??
    (isAsked("state") ? inState(ref, asker, records) : undefined);
  const withJournal = async (): Promise<Answers> => {
    if (!isAsked("journal")) return now;
    const own = ownersOf(asker, records);
    const entries = await records.opened().journal.others();
    const others = entries.filter(({ owner }) => !own.includes(owner));
    // Answers that arrived during the wait are in memory by now.
    return (ref) => now(ref) ?? inJournal(ref, others);
  };
  return { now, withJournal };
}

function inProcess(ref: EndpointRef, asker: Asker, heldBy: OwnershipSources["heldBy"]): Holding | undefined {
  const held = heldBy(ref);
  const holder = "owner" in asker ? held[0] : held.find((one) => one.id !== undefined && !isSame(one, asker));
  return holder && { source: "process", holder };
}

function inNotes(ref: EndpointRef, asker: Asker, { opened }: Records): Holding | undefined {
  const { takeovers } = opened();
  const file = "owner" in asker ? takeovers.of(ref) : takeovers.byAnother(ref, [asker.id, asker.formerId]);
  return file === undefined ? undefined : { source: "note", file };
}

function inState({ endpointId }: EndpointRef, asker: Asker, records: Records): Holding | undefined {
  const own = "owner" in asker ? [] : ownersOf(asker, records);
  const id = records.inState(endpointId).find((one) => !own.includes(records.opened().ownerOf(one)));
  return id === undefined ? undefined : { source: "state", id };
}

function inJournal({ endpointId }: EndpointRef, entries: readonly JournalEntry[]): Holding | undefined {
  const entry = entries.find((one) => one.endpointId === endpointId);
  return entry && { source: "journal", entry };
}

/**
 * Whether nobody will take over what the create of an entry made: it is of this stack, its run has ended, and its
 * resource is not in this run, or keeps another compute.
 *
 * A preview checks one resource after the other, so a resource that it has not seen may still come. What was reported
 * to the engine is then in the state, most likely. And a create with an entry of its own repeats what was cut off,
 * most likely beside others that do the same.
 */
function abandonedFor(
  { resource, isPreview }: ForWhom,
  entries: readonly JournalEntry[],
  { opened, seen, isAtWork }: Records,
): (entry: JournalEntry) => boolean {
  const { ownerOf } = opened();
  const [stack, own] = [ownerOf(resource.stackId), ownersOf(resource, { opened })];
  const repeats = isPreview && entries.some(({ owner }) => own.includes(owner));
  return ({ owner, endpointId, told, run, ...entry }) => {
    if (stack === undefined || entry.stack !== stack || isAtWork(run)) return false;
    const known = seen(owner);
    if (known !== undefined) return known.keeps !== undefined && known.keeps !== endpointId;
    return !isPreview || (!repeats && told !== true);
  };
}

/** The owner of the asker's entries; it is the same for both provider variants. */
function ownersOf(asker: Asker, { opened }: Pick<Records, "opened">): readonly (string | undefined)[] {
  if ("owner" in asker) return [asker.owner];
  return [asker.id, asker.formerId].map(opened().ownerOf);
}

function trackHolders(): Holders & { readonly heldBy: (ref: EndpointRef) => readonly Holder[] } {
  const holders = new Map<string, readonly Holder[]>();
  const takers = new Map<string, Holder>();
  const heldBy = (ref: EndpointRef): readonly Holder[] => holders.get(keyOf(ref)) ?? [];
  const others = (ref: EndpointRef, holder: Holder): readonly Holder[] =>
    heldBy(ref).filter((held) => !isSame(held, holder));
  const take: Holders["take"] = (ref, holder) => {
    const rest = others(ref, holder);
    holders.set(keyOf(ref), [...rest, holder]);
    return rest.find(({ id }) => id !== undefined);
  };
  return {
    heldBy,
    take,
    takeFree: (ref, holder) => {
      if (heldBy(ref).length > 0) return false;
      take(ref, holder);
      return true;
    },
    takeOver: (ref, holder) => {
      take(ref, holder);
      takers.set(keyOf(ref), holder);
    },
    takerOf: (ref) => takers.get(keyOf(ref)),
    release: (ref, holder) => {
      holders.set(keyOf(ref), others(ref, holder));
    },
  };
}

/** Two resources without a name cannot be distinguished, so they count as the same. */
export function isSame(left: Holder, right: Holder): boolean {
  const names = [right.id, right.formerId].filter((name) => name !== undefined);
  if (left.id === undefined && left.formerId === undefined) return names.length === 0;
  return [left.id, left.formerId].some((name) => name !== undefined && names.includes(name));
}

function keyOf({ projectId, endpointId }: EndpointRef): string {
  return JSON.stringify([projectId, endpointId]);
}

/**
 * The error for two resources with one compute: each would undo the other's changes, and deleting one would delete
 * the other's compute.
 */
export function heldTwice(endpointId: string, own: Holder, other: Holder): ComputeError {
  const [first, second] = namesOf(own, other);
  return new ComputeError({
    doing: `planning compute ${endpointId}`,
    what: `resource ${first} and resource ${second} of this program both hold it`,
    fix: "Remove one of the two from the program: the compute then stays with the other, and is not deleted",
  });
}

/** `"app"` and `"replica"`; if two resources of different parents have the same name, what distinguishes them. */
export function namesOf(first: Holder, second: Holder): readonly [string, string] {
  return first.title === second.title
    ? [first.id ?? first.title, second.id ?? second.title]
    : [`"${first.title}"`, `"${second.title}"`];
}
