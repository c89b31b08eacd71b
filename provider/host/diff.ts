/**
 * The engine asks what a declaration does to the compute in the state. No other place judges the change: the warning, a refusal,
 * the report and the receipt after the update all use this answer.
 */
import { changedArguments } from "../model/changes";
import { ComputeError } from "../model/errors";
import { withIgnored } from "../model/ignored";
import { plannedInputs } from "../model/inputs";
import type { Verdict } from "../model/notice";
import { checkHolds, type EndpointState } from "../model/state";
import type { EngineDeclaration, EngineState } from "../model/stored";
import { adoptLineNotice } from "../plan/adoption";
import { diffEndpoint, type DiffResult } from "../plan/diff";
import { unlistedNotice } from "../plan/live";
import { rowOn } from "../plan/said";
import { heldTwice } from "../run/ownership";
import { failedReads, planServices, sinceImport } from "./planServices";
import type { Session } from "./session";

/** Both sides of a diff, and of an update. */
export interface ChangeSides {
  readonly held: EngineState;
  readonly declared: EngineDeclaration;
}

export interface Diff extends Pick<DiffResult, "changes" | "changed" | "replaces" | "deleteBeforeReplace"> {
  /** The judgement for the report; undefined in the diff of a refresh, which plans nothing. */
  readonly verdict?: Verdict | undefined;
}

export async function diffDeclaration(session: Session, { held, declared }: ChangeSides): Promise<Diff> {
  const { args, hidden } = declared;
  const { state } = held;
  const { history, ownership } = session.run;
  checkHolds(state);
  const resource = session.resourceOf(hidden, { former: held.hidden });
  const { row } = resource;
  const check = history.checkOf(resource);
  const inputs = plannedInputs(args);
  const { judgement, verdict, isUnlisted, calm, ...planned } = await diffEndpoint(
    sinceImport(session, resource, { known: state, args }),
    {
      inputs,
      secrets: resource.secrets,
      ignores: resource.ignores,
      madePublic: madePublic({ held, declared }),
      // The diff of a dynamic resource is not told whether this is a preview, but its check was.
      isPreview: check?.isPreview === true,
      isPlanned: check !== undefined,
    },
    planServices(session, resource),
  );
  // After an import, an update has to store the arguments that are never sent to the service.
  const changed = changedArguments(state, withIgnored(state, inputs, resource.ignores));
  const diff = { ...planned, changed, changes: planned.changes || changed.length > 0 };
  if (check === undefined) return diff;
  const refusal = judgement?.refusal;
  if (refusal !== undefined)
    throw new ComputeError({ doing: `changing compute ${state.endpointId}`, ...refusal });
  const [unread] = check.isPreview ? await failedReads(session, resource) : [];
  if (unread !== undefined) throw planningError(state, unread);
  const replaces = diff.replaces.length > 0;
  history.noteDiff(resource, { endpointId: state.endpointId, replaces, judgement });
  const other = ownership.take(state, resource);
  if (other !== undefined) throw heldTwice(state.endpointId, resource, other);
  const text = judgement && rowOn(judgement);
  if (text !== undefined) await row.say("warning", isUnlisted ? unlistedNotice(state) : text);
  if (calm !== undefined && check.isPreview) await row.say("info", calm);
  const ofLine = replaces ? undefined : adoptLineNotice(check.adoptLine, state.endpointId);
  if (ofLine !== undefined) await row.say(ofLine.severity, ofLine.text);
  return { ...diff, verdict };
}

function planningError({ endpointId }: EndpointState, { problem }: ComputeError): ComputeError {
  return new ComputeError({ ...problem, doing: `planning compute ${endpointId}: ${problem.doing}` });
}

/** Arguments that were secret before and are not secret (or not declared) now. */
export function madePublic({ held, declared }: ChangeSides): readonly string[] {
  return held.hidden.secrets.filter((name) => !declared.hidden.secrets.includes(name));
}
