/**
 * One attempt to create a compute: what is known of its POST, in memory for the other creates of this process and in the
 * journal for a later run, so that they can tell which compute it made, and which it certainly did not make.
 */
import type { EndpointChange } from "../../api/client";
import type { ApiEndpoint } from "../../api/schemas";
import { RequestError } from "../../errors";
import { attribute, attributeNames, type AttributeName } from "../../fields";
import {
  clocksDifferMs,
  createdWithinMs,
  intentHoldsMs,
  longestRequestMs,
  serviceClocksDifferMs,
} from "../../timing";
import { hashOf } from "../../writes/flushedFile";
import { isSameId, isSealed, sealed, type JournalEntry } from "../../writes/journal";
import type { PostEnd } from "../../writes/pendingCreates";
import { isSameValue, pgSettingsOf } from "../planning/changes";
import type { EndpointInputs } from "../planning/inputs";
import { computeTypeOf } from "../state";
import { keepOnDisk, type Step } from "./step";

/** An attempt before its POST. Each time that it is sent, and once it is over, both halves say so. */
export interface Attempt {
  /** What a later run may know. */
  readonly entry: () => JournalEntry;
  /** Sends the POST; the compute that it answers is the resource's. @param request - notes again that it leaves. */
  readonly post: (
    request: (beforeSend: () => Promise<void>) => Promise<EndpointChange>,
  ) => Promise<EndpointChange>;
  /** The request is over, and nobody knows how. */
  readonly over: () => Promise<void>;
  /** The compute that it made is known. */
  readonly named: (endpointId: string) => Promise<void>;
  /** The service said that it created nothing: there is nothing to come back for. */
  readonly refused: () => Promise<void>;
}

export function beginAttempt(step: Step, intent: JournalEntry): Attempt {
  const { clock, journal, ownership, pendingCreates } = step.services;
  const pending = pendingCreates.announce(intent.owner);
  let entry = intent;
  let isOpen = false;
  let notedAtMs = Number.NEGATIVE_INFINITY;
  const note = (next: JournalEntry): Promise<void> => {
    entry = next;
    return record(step, entry);
  };
  /** Before the request leaves, and again where it waited for that: from now on it may be carried out. */
  const sending = (): Promise<void> => {
    const nowMs = clock.now();
    // Writing takes time: what is on disk is new enough where the request did not have to wait.
    if (clock.monotonicMs() - notedAtMs < intentHoldsMs) return Promise.resolve();
    notedAtMs = clock.monotonicMs();
    // One that was sent before, and of which nobody knows, may still be carried out.
    const intentAtMs = isOpen ? entry.intentAtMs : nowMs;
    return note({ ...entry, intentAtMs, window: windowOf(step, intentAtMs, nowMs + longestRequestMs) });
  };
  return {
    entry: () => entry,
    post: async (request) => {
      const ended = pending.begin();
      let end: PostEnd = "unknown";
      try {
        // Before it waits for the rate limit, so that creates which may leave together do.
        await sending();
        const change = await request(sending);
        const ref = { projectId: intent.projectId, endpointId: change.endpoint.id };
        // Before anybody who waits for this answer looks further.
        ownership.take(ref, step.resource);
        end = "made";
        return change;
      } catch (error) {
        if (error instanceof RequestError && error.outcome !== "unknown") end = "nothing";
        throw error;
      } finally {
        ended(end);
      }
    },
    over: () => {
      isOpen = true;
      notedAtMs = Number.NEGATIVE_INFINITY;
      return note({ ...entry, window: windowOf(step, entry.intentAtMs, clock.now()) });
    },
    named: (endpointId) => note(named(entry, endpointId)),
    refused: async () => {
      if (entry.owner !== "") await journal.clear(entry.owner);
    },
  };
}

/** Its compute is known: what was there before, a long list in a large stack, is not asked for any more. */
export function named(entry: JournalEntry, endpointId: string): JournalEntry {
  return { ...entry, baseline: [], sent: undefined, endpointId };
}

/** When the POST may be carried out: while it is under way, in the service's own time where its answers tell that. */
function windowOf(
  { services: { api, clock } }: Step,
  fromMs: number,
  toMs: number,
): NonNullable<JournalEntry["window"]> {
  const serviceNow = api.serviceNow();
  const aheadMs = serviceNow === undefined ? 0 : serviceNow - clock.now();
  const slackMs = serviceNow === undefined ? clocksDifferMs : serviceClocksDifferMs;
  return { fromMs: fromMs + aheadMs - slackMs, toMs: toMs + aheadMs + slackMs };
}

/** Writes an entry with the ids that are secret as hashes. */
export async function record({ services, resource }: Step, entry: JournalEntry): Promise<void> {
  if (entry.owner === "") return;
  const seal = (name: "projectId" | "branchId"): string =>
    resource.secrets.includes(name) && !isSealed(entry[name]) ? sealed(entry[name]) : entry[name];
  const written = { ...entry, projectId: seal("projectId"), branchId: seal("branchId") };
  await keepOnDisk(resource, () => services.journal.write(written));
}

/**
 * What the body of a create says beside branch and type, for the journal: settings, which may be long, and secrets as
 * hashes. A secret that another value may mean the same as is left out: hashes cannot tell that.
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

/** Services answer Postgres settings as text, whatever was sent. */
function hashOfSetting(value: unknown): string {
  return hashOf([String(value)]);
}

function hashOfSecret(value: unknown): string {
  return sealed(JSON.stringify(value));
}

/**
 * Whether a create may have made a compute. `no`: it was there before, is another kind of compute, was made at another
 * time, or differs from what was sent. `possible`: nothing proves it, and nothing speaks against it.
 */
export function workOf(entry: JournalEntry, endpoint: ApiEndpoint): "certain" | "possible" | "no" {
  const { branchId, type, baseline, sent, window } = entry;
  const isOfThatKind = isSameId(endpoint.branch_id, branchId) && computeTypeOf(endpoint.type) === type;
  if (!isOfThatKind || baseline.includes(endpoint.id) || contradicts(endpoint, sent)) return "no";
  const madeAtMs = Date.parse(endpoint.created_at ?? "");
  const { fromMs, toMs } = window ?? {
    fromMs: entry.intentAtMs - clocksDifferMs,
    toMs: entry.intentAtMs + longestRequestMs + clocksDifferMs,
  };
  // A service that goes on after its answer was lost is slow, but not that slow.
  if (madeAtMs < fromMs || madeAtMs > toMs + createdWithinMs) return "no";
  // An earlier version wrote neither down, and a time that nobody tells proves nothing.
  const isProven = sent !== undefined && window !== undefined && madeAtMs <= toMs;
  return isProven ? "certain" : "possible";
}

/** Whether a compute has another value than was sent. What the service does not answer contradicts nothing. */
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
