/**
 * Whose compute is it? A compute belongs to one resource, and is deleted only by the one that holds it. Four sources
 * know of that, and none of them knows all:
 *
 * - `process`: what the resources of this run were seen to hold: by their diffs, which the engine asks for before it
 *   deletes what is no longer in the program (but not of resources outside `--target`), by the check of an adoption, and
 *   by creates, from the answer of the POST on.
 * - `note`: what a resource took over with `adopt`, in any run of this user.
 * - `journal`: what creates are known to have made, until the state is seen to have it.
 * - `state`: what a refresh of this run has read of the state. Some of that may no longer be in the program.
 *
 * Whoever asks leaves a source out only by giving the reason.
 */
import type { EndpointRef } from "../api/client";
import type { ApiEndpoint } from "../api/schemas";
import { ComputeError } from "../errors";
import type { JournalEntry } from "../writes/journal";
import type { OpenJournal } from "../writes/openJournal";
import type { Takeovers } from "../writes/takeovers";
import type { Resource } from "./resource";

/** A resource by its names. One without any is known to nobody by name. */
export type Holder = Pick<Resource, "id" | "formerId" | "title">;

/**
 * Who asks: a resource, which is not told of itself, or a create, by its journal entry. What any resource has already,
 * its own as well, is not a create's work.
 */
export type Asker = Holder | Pick<JournalEntry, "owner">;

/** For the question whether anybody at all holds a compute. */
export const nobody: Asker = { owner: "" };

/** How a compute is known to be another's. */
export type Holding =
  | { readonly source: "process"; readonly holder: Holder }
  | { readonly source: "note"; readonly file: string }
  | { readonly source: "journal"; readonly entry: JournalEntry }
  | { readonly source: "state"; readonly id: string };

type Source = Holding["source"];

/** What is left of the answers where some sources are not asked. */
type OwnerFrom<Left extends Source> = Extract<Holding, { readonly source: Exclude<Source, Left> }>;

/** Sources that are not asked, each with the reason. */
export type Without<Left extends Source> = Readonly<Record<Left, string>>;

/** What the resources of this run are seen to hold. */
interface Holders {
  /**
   * A resource of the program has this compute in its state, is about to adopt it, or has just made it.
   *
   * @returns another resource of the program that has it as well. What notes and journal say is overtaken by that, and
   * whoever has it in the state alone gives it up.
   */
  take(ref: EndpointRef, holder: Holder): Holder | undefined;
  /** Takes a compute that a create without an answer has made, unless any resource has it by now. */
  takeFree(ref: EndpointRef, holder: Holder): boolean;
  /** A create of this process makes an existing compute its resource's. */
  takeOver(ref: EndpointRef, holder: Holder): void;
  /** The resource whose create did so. */
  takerOf(ref: EndpointRef): Holder | undefined;
  /** A resource gives its compute up, since it is deleted. */
  release(ref: EndpointRef, holder: Holder): void;
}

export interface Ownership extends Holders {
  /** Who else holds a compute. */
  holderOf<Left extends Source = never>(
    ref: EndpointRef,
    asker: Asker,
    without?: Without<Left>,
  ): Promise<OwnerFrom<Left> | undefined>;
  /** Of the computes of a project, those that nobody else holds. */
  free<Left extends Source = never>(
    computes: Iterable<ApiEndpoint>,
    projectId: string,
    asked: { readonly by: Asker; readonly without?: Without<Left> },
  ): Promise<readonly ApiEndpoint[]>;
  /** Who has a compute in the state, as far as a refresh of this run has read it. */
  readonly inState: Records["inState"];
  /** For later runs, which ask for no diff of everybody. */
  readonly notes: () => Pick<Takeovers, "note" | "addName" | "clear">;
}

/** What is known besides by the process itself. */
export interface Records {
  /** Opened with the first question: that needs the configuration. */
  readonly opened: () => Pick<OpenJournal, "journal" | "takeovers" | "ownerOf">;
  /** Ids of the resources that have the compute in the state, as far as a refresh of this run has read it. */
  readonly inState: (endpointId: string) => readonly string[];
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
    inState: records.inState,
    notes: () => records.opened().takeovers,
  };
}

type Answers = (ref: EndpointRef) => Holding | undefined;

interface OwnershipSources {
  readonly records: Records;
  readonly heldBy: (ref: EndpointRef) => readonly Holder[];
}

/** What is known at once, and what is known with the journal: a file for each create, which takes its time. */
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
    // What was answered meanwhile is known by now.
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

/** The owner of the asker's entries; a resource has the same one behind either host. */
function ownersOf(asker: Asker, { opened }: Records): readonly (string | undefined)[] {
  if ("owner" in asker) return [asker.owner];
  return [asker.id, asker.formerId].filter((id) => id !== undefined).map(opened().ownerOf);
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

/** Resources without a name are not told apart. */
export function isSame(left: Holder, right: Holder): boolean {
  const names = [right.id, right.formerId].filter((name) => name !== undefined);
  if (left.id === undefined && left.formerId === undefined) return names.length === 0;
  return [left.id, left.formerId].some((name) => name !== undefined && names.includes(name));
}

function keyOf({ projectId, endpointId }: EndpointRef): string {
  return JSON.stringify([projectId, endpointId]);
}

/** Two resources with one compute: each would change it back, and the deletion of one would take the other's. */
export function heldTwice(endpointId: string, own: Holder, other: Holder): ComputeError {
  const [first, second] = namesOf(own, other);
  return new ComputeError({
    doing: `planning compute ${endpointId}`,
    what: `resource ${first} and resource ${second} of this program both hold it`,
    fix: "Remove one of the two from the program: the compute then stays with the other, and is not deleted",
  });
}

/** `"app"` and `"replica"`; what tells them apart where two resources of different parents have one name. */
export function namesOf(first: Holder, second: Holder): readonly [string, string] {
  return first.title === second.title
    ? [first.id ?? first.title, second.id ?? second.title]
    : [`"${first.title}"`, `"${second.title}"`];
}
