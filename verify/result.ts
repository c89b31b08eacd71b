/**
 * Whether what was announced happened. What the operations mean, and whether an announcement drops connections, the provider
 * says: this file compares the two.
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
  // A compute that ran nothing shows nothing of a warning, and bears out that a change is harmless.
  if (receipt?.happened === "idle") return announced.effect === "none" ? "true" : "cannot tell";
  const hasStood = connection !== undefined || receipt?.happened === "not restarted";
  if (!hasStood) return "cannot tell";
  return drops === "yes" ? "false alarm" : "true";
}
