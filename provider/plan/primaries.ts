/**
 * A branch has at most one primary (interface 1): two resources of a program cannot both declare it, and none gets a second
 * one. Checked against what other resources declare, and in a preview also against what the service lists.
 */
import { ComputeError } from "../model/errors";
import type { Arguments } from "../model/changes";
import type { CheckFailure, ComputePlace } from "../model/inputs";
import { listServesMs } from "../model/timing";
import { isUnknown } from "../model/unknown";
import { isSameResource, titleIn } from "../model/urns";
import { isSame, namesOf, type Holder, type Ownership } from "../run/ownership";
import type { Resource } from "../run/resource";
import type { StackBackend } from "../run/stackBackend";
import type { LiveReads } from "./live";

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

/** What creates without an answer may have left where a new compute is to be. */
export type Unfinished =
  /** This resource's own create was begun, and there are computes that it may have made: the user decides. */
  | { readonly kind: "undecided"; readonly error: ComputeError }
  /** Replicas that were made a moment ago, and that the stack does not have. */
  | { readonly kind: "young"; readonly text: string }
  /** The service did not answer the preview in time, or refused to. */
  | { readonly kind: "unanswered" };

export interface PrimaryServices {
  readonly liveReads: Pick<LiveReads, "readLive">;
  readonly ownership: Pick<Ownership, "holderOf">;
  /** What the program's resources declare, as far as they were checked. */
  readonly primaries: Primaries;
  /** What an earlier run of this resource did not finish. */
  readonly unfinished: (place: ComputePlace) => Promise<Unfinished | undefined>;
  /** What Pulumi's backend knows of the stack: asked with the first call. */
  readonly backend: () => Promise<Pick<StackBackend, "begunFor" | "holderOf">>;
  /** Resolves after so many milliseconds. */
  readonly pause: (ms: number) => Promise<void>;
}

/** What a declaration means for the primaries of branches. */
export interface PrimaryQuestion {
  readonly inputs: Arguments;
  readonly resource: Resource;
  /** Whether a new compute is created. */
  readonly creates: boolean;
  /** The compute in whose place it is created. */
  readonly replaced?: string | undefined;
  /** Whether the service may be asked. */
  readonly mayRead: boolean;
}

/** A primary that another resource of the program declares as well. */
export function primaryInProgram(
  { inputs, resource }: PrimaryQuestion,
  { primaries }: PrimaryServices,
): CheckFailure | undefined {
  const branch = primaryPlace(inputs);
  primaries.declare(resource, branch);
  if (branch === undefined) return undefined;
  const rival = primaries.rivalOf(resource);
  return rival && { property: "branchId", reason: declaredTwice(branch, resource, rival).message };
}

/** The branch whose primary a declaration is; undefined if it is none, or if that is not known yet. */
function primaryPlace({ projectId, branchId, type }: Arguments): BranchPlace | undefined {
  const isKnown = typeof projectId === "string" && typeof branchId === "string";
  if (type !== "read_write" || !isKnown || isUnknown(projectId) || isUnknown(branchId)) return undefined;
  return { projectId, branchId };
}

/** What a preview says of a primary that the service lists on the branch of a new one. */
interface ListedPrimary {
  readonly failure?: CheckFailure;
  readonly warning?: string;
  /** True if the service did not list its computes. */
  readonly isUnanswered?: boolean;
}

/**
 * In a preview: the primary that the service lists on the branch of a new one. If another resource of the stack has it,
 * that one may leave the branch in the same run, which only the update shows.
 */
export async function listedPrimary(
  { inputs, resource, creates, replaced, mayRead }: PrimaryQuestion,
  { liveReads, ownership, backend, pause }: PrimaryServices,
): Promise<ListedPrimary> {
  const branch = primaryPlace(inputs);
  if (branch === undefined || !mayRead || !creates) return {};
  const listed = async (): Promise<{ readonly id?: string | undefined; readonly isUnanswered: boolean }> => {
    const read = await liveReads.readLive({ ...branch, type: "read_write" });
    const id = read.kind === "found" ? read.endpoint.id : undefined;
    return { id: id === replaced ? undefined : id, isUnanswered: read.kind === "unanswered" };
  };
  const { id: firstId, isUnanswered } = await listed();
  if (firstId === undefined) return { isUnanswered };
  const { holderOf, begunFor } = await backend();
  const urn = holderOf(firstId);
  // `--replace` and `pulumi state taint` look like a new resource: the option deleteBeforeReplace decides.
  if (urn !== undefined && isSameResource(urn, resource.urn ?? "")) return {};
  if (urn !== undefined) {
    const text = `Branch ${branch.branchId} has its one primary already, compute ${firstId} of resource "${titleIn(urn)}": this create is refused as long as it is there. ${afterItsMove}.`;
    return { warning: text };
  }
  // A list may still show a primary that was just deleted.
  await pause(listServesMs);
  const again = await listed();
  if (again.id === undefined) return { isUnanswered: again.isUnanswered };
  const holder = ownership.holderOf({ ...branch, endpointId: again.id }, resource);
  const whose = holder && namesOf(holder, resource)[0];
  const isBegun = begunFor(resource.urn).some((create) => isSameResource(create.urn, resource.urn ?? ""));
  const { message } = secondPrimary(branch, { primaryId: again.id, whose, isBegun });
  return { failure: { property: "branchId", reason: message } };
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
