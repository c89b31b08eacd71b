/**
 * The owner of every compute, with records that a test writes.
 */
import { trackOwnership, type Ownership } from "../../provider/endpoint/ownership";
import type { JournalEntry } from "../../provider/writes/journal";

export interface Recorded {
  /** The entries of the journal. */
  readonly entries?: () => readonly JournalEntry[];
  /** The file of the note of any takeover. */
  readonly note?: string | undefined;
  /** Ids of the resources that have a compute in the state. */
  readonly inState?: Readonly<Record<string, readonly string[]>>;
}

/** A resource's journal entries have its id for their owner. */
export function ownershipWith({ entries = () => [], note, inState = {} }: Recorded = {}): Ownership {
  const nothing = (): Promise<undefined> => Promise.resolve(undefined);
  return trackOwnership({
    opened: () => ({
      journal: {
        find: nothing,
        write: nothing,
        clear: nothing,
        settle: () => undefined,
        others: () => Promise.resolve(entries()),
        unanswered: () => Promise.resolve([]),
      },
      takeovers: { note: nothing, addName: nothing, clear: nothing, byAnother: () => note, of: () => note },
      ownerOf: (id) => id,
    }),
    inState: (endpointId) => inState[endpointId] ?? [],
    seen: () => undefined,
    isAtWork: () => false,
  });
}
