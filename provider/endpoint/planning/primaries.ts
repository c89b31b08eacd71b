/**
 * Which resources of the program declare the primary of which branch. A branch has at most one primary (interface 1),
 * so two resources that declare the same one cannot both get it.
 */
import { ComputeError, type Problem } from "../../pure/errors";
import { isSame, namesOf, type Holder } from "../ownership";
import type { ComputePlace } from "./inputs";

/** A branch of a project. */
export type BranchPlace = Pick<ComputePlace, "projectId" | "branchId">;

/** The branch on which a resource declares its primary, and the one that its compute leaves for it. */
export interface DeclaredPrimary {
  readonly to: BranchPlace;
  readonly from?: BranchPlace | undefined;
}

export interface Primaries {
  /** What a resource declares; undefined if that is no primary, or not known yet. */
  declare(resource: Holder, plan: DeclaredPrimary | undefined): void;
  /** Another resource of the program that declares the primary of the same branch. */
  rivalOf(resource: Holder): Holder | undefined;
  /** Whether a resource of the program moves its primary away from a branch. */
  isVacated(branch: BranchPlace): boolean;
}

export function trackPrimaries(): Primaries {
  const plans = new Map<string, DeclaredPrimary & { readonly resource: Holder }>();
  return {
    declare: (resource, plan) => {
      // Without a name, resources cannot be distinguished.
      if (resource.id === undefined) return;
      if (plan === undefined) plans.delete(resource.id);
      else plans.set(resource.id, { ...plan, resource });
    },
    rivalOf: (resource) => {
      const own = plans.get(resource.id ?? "");
      const others = [...plans.values()].filter((plan) => !isSame(plan.resource, resource));
      return own && others.find(({ to }) => isSameBranch(to, own.to))?.resource;
    },
    isVacated: (branch) => [...plans.values()].some(({ from }) => from && isSameBranch(from, branch)),
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

/**
 * The error for a primary on a branch that already has one. @param whose - the resource that has it, if this run has seen
 * it so far: one that comes later in the program is not known yet.
 */
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
        : 'Remove one of the two resources, or use another branch or type: "read_only"',
  });
}

/** The error for a move to such a branch, where `adopt` would have no effect: the resource has its compute. */
export function occupiedBranch(
  branchId: string,
  primaryId: string,
  more: Omit<Problem, "what" | "fix">,
): ComputeError {
  return new ComputeError({
    ...more,
    what: `branch ${branchId} has its one primary already, compute ${primaryId}`,
    fix: "Move it to a branch without one, or move or delete that compute first, in a `pulumi up` of its own; nothing was changed",
  });
}
