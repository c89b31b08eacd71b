/**
 * Which resources of the program declare the primary of which branch. A branch has at most one primary (interface 1),
 * so two resources that declare the same one cannot both get it, and two that swap branches have no order that works.
 */
import { ComputeError } from "../../errors";
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
  /** The resources that pass their branches on in a circle, beginning with this one. */
  circleOf(resource: Holder): readonly Holder[] | undefined;
  /** Whether a resource of the program moves its primary away from a branch. */
  isVacated(branch: BranchPlace): boolean;
}

export function trackPrimaries(): Primaries {
  const plans = new Map<string, DeclaredPrimary & { readonly resource: Holder }>();
  const planOf = ({ id }: Holder) => (id === undefined ? undefined : plans.get(id));
  const leaving = (branch: BranchPlace) =>
    [...plans.values()].find(({ from }) => from !== undefined && isSameBranch(from, branch));
  return {
    declare: (resource, plan) => {
      // Without a name, resources cannot be distinguished.
      if (resource.id === undefined) return;
      if (plan === undefined) plans.delete(resource.id);
      else plans.set(resource.id, { ...plan, resource });
    },
    rivalOf: (resource) => {
      const own = planOf(resource);
      if (own === undefined) return undefined;
      const others = [...plans.values()].filter((plan) => !isSame(plan.resource, resource));
      return others.find(({ to }) => isSameBranch(to, own.to))?.resource;
    },
    circleOf: (resource) => {
      const circle: Holder[] = [];
      let next = planOf(resource);
      // A circle that this resource is no part of was refused to the last one in it.
      while (next?.from !== undefined && circle.length < plans.size) {
        circle.push(next.resource);
        next = leaving(next.to);
        if (next !== undefined && isSame(next.resource, resource)) return circle;
      }
      return undefined;
    },
    isVacated: (branch) => leaving(branch) !== undefined,
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

/** The error for primaries that pass their branches on in a circle. */
export function declaredInCircle(circle: readonly Holder[]): ComputeError {
  const names = circle.map((one) => `"${one.title}"`).join(", ");
  return new ComputeError({
    doing: "planning moves between branches",
    what: `resources ${names} swap their branches, and a branch has one primary at any time: no order of the moves works`,
    fix: "Move one of them to a branch without a primary, run `pulumi up`, and move it to its own branch in the run after",
  });
}

/**
 * The error for a primary on a branch that already has one. @param whose - the resource that has it, if this run has seen
 * it so far: one that comes later in the program is not known yet.
 */
export function secondPrimary(
  { projectId, branchId }: BranchPlace,
  { primaryId, whose }: { readonly primaryId: string; readonly whose?: string | undefined },
): ComputeError {
  return new ComputeError({
    doing: `creating a read_write compute on branch ${branchId} of project ${projectId}`,
    what: `the branch has its one primary already, compute ${primaryId}${whose === undefined ? "" : ` of resource ${whose}`}`,
    fix:
      whose === undefined
        ? `If another resource of this program declares it, remove one of the two. To manage it here, add the line adopt: "${primaryId}". Other cases: "The branch already has a primary" in docs/what-happens-when.md`
        : 'Remove one of the two resources, or use another branch or type: "read_only"',
  });
}
