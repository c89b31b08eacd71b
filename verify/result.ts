/**
 * Compares what was announced with what happened. The provider's own code decides what the operations mean, and whether an
 * announced change drops connections: only an open connection is an independent witness.
 */
import { dropsOf, type Verdict } from "../provider/model/notice";
import { wasInterrupted, type Receipt } from "../provider/lifecycle/receipt";
import type { ChangeResult, SeenByConnection } from "./report";

/** @param connection - undefined if none was open. */
export function resultOf(
  announced: Pick<Verdict, "effect" | "certain" | "now">,
  receipt: Receipt,
  connection: SeenByConnection | undefined,
): ChangeResult {
  const drops = dropsOf(announced);
  const isLost = connection?.lost !== undefined;
  // A lost connection that nothing announced is a miss, whatever the service lists.
  if (isLost && drops === "no") return "missed";
  if (disagreementOf(receipt, connection) !== undefined) return "cannot tell";
  if (isLost || wasInterrupted(receipt)) return drops === "no" ? "missed" : "true";
  // If the compute was not running, a warning cannot be tested. Only "no interruption" can be confirmed.
  if (receipt.happened === "idle") return announced.effect === "none" ? "true" : "cannot tell";
  const hasStood = connection !== undefined || receipt.happened === "not restarted";
  if (!hasStood) return "cannot tell";
  return drops === "yes" ? "false alarm" : "true";
}

/** In words, if the service and an open connection show different things. */
export function disagreementOf(
  { happened }: Pick<Receipt, "happened">,
  connection: SeenByConnection | undefined,
): string | undefined {
  if (connection === undefined) return undefined;
  const isLost = connection.lost !== undefined;
  if (!isLost && happened === "restarted") return "connection survived, the service lists a start";
  if (!isLost && happened === "suspended") return "connection survived, the service lists a suspension";
  return isLost && happened === "not restarted" ? "connection lost, the service lists no start" : undefined;
}
