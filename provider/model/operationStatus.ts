/**
 * What an operation's status means (interface 2.2, 3.2). Pure.
 *
 * - `pending`: keep waiting.
 * - `succeeded`, `failed`: it has ended.
 * - `unknown`: a status that is not documented. Never a success: keep waiting, then report it.
 */
type OperationOutcome = "pending" | "succeeded" | "failed" | "unknown";

/** The interface's four statuses, and those that the best known service adds. */
const verdicts = new Map<string, OperationOutcome>([
  ["scheduling", "pending"],
  ["running", "pending"],
  ["cancelling", "pending"],
  ["finished", "succeeded"],
  ["skipped", "succeeded"],
  ["failed", "failed"],
  ["error", "failed"],
  ["cancelled", "failed"],
]);

export function verdictOf(status: string): OperationOutcome {
  return verdicts.get(status) ?? "unknown";
}

/** Whether an operation has ended, successfully or not. */
export function hasEnded(status: string): boolean {
  const verdict = verdictOf(status);
  return verdict === "succeeded" || verdict === "failed";
}
