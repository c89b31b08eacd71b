/**
 * Checks that a branch gets no second primary (interface 1): against what other resources of the program declare, and in
 * a preview also against what the service lists.
 */
import type { ApiEndpoint } from "../../api/schemas";
import type { ComputeError } from "../../pure/errors";
import { listServesMs } from "../../pure/timing";
import { primaryOn } from "../listed";
import { namesOf, type Ownership } from "../ownership";
import type { Resource } from "../resource";
import type { DeclaredArguments } from "../../pure/changes";
import type { CheckFailure, ComputePlace } from "./inputs";
import type { LiveReads } from "./live";
import { declaredTwice, occupiedBranch, secondPrimary, type BranchPlace, type Primaries } from "./primaries";
import { isUnknown } from "../../pure/unknown";

/** A create that an earlier run did not finish. */
export type Unfinished =
  /** There are computes that it may have made: the user decides. */
  | { readonly kind: "undecided"; readonly error: ComputeError }
  /** The service did not answer the preview in time, or refused to. */
  | { readonly kind: "unanswered" };

export interface PrimaryServices {
  readonly liveReads: Pick<LiveReads, "listLive">;
  readonly ownership: Pick<Ownership, "holderOf" | "inState">;
  /** What the program's resources declare, as far as they were checked. */
  readonly primaries: Primaries;
  /** What an earlier run of this resource did not finish. */
  readonly unfinished: (place: ComputePlace) => Promise<Unfinished | undefined>;
  /** Whether Pulumi's backend has a create of this resource that an earlier run began and did not end. */
  readonly isBegun: () => Promise<boolean>;
  /** Resolves after so many milliseconds. */
  readonly pause: (ms: number) => Promise<void>;
}

/** What a declaration means for the primaries of branches. */
export interface PrimaryQuestion {
  /** What is known of the compute; undefined for a new one. */
  readonly before: DeclaredArguments | undefined;
  readonly inputs: DeclaredArguments;
  readonly resource: Resource;
  /** Whether a new compute is created, in place of none. */
  readonly creates: boolean;
  /** The compute as the service shows it; undefined for a new one, and if the service was not asked. */
  readonly live: ApiEndpoint | undefined;
  /** Whether a replacement deletes the old compute first: `--replace` asks for a new one, as a new resource does. */
  readonly deletesFirst?: boolean | undefined;
  /** Whether a refresh of this run has read the state. */
  readonly isStateRead: boolean;
  /** Whether the service may be asked. */
  readonly mayRead: boolean;
}

/** A primary that another resource of the program declares as well. */
export function primaryInProgram(
  { before, inputs, resource }: PrimaryQuestion,
  { primaries }: PrimaryServices,
): CheckFailure | undefined {
  const to = primaryPlace(inputs);
  primaries.declare(resource, to && { to, from: movedFrom(to, before) });
  if (to === undefined) return undefined;
  const rival = primaries.rivalOf(resource);
  return rival && { property: "branchId", reason: declaredTwice(to, resource, rival).message };
}

/** The branch whose primary a declaration is; undefined if it is none, or if that is not known yet. */
function primaryPlace({ projectId, branchId, type }: DeclaredArguments): BranchPlace | undefined {
  const isKnown = typeof projectId === "string" && typeof branchId === "string";
  if (type !== "read_write" || !isKnown || isUnknown(projectId) || isUnknown(branchId)) return undefined;
  return { projectId, branchId };
}

/**
 * The branch that a primary moves away from; undefined if it does not move. A replaced compute is deleted after
 * everything else, so it leaves nothing to others of this run.
 */
function movedFrom(to: BranchPlace, before: DeclaredArguments | undefined): BranchPlace | undefined {
  const from = before && primaryPlace(before);
  return from?.projectId === to.projectId && from.branchId !== to.branchId ? from : undefined;
}

/** What a preview says of a primary that the service lists on the branch of another one. */
interface ListedPrimary {
  readonly failure?: CheckFailure;
  readonly warning?: string;
  /** True if the service did not list its computes. */
  readonly isUnanswered?: boolean;
}

/**
 * In a preview: the primary that the service lists on the branch. A resource that is not checked yet may move it away,
 * so a move is refused only if no resource of the stack has that primary.
 */
export async function listedPrimary(
  question: PrimaryQuestion,
  services: PrimaryServices,
): Promise<ListedPrimary> {
  const { before, inputs, live, resource, creates, deletesFirst, isStateRead, mayRead } = question;
  const to = primaryPlace(inputs);
  if (to === undefined || !mayRead) return {};
  const isMove = live !== undefined && movedFrom(to, before) !== undefined;
  // The old compute was no primary there: it makes no room.
  const isReplaced = before !== undefined && primaryPlace(before)?.projectId !== to.projectId;
  if (!creates && !isMove && !isReplaced) return {};
  // What is replaced may adopt this very primary.
  const own = isMove ? live.id : inputs.adopt;
  const first = await listedOn(to, own, services);
  if (first === undefined || first === "unanswered") return { isUnanswered: first !== undefined };
  if (services.ownership.inState(first.id).length > 0 || (!creates && !isStateRead))
    return {
      warning: `Branch ${to.branchId} has its one primary already, compute ${first.id}: this change is refused as long as it is there. Where another resource of this program moves it away in the same run, that is done first.`,
    };
  if (creates && deletesFirst)
    return {
      warning: `Branch ${to.branchId} has its one primary already, compute ${first.id}: where this replaces that compute by force (--replace, \`pulumi state taint\`), it is deleted first, as the option deleteBeforeReplace says; otherwise this create is refused.`,
    };
  // A list may still show a primary that was just deleted.
  await services.pause(listServesMs);
  const primary = await listedOn(to, own, services);
  if (primary === undefined || primary === "unanswered") return { isUnanswered: primary !== undefined };
  const holder = services.ownership.holderOf({ ...to, endpointId: primary.id }, resource);
  const whose = holder && namesOf(holder, resource)[0];
  const isBegun = creates && (await services.isBegun());
  const { message } = isMove
    ? occupiedBranch(to.branchId, primary.id, { doing: `moving compute ${live.id}` })
    : secondPrimary(to, { primaryId: primary.id, whose, isBegun });
  return { failure: { property: "branchId", reason: message } };
}

/** The primary that a branch has, and that is not the resource's own. */
async function listedOn(
  to: BranchPlace,
  own: unknown,
  { primaries, liveReads }: PrimaryServices,
): Promise<ApiEndpoint | "unanswered" | undefined> {
  if (primaries.isVacated(to)) return undefined;
  const endpoints = await liveReads.listLive(to.projectId);
  if (endpoints === undefined) return "unanswered";
  const primary = primaryOn(to.branchId, endpoints);
  return primary?.id === own ? undefined : primary;
}
