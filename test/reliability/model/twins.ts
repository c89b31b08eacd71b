/**
 * Which of the computes that somebody made in the console nobody can tell from the result of a create without an answer:
 * docs/ownership.md says what cannot be known.
 */
import { createShowsAfterMs, serviceClocksDifferMs } from "../../../provider/model/timing";
import type { Sent } from "./network";
import type { World } from "./programWorld";

/** For how long the run that sent a create looks for its compute: what is new meanwhile may be it. */
export const lookedForMs = createShowsAfterMs.reduce((sum, waitMs) => sum + waitMs, 0);

/** An answer states its time in whole seconds. */
const roundingMs = 1_000;

export function isTwin({ emulator, computes }: World, sent: readonly Sent[], id: string): boolean {
  if (!computes().includes(id)) return false;
  const { endpoint } = emulator.endpoint(id);
  const madeAtMs = Date.parse(endpoint.created_at);
  const slackMs = serviceClocksDifferMs + roundingMs;
  return sent.some(
    (write) =>
      write.isCreate &&
      !write.isAnswered &&
      agrees(withDefaultTimeout(endpoint), write.body) &&
      madeAtMs >= startOf(sent, write) - slackMs &&
      madeAtMs <= write.endedAtMs + lookedForMs + slackMs,
  );
}

/** With the default of 300 in place of the 0 that stands for it. */
export function withDefaultTimeout<Shown extends { readonly suspend_timeout_seconds?: number }>(
  endpoint: Shown,
): Shown {
  return { ...endpoint, suspend_timeout_seconds: endpoint.suspend_timeout_seconds || 300 };
}

/** A create that is sent again is under way from its first request on. */
function startOf(sent: readonly Sent[], write: Sent): number {
  const same = sent.filter((one) => one.isCreate && one.by === write.by && isRepeat(one, write));
  return Math.min(...same.map(({ atMs }) => atMs));
}

function isRepeat(one: Sent, other: Sent): boolean {
  return JSON.stringify(one.body) === JSON.stringify(other.body);
}

/** Whether nothing of a compute contradicts what was sent. What it does not show contradicts nothing. */
function agrees(endpoint: object, sent: Sent["body"]): boolean {
  const shown = endpoint as Record<string, unknown>;
  return Object.entries(sent).every(([name, value]) => {
    if (name !== "settings") return shown[name] === undefined || shown[name] === value;
    const is = settingsIn(shown[name]);
    return Object.entries(settingsIn(value)).every(([one, to]) => is[one] === undefined || is[one] === to);
  });
}

function settingsIn(settings: unknown): Record<string, unknown> {
  return (settings as { readonly pg_settings?: Record<string, unknown> } | undefined)?.pg_settings ?? {};
}
