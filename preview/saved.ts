/**
 * Saves a preview without what no report reads. The engine's debug messages and Terraform's plans have the secrets of every
 * resource in plain text, and a saved preview often leaves its job.
 */
import { findPreview, readFound, refuseOthers } from "./input";
import { keptPlan } from "./peers/keptPlan";
import { isTerraformPlan } from "./peers/terraform";
import { endsPreview, isReportedEvent } from "./read/events";
import { isMap } from "./read/values";

/**
 * What a file keeps of a preview. A report on it is the same, except that it does not show a plan's other values.
 *
 * @throws UnreadableInputError if there is no preview, or several. Events may be cut off: the report on them says so.
 */
export function savedText(bytes: Uint8Array): string {
  const found = findPreview(bytes);
  const { events, documents } = found;
  if (documents.length === 0) {
    if (events.some(endsPreview)) refuseOthers(found);
    return linesOf(events.filter(isReportedEvent));
  }
  readFound(found);
  return linesOf(
    documents.map((document) =>
      isTerraformPlan(document) && isMap(document) ? keptPlan(document) : document,
    ),
  );
}

/**
 * What the file of the lines keeps of a document: where the program declares each resource, and what each depends on.
 *
 * @throws UnreadableInputError if there is no document.
 */
export function savedLines(bytes: Uint8Array): string {
  const [document] = findPreview(bytes).documents;
  const { steps, changeSummary, duration } = isMap(document) ? document : {};
  const placed = (Array.isArray(steps) ? steps : []).filter(isMap).map(({ op, urn, newState }) => {
    if (!isMap(newState)) return { op, urn };
    const { sourcePosition, stackTrace, dependencies } = newState;
    return { op, urn, newState: { sourcePosition, stackTrace, dependencies } };
  });
  return linesOf([{ steps: placed, changeSummary, duration }]);
}

function linesOf(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join("");
}
