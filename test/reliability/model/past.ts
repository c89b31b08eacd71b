import type { Emulator } from "../../../emulator";
import { latenessMs } from "./life";

/** An endpoint, or the body of a write, as it is on the wire. */
export type Wire = Readonly<Record<string, unknown>>;

/**
 * Moves the emulator's time in steps, and records the computes after each step: a list from a cache or a stale replica shows
 * an earlier record.
 */
export function createPast(
  emulator: Emulator,
  { projectId, remembers }: { readonly projectId: string; readonly remembers: boolean },
): { advance(ms: number): void; before(lateMs: number): readonly Wire[] } {
  const latestMs = Math.max(...latenessMs);
  const { clock } = emulator;
  let moments: { readonly atMs: number; readonly computes: readonly Wire[] }[] = [];
  return {
    advance: (ms) => {
      if (!remembers) {
        clock.advance(ms);
        return;
      }
      for (let leftMs = ms; leftMs > 0;) {
        const computes = emulator.endpoints(projectId).map(({ endpoint }) => ({ ...endpoint }));
        moments.push({ atMs: clock.now(), computes });
        const stepMs = leftMs > latestMs ? leftMs - latestMs : Math.min(leftMs, 500);
        clock.advance(stepMs);
        leftMs -= stepMs;
      }
      moments = moments.slice(
        Math.max(
          0,
          moments.findLastIndex(({ atMs }) => atMs <= clock.now() - latestMs),
        ),
      );
    },
    before: (lateMs) => moments.findLast(({ atMs }) => atMs <= clock.now() - lateMs)?.computes ?? [],
  };
}
