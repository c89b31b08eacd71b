/**
 * Decides what a declaration does to a compute (an update, a replacement or nothing), and whether a policy refuses it. A diff
 * gets the inputs that will be sent, after policy packs have changed what the check saw.
 */
import { ComputeError } from "../model/errors";
import { effectOf, type ArgumentName } from "../model/fields";
import type { PlannedInputs } from "../model/inputs";
import { announcementOf } from "./announcement";
import { calmText, type Announcement } from "../model/notice";
import { compareLive } from "./compare";
import type { PlanServices } from "./services";
import { changeOf, mayInterrupt, type PlannedChange } from "../model/interruption";
import { decideOn } from "../model/policy";
import type { LiveRead } from "./live";
import { hasPendingOperations, type EndpointState } from "../model/state";
import { isUnknown } from "../model/unknown";

export interface DiffRequest {
  readonly inputs: PlannedInputs;
  /** Names of the arguments that are secret, now or in the state. */
  readonly secrets: readonly string[];
  /** Paths that the program ignores. */
  readonly ignores: readonly string[];
  /** Arguments whose stored values are secret, and that the declaration no longer marks as secret. */
  readonly madePublic: readonly string[];
  readonly isPreview: boolean;
  /** False for a refresh, which requests a diff without a check, and plans nothing. */
  readonly isPlanned: boolean;
}

export interface DiffResult extends Announcement {
  readonly changes: boolean;
  readonly changed: readonly ArgumentName[];
  readonly replaces: readonly ArgumentName[];
  readonly deleteBeforeReplace: boolean;
  readonly refusal?: ComputeError | undefined;
  /** Said in place of a notice: why a change that could interrupt a compute does not interrupt this compute. */
  readonly calm?: string | undefined;
  /** For a preview: whether the service listed the project's computes without this compute, so that an update of it would fail. */
  readonly isUnlisted: boolean;
}

export async function diffEndpoint(
  state: EndpointState,
  request: DiffRequest,
  services: Pick<PlanServices, "config" | "liveReads" | "now">,
): Promise<DiffResult> {
  const { inputs, secrets, ignores, madePublic, isPlanned } = request;
  const { config } = services;
  const telling = { secrets, ignores, service: config.service };
  const ofState = changeOf(state, inputs, telling);
  const { changed } = ofState;
  const replaces = changed.filter((name) => effectOf(name) === "replace");
  const result = {
    // If an earlier run left pending operations, an update without a change goes on waiting for them.
    changes: changed.length > 0 || hasPendingOperations(state),
    changed,
    replaces,
    deleteBeforeReplace: replaces.length > 0 && takesOldPlace(state, inputs, replaces),
  };
  if (!isPlanned || changed.length === 0) return { ...result, isUnlisted: false };
  const { projectId, endpointId } = state;
  const asks = config.liveFacts && mayInterrupt(ofState);
  const read = asks ? await services.liveReads.readLive({ projectId, endpointId }) : undefined;
  const change = read?.kind === "found" ? compareLive(ofState, read, telling) : ofState;
  const decision = decideOn(change, { config, nowMs: services.now(), madePublic });
  const { refusal } = decision;
  return {
    ...result,
    ...announcementOf({ change, read, ...telling }, decision),
    // A replacement does not fail: its create succeeds, and a compute that no longer exists counts as deleted.
    isUnlisted: request.isPreview && read?.kind === "missing" && replaces.length === 0,
    calm: change.interruption === undefined ? calmOf(ofState, read) : undefined,
    refusal: refusal && new ComputeError({ doing: `changing compute ${endpointId}`, ...refusal }),
  };
}

/** @param ofState - the change as compared with the state alone. */
function calmOf({ before, interruption }: PlannedChange, read: LiveRead | undefined): string | undefined {
  if (read?.kind !== "found" || interruption === undefined) return undefined;
  const { running } = read.now;
  // Nobody expects a compute to be interrupted that the program has disabled.
  return running === "disabled" && before.disabled === true ? undefined : calmText(running);
}

/**
 * A branch has one primary (interface 1): a new primary on the same branch requires that the old one is deleted
 * first.
 */
function takesOldPlace(
  state: EndpointState,
  { projectId, branchId, type }: PlannedInputs,
  replaces: readonly ArgumentName[],
): boolean {
  const bothPrimary = state.type === "read_write" && (type === state.type || isUnknown(type));
  const sameBranch = branchId === state.branchId || isUnknown(branchId);
  // A branch of another project is always another branch.
  return bothPrimary && sameBranch && !(replaces.includes("projectId") && !isUnknown(projectId));
}
