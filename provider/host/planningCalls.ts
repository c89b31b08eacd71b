/**
 * What the engine asks before anything is changed, independent of the provider variant: a check and a diff.
 */
import type { EndpointRef } from "../api/client";
import { heldTwice } from "../endpoint/ownership";
import { adoptLineNotice } from "../endpoint/planning/adopt";
import type { Unfinished } from "../endpoint/planning/checkPrimary";
import { checkEndpoint, connectionFailures, type CheckResult } from "../endpoint/planning/check";
import type { CheckServices } from "../endpoint/planning/compare";
import { diffEndpoint, type DiffResult } from "../endpoint/planning/diff";
import type { Judged } from "../endpoint/planning/judged";
import { type ComputePlace, plannedInputs } from "../endpoint/planning/inputs";
import { unlistedNotice } from "../endpoint/planning/live";
import { asksLive } from "../endpoint/planning/running";
import type { Interruption, Notice } from "../pure/interruption";
import { rowText } from "../pure/verdict";
import type { Resource } from "../endpoint/resource";
import { checkHolds, type EndpointState } from "../endpoint/state";
import { hasOrganizations } from "../settings/backend";
import type { JournalEntry } from "../writes/journal";
import { isSealed } from "../writes/sealedIds";
import { failedReads, liveReadsOf } from "./liveReads";
import { configured, lifecycleOf, foundIn, journalOf, replacementIn, seenOf, type Session } from "./session";
import type { EngineDeclaration, Held, Hidden } from "../pure/stored";
import { resourceOf, stackNameOf } from "./resources";

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
  session.hasChecked = true;
  // Asked before the engine begins this create: from then on the backend has it as pending.
  if (before === undefined && args["adopt"] === undefined && (await mayBeBegun(session, args, resource)))
    await askBackend(session, hidden, resource);
  const {
    inputs,
    warnings = [],
    ...checked
  } = await checkEndpoint(
    {
      stored: before?.args,
      inputs: args,
      resource: { ...resource, secrets: secretsOfEither(hidden, before?.hidden) },
      isPreview: hidden.isPreview,
      replaces: before === undefined ? replacementIn(session, resource) : undefined,
      deletesFirst: hidden.deletesFirst,
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
    session.fresh.planCreate(args["adopt"] !== undefined);
    seen.creation = { announced: announcedIn(notice) };
    return { inputs, failures, notice, verdict, ofReplacement: seen.checked };
  }
  const adoptLine = { before: before.args["adopt"], now: args["adopt"] };
  seen.checked = { notice, verdict, adoptLine, isPreview: hidden.isPreview };
  return { inputs, failures, notice, verdict, ofReplacement: undefined };
}

/** The service refuses a second primary: only of one that the journal knows the backend has more to say. */
async function mayBeBegun(
  session: Session,
  { type }: Readonly<Record<string, unknown>>,
  { id }: Resource,
): Promise<boolean> {
  if (type === "read_only") return true;
  // What is wrong with the configuration is a failure of the check below.
  if (connectionFailures(configured(session)).length > 0) return false;
  const { journal, ownerOf } = journalOf(session);
  return (await journal.find(ownerOf(id))) !== undefined;
}

/** Asks Pulumi's backend which creates of the stack are pending, once in a run. */
async function askBackend(session: Session, hidden: Hidden, { urn, row }: Resource): Promise<void> {
  if (urn === undefined) return;
  const problem = await session.backend.ask(stackNameIn(session, hidden));
  if (problem !== undefined)
    await row.say(
      "warning",
      `Pulumi's backend could not be asked for creates that an earlier run did not end (${problem}): if a run of this stack was killed, look for its replicas at the service before you create others.`,
    );
}

/** The stack's name, as Pulumi's backend knows it. */
export function stackNameIn(session: Session, hidden: Hidden): string {
  return stackNameOf(hidden, hasOrganizations(configured(session).backend));
}

/** What an update or a create is about to interrupt. */
function announcedIn(notice: Notice | undefined): Interruption | undefined {
  return notice?.property === "interruption" ? notice : undefined;
}

function checkServices(session: Session, resource: Resource, hidden: Hidden): CheckServices {
  return {
    config: configured(session),
    ownership: session.ownership,
    primaries: session.primaries,
    pause: (ms) => session.clock.sleep(ms),
    liveReads: liveReadsOf(session),
    unfinished: (place) => unfinishedOf(session, { place, resource }),
    isBegun: async () => {
      await askBackend(session, hidden, resource);
      return session.backend.begunAt(resource.urn).length > 0;
    },
    now: () => session.clock.now(),
  };
}

/**
 * What an earlier run of this resource did not finish. The service is asked only if the journal or Pulumi's backend knows
 * of it.
 */
async function unfinishedOf(
  session: Session,
  of: { readonly place: ComputePlace; readonly resource: Resource },
): Promise<Unfinished | undefined> {
  const { journal, ownerOf } = journalOf(session);
  const entry = await journal.find(ownerOf(of.resource.id));
  const isBegun = session.backend.begunAt(of.resource.urn).length > 0;
  if (entry === undefined && !isBegun) return undefined;
  return (await lifecycleOf(session)).previewUnfinished(entry, of);
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
  const { notice, verdict, refusal, interrupts, isUnlisted, ...differs } = await diffEndpoint(
    state,
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
  const entries = await forgetSeen(session, state, resource);
  if (checked === undefined) return { ...differs, judged: undefined };
  session.restartOrder.note();
  if (refusal !== undefined) throw refusal;
  const replaces = differs.replaces.length > 0;
  const hasSaidWaiting = notice?.property === "deferred";
  const announced = announcedIn(notice);
  seen.diffed = { endpointId: state.endpointId, replaces, announced, hasSaidWaiting };
  session.fresh.planChange(state, { changes: differs.changes, replaces, announced });
  if (differs.changes) session.readiness.planned(resource.id);
  const other = session.ownership.take(state, resource);
  if (other !== undefined) throw heldTwice(state.endpointId, resource, other);
  await addName(session, resource, state);
  if (notice !== undefined)
    await resource.row.say("warning", isUnlisted ? unlistedNotice(state) : rowText(notice));
  const ofLine = replaces ? undefined : adoptLineNotice(checked.adoptLine, state.endpointId);
  if (ofLine !== undefined) await resource.row.say(ofLine.severity, ofLine.text);
  // A move counts also where it interrupts nothing: others may wait for the branch.
  if (interrupts || (!replaces && differs.changed.includes("branchId"))) session.restartOrder.announce(state);
  if (!replaces) await nameReplacement(session, { state, resource, entries });
  return { ...differs, judged: { notice, verdict } };
}

/**
 * A replacement that was cut off, and that the program no longer asks for: no step is about its compute, so the row of
 * the resource names it.
 */
async function nameReplacement(
  session: Session,
  {
    state,
    resource,
    entries,
  }: Pick<Held, "state"> & { readonly resource: Resource; readonly entries: readonly JournalEntry[] },
): Promise<void> {
  if (!asksLive(configured(session))) return;
  for (const entry of entries) {
    const { type } = entry;
    const given = (name: "projectId" | "branchId"): string =>
      isSealed(entry[name]) ? state[name] : entry[name];
    const place = { projectId: given("projectId"), branchId: given("branchId"), type };
    const unfinished = await (await lifecycleOf(session)).previewUnfinished(entry, { place, resource });
    const id = unfinished && "endpoint" in unfinished ? unfinished.endpoint.id : state.endpointId;
    if (id === state.endpointId) continue;
    const text = `A run that did not end created compute ${id} for this resource, which keeps ${state.endpointId}: ${id} is in no state. If nobody needs it, delete it at the service; a change that replaces the compute as that run did takes it over.`;
    await resource.row.say("warning", text);
  }
}

/** Adds the resource's new name to the note of a takeover. */
export async function addName(session: Session, { id, formerId }: Resource, ref: EndpointRef): Promise<void> {
  if (id === undefined || formerId === undefined) return;
  await session.ownership.notes().addName(ref, { known: formerId, also: id });
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

/**
 * Clears journal entries of computes that the state holds, under the current name and, after a rename, the old one.
 *
 * @returns the other entries under these names.
 */
async function forgetSeen(
  session: Session,
  { endpointId }: EndpointState,
  { id, formerId }: Resource,
): Promise<readonly JournalEntry[]> {
  const { journal, ownerOf } = journalOf(session);
  const names = [...new Set([id, formerId])];
  const entries = await Promise.all(names.map((name) => journal.forget(ownerOf(name), endpointId)));
  return entries.filter((entry) => entry !== undefined);
}
