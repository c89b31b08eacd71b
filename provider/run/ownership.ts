/**
 * Which resource holds a compute, and which declares the primary of a branch? A compute belongs to one resource, and only
 * that resource deletes it. In this run, a resource holds a compute if one of these is true:
 *
 * - A diff has shown the compute in the resource's state. The engine requests diffs before it deletes what is no longer in
 *   the program, but not for resources outside `--target`.
 * - The resource is about to adopt the compute.
 * - The service has just created the compute for the resource.
 *
 * Pulumi's backend knows what the stack's state has (`stackBackend.ts`).
 *
 * A branch has at most one primary (interface 1), so two resources that declare the primary of the same branch cannot both get
 * it.
 */
import type { EndpointRef } from "../service/client";
import { ComputeError } from "../model/errors";
import type { ComputePlace } from "../model/inputs";
import type { Resource } from "./resource";
import { hasNotFinished, waitForThatRun } from "./stackBackend";

/** A resource by its names. A resource without a name cannot be recognised. */
export type Holder = Pick<Resource, "id" | "formerId" | "title">;

export interface Ownership {
  /**
   * Notes that a resource of the program has this compute in its state, is about to adopt it, or has just created it.
   *
   * @returns another resource of the program that has it as well.
   */
  take(ref: EndpointRef, holder: Holder): Holder | undefined;
  /** Notes that a resource gives up its compute, because the resource is deleted. */
  release(ref: EndpointRef, holder: Holder): void;
  /** Another resource of this run that holds the compute. */
  holderOf(ref: EndpointRef, asker: Holder): Holder | undefined;
  /** Whether no resource at all is known to hold a compute. */
  isFree(ref: EndpointRef): boolean;
  /**
   * Notes that a resource declares the primary of this branch.
   *
   * @param branch - undefined if the resource declares no primary, or if that is not known yet.
   * @returns another resource of the program that declares the primary of the same branch.
   */
  declarePrimary(declarer: Holder, branch: ComputePlace | undefined): Holder | undefined;
}

export function trackOwnership(): Ownership {
  const holders = new Map<string, readonly Holder[]>();
  const primaries = new Map<string, { readonly branch: ComputePlace; readonly declarer: Holder }>();
  const heldBy = (ref: EndpointRef): readonly Holder[] => holders.get(computeKey(ref)) ?? [];
  const others = (ref: EndpointRef, holder: Holder): readonly Holder[] =>
    heldBy(ref).filter((held) => !isSame(held, holder));
  const holderOf: Ownership["holderOf"] = (ref, asker) =>
    others(ref, asker).find(({ id }) => id !== undefined);
  const take: Ownership["take"] = (ref, holder) => {
    holders.set(computeKey(ref), [...others(ref, holder), holder]);
    return holderOf(ref, holder);
  };
  return {
    take,
    release: (ref, holder) => {
      holders.set(computeKey(ref), others(ref, holder));
    },
    holderOf,
    isFree: (ref) => heldBy(ref).length === 0,
    declarePrimary: (declarer, branch) => {
      // Without a name, resources cannot be distinguished.
      if (declarer.id === undefined) return undefined;
      primaries.delete(declarer.id);
      if (branch === undefined) return undefined;
      const others = [...primaries.values()].filter((other) => !isSame(other.declarer, declarer));
      primaries.set(declarer.id, { branch, declarer });
      const { projectId, branchId } = branch;
      return others.find((one) => one.branch.projectId === projectId && one.branch.branchId === branchId)
        ?.declarer;
    },
  };
}

/** Two resources without a name cannot be distinguished, so they count as the same. */
function isSame(left: Holder, right: Holder): boolean {
  const names = ({ id = "", formerId = id }: Holder): readonly string[] => [id, formerId];
  return names(left).some((name) => names(right).includes(name));
}

/** A compute as the key of a map. */
function computeKey({ projectId, endpointId }: EndpointRef): string {
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

/** `"app"` and `"replica"`; the ids if two resources of different parents have the same name. */
export function namesOf(first: Holder, second: Holder): readonly [string, string] {
  return first.title === second.title
    ? [first.id ?? first.title, second.id ?? second.title]
    : [`"${first.title}"`, `"${second.title}"`];
}

/** The error for two resources that declare the primary of one branch. */
export function declaredTwice({ branchId }: ComputePlace, own: Holder, other: Holder): ComputeError {
  const [first, second] = namesOf(own, other);
  return new ComputeError({
    doing: `planning the primary of branch ${branchId}`,
    what: `resource ${first} and resource ${second} of this program both declare it, and a branch can have only one primary`,
    fix: 'Remove one of the two, use another branch, or set type: "read_only"',
  });
}

/** What to do if another resource has the primary of a branch, the likeliest case first. @param whose - its name. */
export function besideItsPrimary(whose: string): readonly string[] {
  return [
    `If this is ${whose} under a new name: add the option aliases, so that its compute and host stay.`,
    `If ${whose} moves to another branch: add the option dependsOn with that resource, or run \`pulumi up\` a second time.`,
    `If you no longer need ${whose}: remove it first, in a separate \`pulumi up\`.`,
  ];
}

/**
 * The error for a primary on a branch that already has one.
 *
 * @param found.whose - the resource that has the existing primary, if it is known.
 * @param found.isCutOff - in a preview: whether a create of this resource was cut off, or is still going on.
 */
export function secondPrimary(
  { projectId, branchId }: ComputePlace,
  found: { readonly primaryId: string; readonly whose?: string | undefined; readonly isCutOff?: boolean },
): ComputeError {
  const { primaryId, whose, isCutOff = false } = found;
  const has = `branch ${branchId} already has a primary (${primaryId}${whose === undefined ? "" : ` of resource ${whose}`}), and a branch can have only one`;
  return new ComputeError({
    doing: `creating a read_write compute on branch ${branchId} of project ${projectId}`,
    what: `${has}${isCutOff ? `; ${hasNotFinished} this compute, and may have created ${primaryId}` : ""}`,
    fix: "This run created nothing",
    choices:
      whose === undefined
        ? [
            ...(isCutOff ? [waitForThatRun, adoptCutOff(primaryId)] : []),
            "If this resource was renamed: add the option aliases.",
            "If another resource of this program declares that primary: remove one of the two.",
            ...(isCutOff ? [] : [`To manage that primary here: add the argument adopt: "${primaryId}".`]),
            'Other cases: "already has a primary" in docs/what-happens-when.md.',
          ]
        : [...besideItsPrimary(whose), 'Otherwise: use another branch, or type: "read_only".'],
  });
}

/** @param id - the id of a compute that the create of a killed run may have made. */
export function adoptCutOff(id: string): string {
  return `If that run created ${id}: add the argument adopt: "${id}" and the option retainOnDelete: false, and run \`pulumi up\`. Then remove both, and run \`pulumi refresh --clear-pending-creates\`.`;
}
