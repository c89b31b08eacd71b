/**
 * What the engine asks before anything is changed: a check, a diff, and of the plugin the preview of a create.
 */
import { changedArguments, type Arguments } from "../model/changes";
import { ComputeError, withChoices } from "../model/errors";
import { plannedInputs } from "../model/inputs";
import { checkHolds, ownOf, withoutUndefined, type EndpointState } from "../model/state";
import type { EngineDeclaration, EngineState, Hidden } from "../model/stored";
import { rowText, type Verdict } from "../model/notice";
import { adoptLineNotice } from "../plan/adoption";
import { checkEndpoint, refuseAdoption, type CheckResult } from "../plan/check";
import type { CheckServices } from "../plan/compare";
import { diffEndpoint, type DiffResult } from "../plan/diff";
import { unlistedNotice } from "../plan/live";
import { heldTwice } from "../run/ownership";
import type { Resource } from "../run/resource";
import type { Session } from "./session";

/** Both sides of a check. */
export interface CheckSides {
  /** The declaration in the state; undefined for a new resource and the new side of a replacement. */
  readonly before: EngineDeclaration | undefined;
  readonly declared: EngineDeclaration;
}

export interface Checked extends Pick<CheckResult, "inputs" | "failures" | "shown"> {
  /** The judgement of a new resource, which no diff follows. */
  readonly verdict?: Verdict | undefined;
}

/** Both sides of a diff, and of an update. */
export interface ChangeSides {
  readonly held: EngineState;
  readonly declared: EngineDeclaration;
}

export interface Diff extends Pick<DiffResult, "changes" | "changed" | "replaces" | "deleteBeforeReplace"> {
  /** The judgement for the report; undefined if a refresh requests the diff, which plans nothing. */
  readonly verdict?: Verdict | undefined;
}

export async function checkDeclaration(session: Session, { before, declared }: CheckSides): Promise<Checked> {
  const { args, hidden } = declared;
  const { run, redact } = session;
  const { history } = run;
  const resource = session.resourceOf(hidden);
  if (resource.urn !== undefined) run.backend.declare(resource.urn);
  const replaces = before === undefined ? history.replacedBy(resource) : undefined;
  // Asked before the engine begins this create: from then on the backend has it as pending. The service refuses a second
  // primary by itself.
  if (before === undefined && (args["type"] === "read_only" || replaces !== undefined))
    await session.askBackend(resource);
  const request = {
    stored: before && sinceImport(session, resource, { known: before.args, args }),
    inputs: args,
    resource: { ...resource, secrets: secretsOfEither(hidden, before?.hidden) },
    isPreview: hidden.isPreview,
    replaces,
  };
  const { inputs, shown, ...checked } = await checkEndpoint(request, checkServices(session, resource));
  const { announcement = {}, warnings = [] } = checked;
  const failures = checked.failures.map(({ property, reason }) => ({ property, reason: redact(reason) }));
  if (before !== undefined) {
    const adoptLine = { before: before.args["adopt"], now: args["adopt"] };
    history.noteChecked(resource, { adoptLine, isPreview: hidden.isPreview, shown });
    return { inputs, failures, shown };
  }
  const { notice, verdict } = announcement;
  history.noteNew(resource, notice);
  if (notice !== undefined && hidden.isPreview) await resource.row.say("warning", rowText(notice));
  const refusals = hidden.isPreview ? await failedReads(session, resource) : [];
  for (const warning of warnings) await resource.row.say("warning", warning);
  return {
    inputs,
    // The engine prints a reason as it is, and a service's text may be in it.
    failures: [
      ...failures,
      ...refusals.map(({ message }) => ({ property: "", reason: withChoices(redact(message)) })),
    ],
    // A replacement is checked again without the old inputs.
    shown: notice?.text ?? history.checkOf(resource)?.shown,
    verdict,
  };
}

/**
 * Says on the row why the service could not be asked.
 *
 * @returns refusals: they fail the preview, because the update would fail too.
 */
async function failedReads({ connected }: Session, { row }: Resource): Promise<readonly ComputeError[]> {
  const failed = connected()?.takeFailures() ?? [];
  for (const { error, isRefusal } of failed) if (!isRefusal) await row.say("warning", error.message);
  return failed.filter(({ isRefusal }) => isRefusal).map(({ error }) => error);
}

/**
 * For the preview of a create, which the plugin alone is asked for: a policy pack may have changed the declaration since
 * its check.
 *
 * @throws ComputeError if the policy refuses the adoption that it declares.
 */
export async function previewCreate(session: Session, { args, hidden }: EngineDeclaration): Promise<void> {
  if (args["adopt"] === undefined) return;
  const resource = session.resourceOf(hidden);
  const plan = { stored: undefined, inputs: plannedInputs(args), resource, isPreview: true };
  await refuseAdoption(plan, checkServices(session, resource));
}

/**
 * What a declaration is compared with: of a compute that this run has imported, the arguments that no service has count
 * as declared, so that none of them restarts it.
 */
export function sinceImport<Known extends Arguments>(
  { run }: Session,
  resource: Resource,
  { known, args }: { readonly known: Known; readonly args: Arguments },
): Known {
  return run.history.hasTaken(resource) ? { ...withoutUndefined(ownOf(args)), ...known } : known;
}

function checkServices(session: Session, resource: Resource): CheckServices {
  const { clock, run, lifecycle, connected } = session;
  return {
    config: session.config(),
    ownership: run.ownership,
    pause: (ms) => clock.sleep(ms),
    liveReads: {
      readLive: async (compute) => (await lifecycle()).readLive(compute),
      // Called after a read, so the session is connected.
      serviceNow: () => connected()?.serviceNow() ?? clock.now(),
    },
    unfinished: async (place) => {
      // The service is asked only if Pulumi's backend has answered.
      if (run.backend.known() === undefined) return {};
      return (await lifecycle()).previewUnfinished({ place, resource });
    },
    backend: () => session.askBackend(resource),
    now: () => clock.now(),
  };
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
  const { notice, verdict, refusal, isUnlisted, calm, ...planned } = await diffEndpoint(
    sinceImport(session, resource, { known: state, args }),
    {
      inputs,
      secrets: secretsOfEither(hidden, held.hidden),
      madePublic: madePublic({ held, declared }),
      // The engine's diff of a dynamic resource does not say it.
      isPreview: check?.isPreview === true,
      isPlanned: check !== undefined,
    },
    checkServices(session, resource),
  );
  // The update that follows an import stores the arguments that no service has.
  const changed = changedArguments(state, inputs);
  const diff = { ...planned, changed, changes: planned.changes || changed.length > 0 };
  if (check === undefined) return diff;
  if (refusal !== undefined) throw refusal;
  const [unread] = check.isPreview ? await failedReads(session, resource) : [];
  if (unread !== undefined) throw planningError(state, unread);
  const { changes } = diff;
  const replaces = diff.replaces.length > 0;
  history.noteDiff(resource, { endpointId: state.endpointId, changes, replaces, notice });
  const other = ownership.take(state, resource);
  if (other !== undefined) throw heldTwice(state.endpointId, resource, other);
  if (notice !== undefined) await row.say("warning", isUnlisted ? unlistedNotice(state) : rowText(notice));
  if (calm !== undefined && check.isPreview) await row.say("info", calm);
  const ofLine = replaces ? undefined : adoptLineNotice(check.adoptLine, state.endpointId);
  if (ofLine !== undefined) await row.say(ofLine.severity, ofLine.text);
  return { ...diff, verdict };
}

function planningError({ endpointId }: EndpointState, { problem }: ComputeError): ComputeError {
  return new ComputeError({ ...problem, doing: `planning compute ${endpointId}: ${problem.doing}` });
}

/** Arguments that were secret before and are not secret (or not declared) now. */
export function madePublic({ held, declared: { args, hidden } }: ChangeSides): readonly string[] {
  const before: Readonly<Record<string, unknown>> = held.state;
  /** A secret inside an argument stays secret only where the new value has the same members. */
  const hasMembersOf = (old: unknown, next: unknown): boolean => {
    if (typeof old !== "object" || old === null) return true;
    const members = typeof next === "object" && next !== null ? (next as Record<string, unknown>) : {};
    return Object.entries(old).every(
      ([name, value]) => name in members && hasMembersOf(value, members[name]),
    );
  };
  return held.hidden.secrets.filter(
    (name) => !hidden.secrets.includes(name) || !hasMembersOf(before[name], args[name]),
  );
}

/** A notice shows both sides of a change, so values that were secret before stay secret. */
function secretsOfEither(now: Hidden, before: Hidden | undefined): readonly string[] {
  return [...new Set([...now.secrets, ...(before?.secrets ?? [])])];
}
