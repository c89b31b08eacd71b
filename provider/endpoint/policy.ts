/**
 * Whether a change that drops open connections is allowed.
 */
import type { InterruptionPolicy, ProviderConfig } from "../config";
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

/** @param now - what the service says of the compute; undefined where nobody could be asked, which counts as active. */
export function isForbidden(policy: InterruptionPolicy, now: Running | undefined): boolean {
  if (policy === "forbid-when-active") return now !== "idle" && now !== "disabled";
  return policy === "forbid";
}

/** The notice, and the line that allows it. */
export function refusalText({ text }: Interruption, policy: InterruptionPolicy): string {
  return (
    `${text}. This is forbidden here (onInterruption is "${policy}"): to allow it, set onInterruption: "warn" ` +
    "on this resource, or run `pulumi config set compute:onInterruption warn` where the stack says so"
  );
}
