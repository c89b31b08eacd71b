/**
 * What is said about a change: its sentence, with and without live facts, and the verdict for the report. Pure.
 */
import { rowText, type Verdict } from "../model/notice";
import { isUnknown } from "../model/unknown";
import type { ProviderConfig } from "../settings/config";
import type { Judgement } from "./judge";
import type { LiveRead } from "./live";

/** Undefined if the change interrupts nothing, and nothing waits. It has no live facts, so that a saved plan stays valid. */
export function sentenceOn({ change: { interruption }, deferral, proviso }: Judgement): string | undefined {
  if (deferral !== undefined) return deferral.text;
  return interruption && [interruption.text, proviso].filter((part) => part !== undefined).join("; ");
}

/** The sentence for the row, with what the compute is doing now. */
export function rowOn(judgement: Judgement): string | undefined {
  const { change, deferral, read } = judgement;
  const certain = deferral === undefined ? change.interruption?.certain : undefined;
  const text = sentenceOn(judgement);
  return text && rowText(text, { certain, now: change.now, unasked: isUnasked(read) });
}

function isUnasked(read: LiveRead | undefined): true | undefined {
  return read?.kind === "unanswered" ? true : undefined;
}

export function verdictOn(
  { change, read, isAdoption = false, deferral }: Judgement,
  {
    secrets,
    config: { service },
  }: { readonly secrets: readonly string[]; readonly config: Pick<ProviderConfig, "service"> },
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
