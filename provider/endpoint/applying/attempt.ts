/**
 * One attempt to create a compute. It records what is known of the POST, in memory for the other creates of this
 * process and in the journal for a later run. Both can then tell which compute the POST created, and which it did not
 * create.
 */
import type { Api, EndpointChange } from "../../api/client";
import type { ApiEndpoint } from "../../api/schemas";
import { RequestError } from "../../errors";
import { attribute, attributeNames, type AttributeName } from "../../fields";
import {
  clocksDifferMs,
  createdWithinMs,
  createSettledAfterMs,
  intentHoldsMs,
  longestRequestMs,
  serviceClocksDifferMs,
} from "../../timing";
import { hashOf } from "../../writes/flushedFile";
import { isSameId, isSealed, sealed, type JournalEntry } from "../../writes/journal";
import { isSameValue, pgSettingsOf } from "../planning/changes";
import type { EndpointInputs } from "../planning/inputs";
import { computeTypeOf } from "../state";
import { keepOnDisk, type Services, type Step } from "./step";

type Window = NonNullable<JournalEntry["window"]>;

/** An attempt before its POST. Memory and journal are updated each time the POST is sent, and once it has ended. */
export interface Attempt {
  /** The journal entry that a later run may read. */
  readonly entry: () => JournalEntry;
  /**
   * Sends the POST, and records how it ended; the compute in its answer belongs to the resource. @param request -
   * records again that it is sent.
   */
  readonly post: (
    request: (beforeSend: () => Promise<void>) => Promise<EndpointChange>,
  ) => Promise<EndpointChange>;
  /** The id of the created compute is known. */
  readonly named: (endpointId: string) => Promise<void>;
}

export function beginAttempt(step: Step, intent: JournalEntry): Attempt {
  const { clock, journal, ownership, pendingCreates } = step.services;
  const pending = pendingCreates.announce(intent.owner);
  let entry = intent;
  let sentAtMs = intent.intentAtMs;
  /** Of the POSTs that ended without an answer: the service may have carried out any of them. */
  const unanswered: Window[] = [];
  let notedAtMs = Number.NEGATIVE_INFINITY;
  const note = (next: JournalEntry): Promise<void> => {
    entry = next;
    return record(step, entry);
  };
  /**
   * Called before the request is sent, and again if it had to wait for that: from now on the service may carry it
   * out.
   */
  const sending = (): Promise<void> => {
    const nowMs = clock.now();
    // Writing takes time. If the request did not have to wait, the entry on disk is recent enough.
    if (clock.monotonicMs() - notedAtMs < intentHoldsMs) return Promise.resolve();
    notedAtMs = clock.monotonicMs();
    sentAtMs = nowMs;
    const window = windowOf(step, nowMs, nowMs + longestRequestMs);
    if (unanswered.length === 0) return note({ ...entry, intentAtMs: nowMs, window });
    return note({ ...entry, window, earlier: [...unanswered] });
  };
  const noteEnd = async (): Promise<void> => {
    notedAtMs = Number.NEGATIVE_INFINITY;
    const window = unanswered.at(-1);
    if (window !== undefined) return note({ ...entry, window, earlier: unanswered.slice(0, -1) });
    // Nothing was created, so no later run has to check.
    if (entry.owner !== "") await journal.clear(entry.owner);
  };
  return {
    entry: () => entry,
    post: async (request) => {
      const ended = pending.begin();
      try {
        // Recorded before the wait for the rate limit, so that several creates can be sent together.
        await sending();
        const change = await request(sending);
        const ref = { projectId: intent.projectId, endpointId: change.endpoint.id };
        // Must come before any create that waits for this answer continues.
        ownership.take(ref, step.resource);
        ended("made");
        return change;
      } catch (error) {
        const hasMadeNothing = error instanceof RequestError && !mayHaveCreated(error);
        ended(hasMadeNothing ? "nothing" : "unknown");
        if (!hasMadeNothing) unanswered.push(windowOf(step, sentAtMs, clock.now()));
        // At once: while a refused create waits, another user's compute must not look like its result.
        await noteEnd();
        throw error;
      }
    },
    named: (endpointId) => note(withEndpointId(entry, endpointId)),
  };
}

/**
 * Whether the POST may have been carried out, whatever its answer says. Only a create asks this of a no from between:
 * other writes can be sent again, and a second compute is what must not be.
 */
export function mayHaveCreated({ outcome, isBetween }: RequestError): boolean {
  return outcome === "unknown" || isBetween;
}

/** The id is known now, so `baseline` is no longer needed to find the compute. */
export function withEndpointId(entry: JournalEntry, endpointId: string): JournalEntry {
  return { ...entry, baseline: [], sent: undefined, endpointId };
}

/**
 * When the service may carry out the POST: while the request is under way, in the service's own time if its answers
 * state it.
 */
function windowOf({ services: { api, clock } }: Step, fromMs: number, toMs: number): Window {
  const serviceNow = api.serviceNow();
  const aheadMs = serviceNow === undefined ? 0 : serviceNow - clock.now();
  const slackMs = slackOf(api);
  return { fromMs: fromMs + aheadMs - slackMs, toMs: toMs + aheadMs + slackMs };
}

/** How exactly the time of an event at the service is known. */
function slackOf({ serviceNow }: Pick<Api, "serviceNow">): number {
  return serviceNow() === undefined ? clocksDifferMs : serviceClocksDifferMs;
}

/**
 * Whether a list shows by now what a create made. A killed run may have left its POST under way: it can be carried out
 * as long as a request lasts, and a list may be late to show it. A branch has one primary, so nobody waits for that:
 * the service refuses a second one.
 */
export function isSettled(
  { api, clock }: Pick<Services, "api" | "clock">,
  { type, endpointId, intentAtMs, window }: JournalEntry,
): boolean {
  if (window === undefined || endpointId !== undefined || type === "read_write")
    return clock.now() - intentAtMs > createSettledAfterMs;
  const nowMs = api.serviceNow() ?? clock.now();
  return nowMs - (window.toMs - slackOf(api)) > createSettledAfterMs;
}

/** Writes an entry, with secret ids as hashes. */
export async function record({ services, resource }: Step, entry: JournalEntry): Promise<void> {
  if (entry.owner === "") return;
  const seal = (name: "projectId" | "branchId"): string =>
    resource.secrets.includes(name) && !isSealed(entry[name]) ? sealed(entry[name]) : entry[name];
  const written = { ...entry, projectId: seal("projectId"), branchId: seal("branchId") };
  await keepOnDisk(resource, () => services.journal.write(written));
}

/**
 * What the body of a create contains besides branch and type, for the journal. Long settings and secrets are stored
 * as hashes. A secret that can be written in several ways is left out, because its hashes would differ.
 */
export function sentOf(
  inputs: EndpointInputs,
  secrets: readonly string[],
): NonNullable<JournalEntry["sent"]> {
  const values = attributeNames
    .filter((name) => attribute(name).sent !== "path" && !["branchId", "type"].includes(name))
    .map((name) => [name, writtenValue(name, inputs, secrets)] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

function writtenValue(name: AttributeName, inputs: EndpointInputs, secrets: readonly string[]): unknown {
  const value = inputs[name];
  if (value === undefined) return undefined;
  if (name === "settings") {
    const settings = Object.entries(pgSettingsOf(inputs) ?? {});
    return Object.fromEntries(settings.map(([setting, to]) => [setting, hashOfSetting(to)]));
  }
  if (!secrets.includes(name)) return value;
  return attribute(name).same === undefined ? hashOfSecret(value) : undefined;
}

/** Services return Postgres settings as text, whatever was sent. */
function hashOfSetting(value: unknown): string {
  return hashOf([String(value)]);
}

function hashOfSecret(value: unknown): string {
  return sealed(JSON.stringify(value));
}

/**
 * Whether a create may have created this compute. `no`: the compute existed before, is of another type, was created
 * at another time, or differs from what was sent. `possible`: nothing proves it, and nothing contradicts it.
 */
export function workOf(entry: JournalEntry, endpoint: ApiEndpoint): "certain" | "possible" | "no" {
  const { branchId, type, baseline, sent, window, earlier = [] } = entry;
  const isOfThatKind = isSameId(endpoint.branch_id, branchId) && computeTypeOf(endpoint.type) === type;
  if (!isOfThatKind || baseline.includes(endpoint.id) || contradicts(endpoint, sent)) return "no";
  const madeAtMs = Date.parse(endpoint.created_at ?? "");
  const guessed = {
    fromMs: entry.intentAtMs - clocksDifferMs,
    toMs: entry.intentAtMs + longestRequestMs + clocksDifferMs,
  };
  const windows = [window ?? guessed, ...earlier];
  // A service that continues after its answer was lost is slow, but not that slow.
  if (windows.every(({ fromMs, toMs }) => madeAtMs < fromMs || madeAtMs > toMs + createdWithinMs))
    return "no";
  // Entries of earlier versions have neither `sent` nor `window`. A missing creation time proves nothing.
  const isInTime = windows.some(({ fromMs, toMs }) => madeAtMs >= fromMs && madeAtMs <= toMs);
  return sent !== undefined && window !== undefined && isInTime ? "certain" : "possible";
}

/** Whether a compute has another value than was sent. Fields that the service does not return are ignored. */
function contradicts(endpoint: ApiEndpoint, sent: JournalEntry["sent"] = {}): boolean {
  return attributeNames.some((name) => {
    const [was, is] = [sent[name], endpoint[attribute(name).wire]];
    if (was === undefined || is === undefined || is === null) return false;
    if (name === "settings") return settingsContradict(endpoint, was);
    if (typeof was === "string" && isSealed(was)) return hashOfSecret(is) !== was;
    return !isSameValue(name, is, was);
  });
}

function settingsContradict({ settings }: ApiEndpoint, sent: unknown): boolean {
  const answered = settings?.pg_settings ?? {};
  return Object.entries(sent as Record<string, unknown>).some(
    ([setting, hash]) =>
      answered[setting] !== undefined &&
      answered[setting] !== null &&
      hashOfSetting(answered[setting]) !== hash,
  );
}
