/**
 * What the engine asks before anything is changed, independent of the provider variant: a check and a diff.
 */
import type { EndpointRef } from "../api/client";
import { heldTwice } from "../endpoint/ownership";
import { adoptLineNotice } from "../endpoint/planning/adopt";
import type { Unfinished } from "../endpoint/planning/checkPrimary";
import { checkEndpoint, type CheckResult } from "../endpoint/planning/check";
import type { Forced } from "../endpoint/planning/compare";
import { diffEndpoint, type DiffResult } from "../endpoint/planning/diff";
import type { ComputePlace } from "../endpoint/planning/inputs";
import { asksLive } from "../endpoint/planning/running";
import type { Now, Verdict } from "../endpoint/planning/interruption";
import { plannedInputs } from "../endpoint/planning/plannedInputs";
import { rowText } from "../endpoint/planning/verdict";
import type { Resource } from "../endpoint/resource";
import { checkHolds, type EndpointState } from "../endpoint/state";
import { forgetStored, isSealed, type JournalEntry } from "../writes/journal";
import {
  configured,
  connected,
  foundIn,
  journalOf,
  seenOf,
  type CheckNotice,
  type SeenResource,
  type Session,
} from "./session";
import { resourceOf, type EngineDeclaration, type Held, type Hidden } from "./stored";

interface Checked extends Pick<CheckResult, "inputs" | "failures"> {
  /** The preview's message about the change. */
  readonly notice: CheckNotice;
  /** For the check of a replacement, which comes without the old inputs: the notice of the check that had them. */
  readonly ofReplacement: CheckNotice | undefined;
}

interface ToCheck {
  /** The declaration in the state; undefined for a new resource and the new side of a replacement. */
  readonly before: EngineDeclaration | undefined;
  readonly declared: EngineDeclaration;
}

export async function checkDeclaration(session: Session, { before, declared }: ToCheck): Promise<Checked> {
  const { args, hidden } = declared;
  const resource = resourceOf(hidden, { log: session.log });
  const seen = seenOf(session, resource.id ?? "");
  session.restartOrder.note();
  if (before !== undefined) seen.inState = {};
  seen.isChecked = true;
  session.hasChecked = true;
  const secrets = secretsOfEither(hidden, before?.hidden);
  const forced = before === undefined ? forcedBy(seen) : undefined;
  if (forced !== undefined) seen.inState = { endpointId: forced.endpointId };
  const isReplacement = before === undefined && resource.id !== undefined && seen.inState !== undefined;
  const { interruption, deferred, verdict, warnings, ...checked } = await checkEndpoint(
    {
      stored: before?.args,
      args,
      resource: { ...resource, secrets },
      isPreview: hidden.isPreview,
      isReplacement,
      replacedId: seen.inState?.endpointId,
      deletesFirst: hidden.deletesFirst,
      found: foundIn(seen),
      forced,
      madePublic: before === undefined ? [] : madePublic(before, declared),
    },
    {
      config: configured(session),
      ownership: session.ownership,
      primaries: session.primaries,
      pause: (ms) => session.clock.sleep(ms),
      liveReads: {
        readLive: async (compute) => (await connected(session)).readLive(compute),
        listLive: async (projectId) => (await connected(session)).listLive(projectId),
        // Called after a look, so the session is connected.
        serviceNow: () => session.lifecycle?.serviceNow() ?? session.clock.now(),
      },
      unfinished: (place) => unfinishedOf(session, { place, resource }),
      now: () => session.clock.now(),
    },
  );
  const { inputs } = checked;
  // The engine prints a reason as it is, and a service's text may be in it.
  const failures = checked.failures.map(({ property, reason }) => ({
    property,
    reason: session.redact(reason),
  }));
  const notice = { interruption: interruption?.text, deferred, verdict };
  const now = nowIn(verdict);
  // `diff` is not called for a compute that is about to be adopted.
  if (before === undefined && hidden.isPreview && interruption !== undefined)
    await resource.row.say("warning", rowText(interruption, now));
  // Without a state, an update does not report what waits either.
  if (before === undefined && deferred !== undefined)
    await resource.row.say("warning", rowText({ text: `deferred ${deferred}` }, now));
  const unasked = hidden.isPreview ? (session.lifecycle?.takeFailures() ?? []) : [];
  for (const warning of [...unasked, ...(warnings ?? [])]) await resource.row.say("warning", warning);
  if (before === undefined) {
    session.readiness.planned(resource.id);
    seen.announced = interruption;
    return { inputs, failures, notice, ofReplacement: seen.notice };
  }
  seen.notice = notice;
  seen.adoptLine = { before: before.args["adopt"], now: args["adopt"] };
  return { inputs, failures, notice, ofReplacement: undefined };
}

/** What an earlier run of this resource did not finish. The service is asked only if the journal has an entry. */
async function unfinishedOf(
  session: Session,
  of: { readonly place: ComputePlace; readonly resource: Resource },
): Promise<Unfinished | undefined> {
  const { journal, ownerOf } = journalOf(session);
  const entry = await journal.find(ownerOf(of.resource.id));
  return entry === undefined ? undefined : (await connected(session)).previewUnfinished(entry, of);
}

/**
 * Replacement forced by the user: `--replace` skips the diff; `replaceOnChanges` is applied after it. Only the check
 * of the replacement sees them.
 */
function forcedBy(seen: SeenResource): Forced | undefined {
  const { endpointId, replaces } = seen.inState ?? {};
  if (endpointId !== undefined && replaces === false) return { by: "option", endpointId };
  const found = foundIn(seen);
  if (found === undefined || seen.notice !== undefined) return undefined;
  return { by: "command", endpointId: found.endpointId };
}

/** What the service said of the judged compute. */
function nowIn(verdict: Verdict | undefined): Now {
  return { running: verdict?.now, lastAccess: verdict?.lastAccess };
}

interface Differs extends Pick<DiffResult, "changes" | "changed" | "replaces" | "deleteBeforeReplace"> {
  /** The notice of the check before this diff; undefined if a refresh requests the diff, which plans nothing. */
  readonly notice: CheckNotice | undefined;
}

export async function diffDeclaration(
  session: Session,
  { held, declared }: { readonly held: Held; readonly declared: EngineDeclaration },
): Promise<Differs> {
  const { args, hidden } = declared;
  const { state, hidden: stored } = held;
  checkHolds(state);
  const secrets = secretsOfEither(hidden, stored);
  const inputs = plannedInputs(args);
  const resource = resourceOf(hidden, { log: session.log, former: stored });
  const seen = seenOf(session, resource.id ?? "");
  const { isChecked = false } = seen;
  if (isChecked) session.restartOrder.note();
  const notice = isChecked ? seen.notice : undefined;
  // Only previews store the check's notice in the declaration.
  const { interruption: text = hidden.interruption, verdict = hidden.verdict, deferred } = notice ?? {};
  const { effect = "none", certain = true } = verdict ?? {};
  const noticed =
    text === undefined ? undefined : { text, certain, effect: effect === "none" ? "unstated" : effect };
  const checked = { inputs, secrets, noticed, checkedId: verdict?.endpointId, now: nowIn(verdict), deferred };
  const { warning, announced, refusal, interrupts, ...differs } = diffEndpoint(state, checked, {
    config: configured(session),
    nowMs: session.clock.now(),
  });
  const entries = await forgetSeen(session, state, resource);
  seen.isChecked = false;
  if (isChecked) {
    if (refusal !== undefined) throw refusal;
    seen.inState = { endpointId: state.endpointId, replaces: differs.replaces.length > 0 };
    if (differs.changes) session.readiness.planned(resource.id);
    const other = session.ownership.take(state, resource);
    if (other !== undefined) throw heldTwice(state.endpointId, resource, other);
    await addName(session, resource, state);
    if (warning !== undefined) await resource.row.say("warning", warning);
    const line = differs.replaces.length > 0 ? undefined : seen.adoptLine;
    const ofLine = line && adoptLineNotice(line, state.endpointId);
    if (ofLine !== undefined) await resource.row.say(ofLine.severity, ofLine.text);
    seen.announced = announced;
    // A move counts also where it interrupts nothing: others may wait for the branch.
    const moves = differs.replaces.length === 0 && differs.changed.includes("branchId");
    if (interrupts || moves) session.restartOrder.announce(state);
    if (differs.replaces.length === 0) await nameReplacement(session, { state, resource, entries });
  }
  return { ...differs, notice };
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
    const unfinished = await (await connected(session)).previewUnfinished(entry, { place, resource });
    if (unfinished?.kind !== "answered" || unfinished.endpoint.id === state.endpointId) continue;
    const { id } = unfinished.endpoint;
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
function madePublic(before: EngineDeclaration, { args, hidden }: EngineDeclaration): readonly string[] {
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
  const others: JournalEntry[] = [];
  for (const name of new Set([id, formerId])) {
    const other = await forgetStored(journal, ownerOf(name), endpointId);
    if (other !== undefined) others.push(other);
  }
  return others;
}
