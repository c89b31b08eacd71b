/** `real` follows the machine's clock; `manual` moves only by `advance`. */
export type ClockKind = "real" | "manual";

/** Default start of a manual clock: 2026-01-05T08:00:00Z, a Monday morning. */
const manualStartMs = Date.UTC(2026, 0, 5, 8);

/**
 * The emulator's time, in milliseconds since 1970.
 *
 * With simulated computes, nothing in the emulator runs on a timer: before a request is answered, states and statuses
 * are brought up to this clock's time. So idle computes cost nothing, and `advance` makes everything happen that has
 * come due, in order.
 */
export class Clock {
  /** `real` if it moves by itself. */
  readonly kind: ClockKind;
  #offsetMs: number;
  readonly #onAdvance = new Set<() => void>();

  /**
   * A clock for `startEmulator`.
   *
   * @param kind - default `real`.
   * @param startMs - first time of a manual clock, in milliseconds since 1970; a real clock ignores it. Default
   * 2026-01-05T08:00:00Z.
   */
  constructor(kind: ClockKind = "real", startMs: number = manualStartMs) {
    this.kind = kind;
    this.#offsetMs = kind === "manual" ? startMs : 0;
  }

  /** The time, in milliseconds since 1970. */
  now(): number {
    return this.kind === "manual" ? this.#offsetMs : Date.now() + this.#offsetMs;
  }

  /**
   * Moves time forward; a real clock goes on from there.
   *
   * @param ms - how far, in milliseconds; never backwards, because records are in the order of time.
   * @throws RangeError if `ms` is below 0, or not a number.
   */
  advance(ms: number): void {
    if (!Number.isFinite(ms) || ms < 0) {
      throw new RangeError(`The clock can advance only by 0 or more milliseconds, not by ${ms}.`);
    }
    this.#offsetMs += ms;
    for (const listener of this.#onAdvance) listener();
  }

  /** Calls back after each `advance`. @returns a function that stops these calls */
  onAdvance(listener: () => void): () => void {
    this.#onAdvance.add(listener);
    return () => this.#onAdvance.delete(listener);
  }
}
