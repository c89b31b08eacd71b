/**
 * Decides what a declaration does to a compute (an update, a replacement or nothing), and whether a policy refuses it. A diff
 * gets the inputs that will be sent, after policy packs have changed what the check saw.
 */
import { effectOf, type ArgumentName } from "../model/fields";
import type { PlannedInputs } from "../model/inputs";
import { calmText, type Verdict } from "../model/notice";
import type { PlanServices } from "./services";
import type { PlannedChange } from "../model/interruption";
import { judgeHeld, type Judgement } from "./judge";
import type { LiveRead } from "./live";
import { verdictOn } from "./said";
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

export interface DiffResult {
  readonly changes: boolean;
  readonly changed: readonly ArgumentName[];
  readonly replaces: readonly ArgumentName[];
  readonly deleteBeforeReplace: boolean;
  /** Undefined if nothing is planned. */
  readonly judgement?: Judgement | undefined;
  readonly verdict?: Verdict | undefined;
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
  const { config, liveReads, now } = services;
  const { projectId, endpointId } = state;
  const moment = { secrets, ignores, madePublic, config, now };
  const readNow = async (): Promise<LiveRead | undefined> =>
    isPlanned && config.liveFacts ? liveReads.readLive({ projectId, endpointId }) : undefined;
  const { ofState, ...judgement } = await judgeHeld(state, inputs, { ...moment, readNow });
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
  const { change, read } = judgement;
  return {
    ...result,
    judgement,
    verdict: verdictOn(judgement, { secrets, config }),
    // A replacement does not fail: its create succeeds, and a compute that no longer exists counts as deleted.
    isUnlisted: request.isPreview && read?.kind === "missing" && replaces.length === 0,
    calm: change.interruption === undefined ? calmOf(ofState, read) : undefined,
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
