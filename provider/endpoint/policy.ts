/**
 * Whether a change that drops open connections is allowed.
 */
import type { ProviderConfig } from "../config";
import { isOpen } from "../interruptionWindow";
import type { InterruptionPolicy } from "../settings/table";
import { unknownValue, type Interruption, type Running } from "./verdict";

/** The resource's own word; where it says nothing, or something that is not known yet, the stack's. */
export function policyOf(
  { onInterruption }: { readonly onInterruption?: unknown },
  config: ProviderConfig,
): InterruptionPolicy {
  return onInterruption === undefined || onInterruption === unknownValue
    ? config.onInterruption
    : (onInterruption as InterruptionPolicy);
}

/** Whether an interruption has to wait: the policy is `defer`, and no window is open. @param nowMs - wall time in milliseconds. */
export function mustWait(
  policy: InterruptionPolicy,
  { interruptionWindow }: ProviderConfig,
  nowMs: number,
): boolean {
  return policy === "defer" && (interruptionWindow === undefined || !isOpen(interruptionWindow, nowMs));
}

/** @param now - what the service says of the compute; undefined where nobody could be asked, which counts as active. */
export function isForbidden(policy: InterruptionPolicy, now: Running | undefined): boolean {
  if (policy === "forbid-when-active") return now !== "idle" && now !== "disabled";
  return policy === "forbid";
}

/** The notice, and the line that allows it. @param closed - until when no window is open, where it is refused for that. */
export function refusalText({ text }: Interruption, policy: InterruptionPolicy, closed?: string): string {
  if (closed !== undefined)
    return (
      `${text}. This cannot be left for a window (onInterruption is "defer"): of a move, a replacement or an adoption, ` +
      "other resources of the run may need the outcome, and a secret cannot stay where none is declared any more. Run " +
      `\`pulumi up\` within compute:interruptionWindow, which is closed ${closed}, or set onInterruption: "warn" on this resource`
    );
  return (
    `${text}. This is forbidden here (onInterruption is "${policy}"): to allow it, set onInterruption: "warn" ` +
    "on this resource, or run `pulumi config set compute:onInterruption warn` where the stack says so, " +
    "and unset COMPUTE_ON_INTERRUPTION where the environment does"
  );
}
