/**
 * The owner of every compute, with records that a test writes.
 */
import { trackOwnership, type Ownership } from "../../provider/endpoint/ownership";

export interface Recorded {
  /** The file of the note of any takeover. */
  readonly note?: string | undefined;
  /** Ids of the resources that have a compute in the state. */
  readonly inState?: Readonly<Record<string, readonly string[]>>;
}

export function ownershipWith({ note, inState = {} }: Recorded = {}): Ownership {
  const nothing = (): Promise<undefined> => Promise.resolve(undefined);
  return trackOwnership({
    notes: () => ({
      note: nothing,
      addName: nothing,
      clear: nothing,
      byAnother: () => Promise.resolve(note),
      of: () => Promise.resolve(note),
    }),
    inState: (endpointId) => inState[endpointId] ?? [],
  });
}
