/**
 * Checks that a branch gets no second primary (interface 1): against what other resources of the program declare, and in
 * a preview also against what the service lists.
 */
import type { ApiEndpoint } from "../service/schemas";
import type { ComputeError } from "../model/errors";
import { listServesMs } from "../model/timing";
import { primaryOn } from "../service/lists";
import { namesOf, type Ownership } from "../run/ownership";
import type { Resource } from "../run/resource";
import type { Arguments } from "../model/changes";
import type { CheckFailure, ComputePlace } from "../model/inputs";
import type { LiveReads } from "./live";
import { afterItsMove, declaredTwice, secondPrimary, type BranchPlace, type Primaries } from "./primaries";
import { isUnknown } from "../model/unknown";
import { isSameResource, titleIn } from "../model/urns";
import type { StackBackend } from "../run/stackBackend";

/** What creates without an answer may have left where a new compute is to be. */
export type Unfinished =
  /** This resource's own create was begun, and there are computes that it may have made: the user decides. */
  | { readonly kind: "undecided"; readonly error: ComputeError }
  /** Replicas that were made a moment ago, and that the stack does not have. */
  | { readonly kind: "young"; readonly text: string }
  /** The service did not answer the preview in time, or refused to. */
  | { readonly kind: "unanswered" };

export interface PrimaryServices {
  readonly liveReads: Pick<LiveReads, "listLive">;
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
  const listed = async (): Promise<ApiEndpoint | "unanswered" | undefined> => {
    const endpoints = await liveReads.listLive(branch.projectId);
    if (endpoints === undefined) return "unanswered";
    const primary = primaryOn(branch.branchId, endpoints);
    return primary?.id === replaced ? undefined : primary;
  };
  const first = await listed();
  if (first === undefined || first === "unanswered") return { isUnanswered: first !== undefined };
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
  const primary = await listed();
  if (primary === undefined || primary === "unanswered") return { isUnanswered: primary !== undefined };
  const holder = ownership.holderOf({ ...branch, endpointId: primary.id }, resource);
  const whose = holder && namesOf(holder, resource)[0];
  const isBegun = begunFor(resource.urn).some((create) => isSameResource(create.urn, resource.urn ?? ""));
  const { message } = secondPrimary(branch, { primaryId: primary.id, whose, isBegun });
  return { failure: { property: "branchId", reason: message } };
}
