/**
 * What the engine asks before anything is changed, independent of the provider variant: a check and a diff.
 */
import { heldTwice } from "../run/ownership";
import { adoptLineNotice } from "../plan/adoption";
import { checkEndpoint, refuseAdoption, type CheckResult } from "../plan/check";
import type { CheckServices } from "../plan/compare";
import { diffEndpoint, type DiffResult } from "../plan/diff";
import type { Judged } from "../plan/judged";
import { plannedInputs } from "../model/inputs";
import { unlistedNotice } from "../plan/live";
import type { Interruption, Notice } from "../model/interruption";
import { rowText } from "../model/verdict";
import type { Resource } from "../run/resource";
import { checkHolds, isUnfinished, ownOf, withoutUndefined } from "../model/state";
import { changedArguments, type DeclaredArguments } from "../model/changes";
import { failedReads, liveReadsOf } from "./liveReads";
import {
  configured,
  lifecycleOf,
  foundIn,
  replacementIn,
  seenOf,
  type SeenResource,
  type Session,
} from "./session";
import type { EngineDeclaration, Held, Hidden } from "../model/stored";
import { resourceOf } from "./resources";
import { askBackend, nameLeft } from "./stack";

/** What a check of either resource found out. */
export interface Checked extends Judged, Pick<CheckResult, "inputs" | "failures"> {}

interface CheckedEndpoint extends Checked {
  /** For the check of a replacement, which comes without the old inputs: what the check that had them found out. */
  readonly ofReplacement: Judged | undefined;
}

/** Both sides of a check. */
export interface ToCheck {
  /** The declaration in the state; undefined for a new resource and the new side of a replacement. */
  readonly before: EngineDeclaration | undefined;
  readonly declared: EngineDeclaration;
}

export async function checkDeclaration(
  session: Session,
  { before, declared }: ToCheck,
): Promise<CheckedEndpoint> {
  const { args, hidden } = declared;
  const resource = resourceOf(hidden, { log: session.log });
  const seen = seenOf(session, resource);
  session.restartOrder.note();
  if (resource.urn !== undefined) session.backend.declare(resource.urn);
  void nameLeft(session, { hidden, resource });
  // Asked before the engine begins this create: from then on the backend has it as pending. A second primary is refused.
  if (before === undefined && args["adopt"] === undefined && args["type"] === "read_only")
    await askBackend(session, { hidden, resource });
  const {
    inputs,
    warnings = [],
    ...checked
  } = await checkEndpoint(
    {
      stored: before && sinceImport(seen, before.args, args),
      inputs: args,
      resource: { ...resource, secrets: secretsOfEither(hidden, before?.hidden) },
      isPreview: hidden.isPreview,
      replaces: before === undefined ? replacementIn(session, resource) : undefined,
      found: foundIn(seen),
    },
    checkServices(session, resource, hidden),
  );
  const { notice, verdict } = checked;
  const warn = (text: string): Promise<void> => resource.row.say("warning", text);
  // No diff follows, and an update does not report what waits either.
  if (before === undefined && notice !== undefined && (hidden.isPreview || notice.property === "deferred"))
    await warn(rowText(notice));
  const failures = [
    ...checked.failures.map(({ property, reason }) => ({ property, reason: session.redact(reason) })),
    ...(await failedReads(session, resource, hidden.isPreview)),
  ];
  for (const warning of warnings) await warn(warning);
  if (before === undefined) {
    session.readiness.planned(resource.id);
    seen.creation = { announced: announcedIn(notice) };
    return { inputs, failures, notice, verdict, ofReplacement: seen.checked };
  }
  const adoptLine = { before: before.args["adopt"], now: args["adopt"] };
  seen.checked = { notice, verdict, adoptLine, isPreview: hidden.isPreview };
  return { inputs, failures, notice, verdict, ofReplacement: undefined };
}

/**
 * For the preview of a create, which the plugin alone is asked for: a policy pack may have changed the declaration since
 * its check.
 *
 * @throws ComputeError if the policy refuses the adoption that it declares.
 */
export async function previewCreate(session: Session, { args, hidden }: EngineDeclaration): Promise<void> {
  if (args["adopt"] === undefined) return;
  const resource = resourceOf(hidden, { log: session.log });
  const plan = { stored: undefined, inputs: plannedInputs(args), resource, isPreview: true };
  await refuseAdoption(plan, checkServices(session, resource, hidden));
}

/**
 * What a declaration is compared with: of a compute that this run has imported, the arguments that no service has count
 * as declared, so that none of them restarts it.
 */
export function sinceImport<Known extends DeclaredArguments>(
  { taken }: SeenResource,
  known: Known,
  args: DeclaredArguments,
): Known {
  return taken === undefined ? known : { ...withoutUndefined(ownOf(args)), ...known };
}

/** What an update or a create is about to interrupt, or does if it need not wait by then. */
function announcedIn(notice: Notice | undefined): Interruption | undefined {
  return notice?.property === "deferred" ? notice.waiting : notice;
}

function checkServices(session: Session, resource: Resource, hidden: Hidden): CheckServices {
  return {
    config: configured(session),
    ownership: session.ownership,
    primaries: session.primaries,
    pause: (ms) => session.clock.sleep(ms),
    liveReads: liveReadsOf(session),
    unfinished: async (place) => {
      // The service is asked only if Pulumi's backend has answered.
      if (!session.backend.isKnown()) return undefined;
      return (await lifecycleOf(session)).previewUnfinished({ place, resource });
    },
    backend: () => askBackend(session, { hidden, resource }),
    now: () => session.clock.now(),
  };
}

interface Differs extends Pick<DiffResult, "changes" | "changed" | "replaces" | "deleteBeforeReplace"> {
  /** What is said of the change; undefined if a refresh requests the diff, which plans nothing. */
  readonly judged: Judged | undefined;
}

export async function diffDeclaration(
  session: Session,
  { held, declared }: { readonly held: Held; readonly declared: EngineDeclaration },
): Promise<Differs> {
  const { args, hidden } = declared;
  const { state, hidden: stored } = held;
  checkHolds(state);
  const resource = resourceOf(hidden, { log: session.log, former: stored });
  const seen = seenOf(session, resource);
  const { checked } = seen;
  const { notice, verdict, refusal, interrupts, isUnlisted, ...planned } = await diffEndpoint(
    sinceImport(seen, state, args),
    {
      inputs: plannedInputs(args),
      secrets: secretsOfEither(hidden, stored),
      madePublic: madePublic({ args: state, hidden: stored }, declared),
      // The engine's diff of a dynamic resource does not say it.
      isPreview: checked?.isPreview === true,
      isPlanned: checked !== undefined,
    },
    checkServices(session, resource, hidden),
  );
  // The update that follows an import stores the arguments that no service has.
  const changed = changedArguments(state, plannedInputs(args));
  const differs = { ...planned, changed, changes: planned.changes || changed.length > 0 };
  if (checked === undefined) return { ...differs, judged: undefined };
  session.restartOrder.note();
  if (refusal !== undefined) throw refusal;
  const replaces = differs.replaces.length > 0;
  const hasSaidWaiting = notice?.property === "deferred";
  const announced = announcedIn(notice);
  seen.diffed = { endpointId: state.endpointId, replaces, announced, hasSaidWaiting };
  if (differs.changes) session.readiness.planned(resource.id);
  const other = session.ownership.take(state, resource);
  if (other !== undefined) throw heldTwice(state.endpointId, resource, other);
  if (notice !== undefined)
    await resource.row.say("warning", isUnlisted ? unlistedNotice(state) : rowText(notice));
  const ofLine = replaces ? undefined : adoptLineNotice(checked.adoptLine, state.endpointId);
  if (ofLine !== undefined) await resource.row.say(ofLine.severity, ofLine.text);
  // One that has not come back from an earlier run goes first too.
  if (interrupts || (!replaces && isUnfinished(state))) session.restartOrder.announce(state);
  return { ...differs, judged: { notice, verdict } };
}

/** Arguments that were secret before and are not secret (or not declared) now. */
export function madePublic(
  before: { readonly args: Readonly<Record<string, unknown>>; readonly hidden: Hidden },
  { args, hidden }: EngineDeclaration,
): readonly string[] {
  /** A secret inside an argument stays secret only where the new value has the same members. */
  const hasMembersOf = (old: unknown, next: unknown): boolean => {
    if (typeof old !== "object" || old === null) return true;
    const members = typeof next === "object" && next !== null ? (next as Record<string, unknown>) : {};
    return Object.entries(old).every(
      ([name, value]) => name in members && hasMembersOf(value, members[name]),
    );
  };
  return before.hidden.secrets.filter(
    (name) => !hidden.secrets.includes(name) || !hasMembersOf(before.args[name], args[name]),
  );
}

/** A notice shows both sides of a change, so values that were secret before stay secret. */
function secretsOfEither(now: Hidden, before: Hidden | undefined): readonly string[] {
  return [...new Set([...now.secrets, ...(before?.secrets ?? [])])];
}
