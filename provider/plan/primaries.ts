/**
 * A branch has at most one primary (interface 1): two resources of a program cannot both declare it, and none gets a second
 * one. Checked against what other resources declare, and in a preview also against what the service lists.
 */
import { ComputeError } from "../model/errors";
import { listServesMs } from "../model/timing";
import { isUnknown } from "../model/unknown";
import { isSameResource, titleIn } from "../model/urns";
import { namesOf, type BranchPlace, type Holder } from "../run/ownership";
import { createsNew, type CheckServices, type Findings, type PlannedCheck } from "./compare";
import { asksService } from "./running";

/** A primary that another resource of the program declares as well. */
export function primaryInProgram(
  { inputs, resource }: PlannedCheck,
  { primaries }: CheckServices,
): string | undefined {
  const branch = primaryPlace(inputs);
  primaries.declare(resource, branch);
  if (branch === undefined) return undefined;
  const rival = primaries.rivalOf(resource);
  return rival && declaredTwice(branch, resource, rival).message;
}

/** The branch whose primary a declaration is; undefined if it is none, or if that is not known yet. */
function primaryPlace({ projectId, branchId, type }: PlannedCheck["inputs"]): BranchPlace | undefined {
  if (type !== "read_write" || isUnknown(projectId) || isUnknown(branchId)) return undefined;
  return { projectId, branchId };
}

/**
 * In a preview: the primary that the service lists on the branch of a new one. If another resource of the stack has it,
 * that one may leave the branch in the same run, which only the update shows.
 */
export async function listedPrimary(plan: PlannedCheck, services: CheckServices): Promise<Findings> {
  const { inputs, resource, isPreview, replaces } = plan;
  const { config, liveReads, ownership, backend, pause } = services;
  const branch = primaryPlace(inputs);
  // Of `--replace`, nothing may have named the compute that goes.
  const creates = createsNew(plan) && (replaces === undefined || replaces.endpointId !== undefined);
  if (branch === undefined || !creates || !isPreview || !asksService(plan, config)) return {};
  const listed = async (): Promise<Findings & { readonly id?: string | undefined }> => {
    const read = await liveReads.readLive({ ...branch, type: "read_write" });
    const id = read.kind === "found" ? read.endpoint.id : undefined;
    return { id: id === replaces?.endpointId ? undefined : id, read };
  };
  const first = await listed();
  if (first.id === undefined) return first;
  const { holderOf, begunFor } = await backend();
  const urn = holderOf(first.id);
  // `--replace` and `pulumi state taint` look like a new resource: the option deleteBeforeReplace decides.
  if (urn !== undefined && isSameResource(urn, resource.urn ?? "")) return {};
  if (urn !== undefined) {
    const text = `Branch ${branch.branchId} has its one primary already, compute ${first.id} of resource "${titleIn(urn)}": this create is refused as long as it is there. ${afterItsMove}.`;
    return { warning: text };
  }
  // A list may still show a primary that was just deleted.
  await pause(listServesMs);
  const again = await listed();
  if (again.id === undefined) return again;
  const holder = ownership.holderOf({ ...branch, endpointId: again.id }, resource);
  const whose = holder && namesOf(holder, resource)[0];
  const isBegun = begunFor(resource.urn).some((create) => isSameResource(create.urn, resource.urn ?? ""));
  return { problem: secondPrimary(branch, { primaryId: again.id, whose, isBegun }).message };
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
