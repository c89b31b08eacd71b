/** Where the emulator's time comes from. */
export type ClockKind = "real" | "manual";

/** Start of a manual clock where none is given: 2026-01-05T08:00:00Z, a Monday morning. */
const manualStartMs = Date.UTC(2026, 0, 5, 8);

/**
 * The emulator's time, in milliseconds since 1970.
 *
 * Nothing in the emulator runs on a timer: states and statuses are worked out from this clock when somebody
 * looks. So `advance` makes everything come due at once, in its order, and ten thousand computes cost nothing.
 */
export class Clock {
  readonly kind: ClockKind;
  #offsetMs: number;

  /** @param startMs - where a manual clock stands at first; a real clock ignores it. */
  constructor(kind: ClockKind = "real", startMs: number = manualStartMs) {
    this.kind = kind;
    this.#offsetMs = kind === "manual" ? startMs : 0;
  }

  now(): number {
    return this.kind === "manual" ? this.#offsetMs : Date.now() + this.#offsetMs;
  }

  /**
   * Moves time forward; a real clock runs on from there.
   *
   * @param ms - how far, in milliseconds; never backwards, since records are kept in the order of time.
   */
  advance(ms: number): void {
    if (!Number.isFinite(ms) || ms < 0) {
      throw new RangeError(`The clock advances by 0 or more milliseconds, not ${ms}.`);
    }
    this.#offsetMs += ms;
  }
}
