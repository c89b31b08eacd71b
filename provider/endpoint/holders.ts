/**
 * Which resource holds which compute, as far as this process knows: a compute belongs to one resource, and is
 * deleted only by the one that holds it.
 *
 * The engine asks for the diffs of all resources still in the program before it deletes those that are not: so a
 * deletion knows whether another resource of the program has the compute by then.
 */
import type { EndpointRef } from "../api/client";
import { ComputeError } from "../errors";
import type { Takeovers } from "../writes/takeovers";
import type { Resource } from "./resource";

/** A resource by its names. One without any is known to nobody. */
export type Holder = Pick<Resource, "id" | "formerId" | "title">;

export interface Holders {
  /**
   * A resource of the program has this compute in its state, or is about to adopt it.
   *
   * @returns another resource that has it as well; undefined where there is none.
   */
  hold(ref: EndpointRef, holder: Holder): Holder | undefined;
  /** A resource gives its compute up, since it is deleted. */
  release(ref: EndpointRef, holder: Holder): void;
  /** Whether any resource of the program is known to hold the compute. */
  isHeld(ref: EndpointRef): boolean;
  /** A resource besides this one that holds the compute. */
  otherHolder(ref: EndpointRef, holder: Holder): Holder | undefined;
}

export function trackHolders(): Holders {
  const holders = new Map<string, readonly Holder[]>();
  const others = (ref: EndpointRef, holder: Holder): readonly Holder[] =>
    (holders.get(keyOf(ref)) ?? []).filter((held) => !isSame(held, holder));
  return {
    hold: (ref, holder) => {
      const [other] = others(ref, holder);
      if (holder.id !== undefined) holders.set(keyOf(ref), [...others(ref, holder), holder]);
      return other;
    },
    release: (ref, holder) => {
      holders.set(keyOf(ref), others(ref, holder));
    },
    isHeld: (ref) => (holders.get(keyOf(ref)) ?? []).length > 0,
    otherHolder: (ref, holder) => others(ref, holder)[0],
  };
}

function isSame(left: Holder, right: Holder): boolean {
  const names = [right.id, right.formerId].filter((name) => name !== undefined);
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

/**
 * Who else has the compute, as the end of a sentence; undefined where nobody does. The diffs of the program's other
 * resources come before any deletion; the note of a takeover covers runs that ask for no diff, such as `--target`.
 */
export async function heldElsewhere(
  { holders, takeovers }: { readonly holders: Holders; readonly takeovers: Takeovers },
  ref: EndpointRef,
  holder: Holder,
): Promise<string | undefined> {
  const other = holders.otherHolder(ref, holder);
  if (other !== undefined) return `resource ${namesOf(other, holder)[0]} of this program holds it`;
  const note = await takeovers.byAnother(ref, [holder.id, holder.formerId]);
  if (note === undefined) return undefined;
  return `another resource took it over with \`adopt\`. Where no stack holds it any more, delete it at the service, and remove ${note}`;
}
