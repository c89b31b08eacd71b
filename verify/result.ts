/**
 * Compares what was announced with what happened. The provider's own code decides what the operations mean, and whether an
 * announced change drops connections.
 */
import { dropsOf, type Verdict } from "../provider/model/notice";
import { wasInterrupted, type Receipt } from "../provider/lifecycle/receipt";
import type { ChangeResult, SeenByConnection } from "./report";

/** @param connection - undefined if none was open. */
export function resultOf(
  announced: Pick<Verdict, "effect" | "certain" | "now">,
  receipt: Receipt | undefined,
  connection: SeenByConnection | undefined,
): ChangeResult {
  const drops = dropsOf(announced);
  if (connection?.lost !== undefined || (receipt !== undefined && wasInterrupted(receipt)))
    return drops === "no" ? "missed" : "true";
  // If the compute was not running, a warning cannot be tested. Only "no interruption" can be confirmed.
  if (receipt?.happened === "idle") return announced.effect === "none" ? "true" : "cannot tell";
  const hasStood = connection !== undefined || receipt?.happened === "not restarted";
  if (!hasStood) return "cannot tell";
  return drops === "yes" ? "false alarm" : "true";
}
