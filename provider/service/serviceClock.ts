/**
 * The service's own time: this machine's clock may be hours off.
 */
import type { Clock } from "../clock";
import type { WireAnswer } from "./transport";

/** The service's own time, from the `Date` header of its answers in the interface's form. */
export interface ServiceClock {
  /** The service's wall time in milliseconds; undefined until an answer has stated it. */
  now(): number | undefined;
  /** @param headers - of an answer; a cache states in `age` for how many seconds it has had it. */
  noteDate(headers: WireAnswer["headers"]): void;
}

export function createServiceClock(clock: Clock): ServiceClock {
  let aheadMs: number | undefined;
  return {
    now: () => (aheadMs === undefined ? undefined : clock.now() + aheadMs),
    noteDate: ({ date = "", age = "0" }) => {
      const dateMs = Date.parse(date) + Number(age) * 1000;
      if (Number.isFinite(dateMs)) aheadMs = dateMs - clock.now();
    },
  };
}
