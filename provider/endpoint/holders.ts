/**
 * Which resource holds which compute, as far as this process knows: a compute belongs to one resource, and is
 * deleted only by the one that holds it.
 *
 * The engine asks for the diffs of all resources still in the program before it deletes those that are not: so a
 * deletion knows whether another resource of the program has the compute by then.
 */
import type { EndpointRef } from "../api/client";
import { ComputeError } from "../errors";
import type { Takeovers } from "./takeovers";

/** The URNs of one resource: the present one, and the one that its state was written under. */
export type HolderNames = readonly string[];

export interface Holders {
  /**
   * A resource of the program has this compute in its state, or is about to adopt it.
   *
   * @returns the URN of another resource that has it as well; undefined where there is none.
   */
  hold(ref: EndpointRef, names: HolderNames): string | undefined;
  /** A resource gives its compute up, since it is deleted or could not adopt it. */
  release(ref: EndpointRef, names: HolderNames): void;
  /** The URN of a resource besides this one that holds the compute. */
  otherHolder(ref: EndpointRef, names: HolderNames): string | undefined;
}

export function trackHolders(): Holders {
  /** By compute, the names of each resource that holds it. */
  const holders = new Map<string, HolderNames[]>();
  const of = (ref: EndpointRef): HolderNames[] => holders.get(keyOf(ref)) ?? [];
  const others = (ref: EndpointRef, names: HolderNames): HolderNames[] =>
    of(ref).filter((held) => !held.some((name) => names.includes(name)));
  const otherHolder: Holders["otherHolder"] = (ref, names) => others(ref, names)[0]?.[0];
  return {
    hold: (ref, names) => {
      const other = otherHolder(ref, names);
      holders.set(keyOf(ref), [...others(ref, names), names]);
      return other;
    },
    release: (ref, names) => {
      holders.set(keyOf(ref), others(ref, names));
    },
    otherHolder,
  };
}

function keyOf({ projectId, endpointId }: EndpointRef): string {
  return JSON.stringify([projectId, endpointId]);
}

/** Two resources with one compute: each would change it back, and the deletion of one would take the other's. */
export function heldTwice(endpointId: string, names: readonly [own: string, other: string]): ComputeError {
  const [own, other] = namesOf(names);
  return new ComputeError({
    doing: `planning compute ${endpointId}`,
    what: `resource ${own} and resource ${other} of this program both hold it`,
    fix: `Remove one of the two from the program: the compute then stays with the other, and is not deleted`,
  });
}

/** `"app"` and `"replica"`; the whole URNs where two resources of different parents have one name. */
export function namesOf([own, other]: readonly [string, string]): readonly [string, string] {
  const name = (urn: string): string => urn.split("::").slice(3).join("::") || urn;
  return name(own) === name(other) ? [own, other] : [`"${name(own)}"`, `"${name(other)}"`];
}

/**
 * Who else has the compute, as the end of a sentence; undefined where nobody does. The diffs of the program's other
 * resources come before any deletion; the note of a takeover covers runs that ask for no diff, such as `--target`.
 */
export async function heldElsewhere(
  { holders, takeovers }: { readonly holders: Holders; readonly takeovers: Takeovers },
  ref: EndpointRef,
  urn: string | undefined,
): Promise<string | undefined> {
  const names = urn === undefined ? [] : [urn];
  const other = holders.otherHolder(ref, names);
  if (other !== undefined) return `resource ${namesOf([other, urn ?? ""])[0]} of this program holds it`;
  const note = await takeovers.byAnother(ref, urn);
  if (note === undefined) return undefined;
  return `another resource took it over with \`adopt\`. Where no stack holds it any more, delete it at the service, and remove ${note}`;
}
