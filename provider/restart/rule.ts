/**
 * What a policy makes of a restart: it is applied, waits for a window or until the compute is idle, or is refused. Pure.
 */
import type { ProviderConfig } from "../settings/config";
import type { Problem } from "../errors";
import { isOpen } from "../settings/interruptionWindow";
import type { Interruption, Now, Verdict } from "../endpoint/planning/interruption";
import { policyOf, refusalOf, untilOf, unlessActive } from "../endpoint/planning/plan";
import { runsNothing } from "../endpoint/planning/verdict";

export type Ruling =
  /** `proviso`: the condition under which the update sends it. */
  | { readonly kind: "applied"; readonly proviso?: string }
  /** `text`: until when, and what waits. */
  | { readonly kind: "waits"; readonly text: string; readonly verdict: NonNullable<Verdict["deferred"]> }
  | { readonly kind: "refused"; readonly refusal: Pick<Problem, "what" | "fix"> };

interface Restart {
  readonly inputs: Parameters<typeof policyOf>[0];
  readonly interruption: Interruption;
  readonly now: Now | undefined;
}

interface RuledAt {
  readonly config: ProviderConfig;
  /** Wall time in milliseconds. */
  readonly nowMs: number;
  /** True directly before it is sent: from then on, a compute that could not be read counts as active. */
  readonly isFinal?: boolean;
}

export function ruleOn(
  { inputs, interruption, now }: Restart,
  { config, nowMs, isFinal = false }: RuledAt,
): Ruling {
  const policy = policyOf(inputs, config);
  const { interruptionWindow: window } = config;
  const isIdle = runsNothing(now?.running);
  if (policy === "defer") {
    if (window !== undefined && isOpen(window, nowMs)) return { kind: "applied" };
    const mayBeIdle = isIdle || (now?.running === undefined && !isFinal);
    if (mayBeIdle) return { kind: "applied", proviso: unlessActive };
    const until = untilOf(config, nowMs);
    const verdict = { effect: interruption.effect, ...until };
    return { kind: "waits", text: `${until.text}: ${interruption.text}`, verdict };
  }
  const isForbidden = policy === "forbid" || (policy === "forbid-when-active" && !isIdle);
  if (!isForbidden) return { kind: "applied" };
  return { kind: "refused", refusal: refusalOf({ interruption, inputs, now }, config) };
}
