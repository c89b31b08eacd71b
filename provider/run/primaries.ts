/**
 * Which resources of the program declare the primary of which branch. A branch has at most one primary (interface 1),
 * so two resources that declare the same one cannot both get it.
 */
import { ComputeError } from "../model/errors";
import type { ComputePlace } from "../model/inputs";
import { isSame, namesOf, type Holder } from "./ownership";

/** A branch of a project. */
export type BranchPlace = Pick<ComputePlace, "projectId" | "branchId">;

export interface Primaries {
  /** The branch whose primary a resource declares; undefined if that is no primary, or not known yet. */
  declare(resource: Holder, branch: BranchPlace | undefined): void;
  /** Another resource of the program that declares the primary of the same branch. */
  rivalOf(resource: Holder): Holder | undefined;
}

export function trackPrimaries(): Primaries {
  const declared = new Map<string, { readonly branch: BranchPlace; readonly resource: Holder }>();
  return {
    declare: (resource, branch) => {
      // Without a name, resources cannot be distinguished.
      if (resource.id === undefined) return;
      if (branch === undefined) declared.delete(resource.id);
      else declared.set(resource.id, { branch, resource });
    },
    rivalOf: (resource) => {
      const own = declared.get(resource.id ?? "");
      const others = [...declared.values()].filter((other) => !isSame(other.resource, resource));
      return own && others.find(({ branch }) => isSameBranch(branch, own.branch))?.resource;
    },
  };
}

function isSameBranch(left: BranchPlace, right: BranchPlace): boolean {
  return left.projectId === right.projectId && left.branchId === right.branchId;
}

/** The error for two resources that declare the primary of one branch. */
export function declaredTwice({ branchId }: BranchPlace, own: Holder, other: Holder): ComputeError {
  const [first, second] = namesOf(own, other);
  return new ComputeError({
    doing: `planning the primary of branch ${branchId}`,
    what: `resource ${first} and resource ${second} of this program both declare it, and a branch has one primary`,
    fix: 'Remove one of the two, or use another branch or type: "read_only"',
  });
}

/** A create that Pulumi's backend has as pending. */
export const begunEarlier = "an earlier run of this stack began to create it and did not end";

/** What to do where another resource of the program has the primary of a branch, and leaves it. */
export const afterItsMove =
  "If that resource moves to another branch, add the option dependsOn with that resource, or run `pulumi up` a second time. If you remove it from the program, do so in an earlier `pulumi up`";

/** The error for a primary on a branch that already has one. @param whose - the resource that has it, if it is known. */
export function secondPrimary(
  { projectId, branchId }: BranchPlace,
  {
    primaryId,
    whose,
    isBegun = false,
  }: { readonly primaryId: string; readonly whose?: string | undefined; readonly isBegun?: boolean },
): ComputeError {
  return new ComputeError({
    doing: `creating a read_write compute on branch ${branchId} of project ${projectId}`,
    what: `the branch has its one primary already, compute ${primaryId}${whose === undefined ? "" : ` of resource ${whose}`}${isBegun ? `, and ${begunEarlier}` : ""}`,
    fix:
      whose === undefined
        ? `If another resource of this program declares it, remove one of the two; if this one was renamed, add the option aliases. To manage it here, add the line adopt: "${primaryId}". Other cases: "The branch already has a primary" in docs/what-happens-when.md`
        : `${afterItsMove}. Otherwise use another branch or type: "read_only"`,
  });
}
