/**
 * What a judged change says: the notice for the row and the diff, and the verdict for the report. Pure.
 */
import type { Notice, Verdict } from "../model/interruption";
import type { LiveRead } from "./live";
import { noticeOf, type PlannedChange } from "../model/plan";
import type { Decision } from "../model/policy";
import type { PlannedInputs } from "../model/inputs";
import type { ServiceName } from "../model/services";
import { isUnknown } from "../model/unknown";

/** What is said of a change, and the judgement for the report. */
export interface Judged {
  readonly notice?: Notice | undefined;
  readonly verdict?: Verdict | undefined;
}

interface JudgedChange {
  readonly change: PlannedChange<PlannedInputs>;
  /** What the service answered about the compute; undefined if it was not asked. */
  readonly read?: LiveRead | undefined;
  readonly secrets: readonly string[];
  readonly service: ServiceName;
}

export function judgedOf(known: JudgedChange, decision: Decision): Judged {
  return { notice: noticeOf(known.change, decision), verdict: verdictOf(known, decision) };
}

function verdictOf({ change, read, secrets, service }: JudgedChange, { deferral }: Decision): Verdict {
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
    // The service could not be asked what an adopted compute runs now.
    certain: applied?.certain ?? (inputs.adopt === undefined || endpoint !== undefined),
    also: applied?.also,
    deferred: deferral?.verdict,
    now: now?.running,
    lastAccess: now?.lastAccess,
    unasked: read?.kind === "unanswered" ? true : undefined,
    endpointId: endpoint?.id,
    projectId: shown("projectId"),
    branchId: shown("branchId"),
    type: shown("type"),
  };
}
