/**
 * What check and diff say about a change once the policy has decided: the notice, and the verdict for the report. Pure.
 */
import type { PlannedInputs } from "../model/inputs";
import type { PlannedChange } from "../model/interruption";
import type { Announcement, Notice, Verdict } from "../model/notice";
import type { Decision } from "../model/policy";
import type { ServiceName } from "../model/services";
import { isUnknown } from "../model/unknown";
import type { LiveRead } from "./live";

/** A change, and what is known about its compute. */
interface Case {
  readonly change: PlannedChange<PlannedInputs>;
  /** What the service answered about the compute; undefined if it was not asked. */
  readonly read?: LiveRead | undefined;
  readonly isAdoption?: boolean;
  readonly secrets: readonly string[];
  readonly service: ServiceName;
}

/** What a notice is made of. */
interface NoticedCase {
  readonly change: Pick<PlannedChange, "interruption" | "now">;
  readonly read?: LiveRead | undefined;
}

function isUnasked(read: LiveRead | undefined): true | undefined {
  return read?.kind === "unanswered" ? true : undefined;
}

export function announcementOf(known: Case, decision: Decision): Announcement {
  return { notice: noticeOf(known, decision), verdict: verdictOn(known, decision) };
}

/** @returns undefined if the change interrupts nothing, and nothing waits. */
export function noticeOf(
  { change: { interruption, now }, read }: NoticedCase,
  { deferral, proviso }: Decision,
): Notice | undefined {
  const facts = { now, unasked: isUnasked(read) };
  if (deferral !== undefined) {
    return { property: "deferred", text: deferral.text, waiting: interruption, ...facts };
  }
  if (interruption === undefined) return undefined;
  const text = [interruption.text, proviso].filter((part) => part !== undefined).join("; ");
  return { property: "interruption", ...interruption, text, ...facts };
}

function verdictOn(
  { change, read, isAdoption = false, secrets, service }: Case,
  { deferral }: Decision,
): Verdict {
  const { inputs, interruption, now } = change;
  const endpoint = read?.kind === "found" ? read.endpoint : undefined;
  const shown = (name: "projectId" | "branchId" | "type"): string | undefined => {
    const value = inputs[name];
    return secrets.includes(name) || isUnknown(value) ? undefined : value;
  };
  const applied = deferral === undefined ? interruption : undefined;
  return {
    effect: applied?.effect ?? "none",
    service,
    // An adoption is uncertain if the service could not be asked about the compute.
    certain: applied?.certain ?? (!isAdoption || endpoint !== undefined),
    also: applied?.also,
    deferred: deferral?.verdict,
    now: now?.running,
    lastAccess: now?.lastAccess,
    unasked: isUnasked(read),
    endpointId: endpoint?.id,
    projectId: shown("projectId"),
    branchId: shown("branchId"),
    type: shown("type"),
  };
}
