/**
 * The small worlds: every bound on lists and clocks that `provider/timing.ts` knows, from inside and from outside.
 */
import type { Setting, SmallWorld } from "./smallWorld";

const plain = {
  lagMs: 0,
  machineAheadMs: 0,
  stampsAheadMs: 0,
  saysDate: true,
  allAnswers: false,
} as const satisfies Omit<Setting, "type">;

const types = ["read_only", "read_write"] as const;

function ofBothTypes(setting: Omit<Setting, "type">): readonly Setting[] {
  return types.map((type) => ({ ...setting, type }));
}

export const plainWorlds = ofBothTypes(plain);

/** Every answer there is, where the others try one of each meaning. */
export const worldsOfAllAnswers = ofBothTypes({ ...plain, allAnswers: true });

const hoursMs = 3 * 3_600_000;

/** A list that is late: for longer than a run looks at once, as long as it looks at most, and longer. */
export const lateLists = [4_500, 14_000, 240_000].flatMap((lagMs) => ofBothTypes({ ...plain, lagMs }));

/** Clocks that differ as far as they may; hours do not matter where answers say the service's time. */
export const otherClocks = [
  { machineAheadMs: hoursMs, stampsAheadMs: 2_000 },
  { machineAheadMs: -hoursMs, stampsAheadMs: -2_000 },
  { machineAheadMs: 290_000, saysDate: false },
  { machineAheadMs: -290_000, saysDate: false },
].flatMap((clocks) => ofBothTypes({ ...plain, ...clocks }));

/** Each once in a history. */
export const allTroubles: SmallWorld["left"] = { kill: 1, spoiled: 1, stranger: 1, journal: 1, outage: 1 };

/** Those that lists and clocks have to do with. */
export const troublesInTime: SmallWorld["left"] = { ...allTroubles, journal: 0, outage: 0 };
