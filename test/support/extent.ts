/**
 * Which part of the suite this run is. `npm test` is the quick part, which tells whether a change is right; `npm run test:full` is
 * the rest: what is exhaustive, and code that both doors share behind the second of them. `TEST_EXTENT=all` is both.
 *
 * Who imports this file is in both parts (test/lanes/lanes.js); what is in the rest alone is a file `*.full.test.ts`.
 */
import { doors, type Door } from "./doors";

const { TEST_EXTENT: extent = "quick" } = process.env;

/** For what a file has besides, and need not be said twice. */
export const isInQuickPart = extent !== "rest";
export const isInRest = extent !== "quick";

/** Those of a table that belong to this part; the others belong to the other. */
export function ofThisPart<T>(all: readonly T[], isQuick: (one: T) => boolean): readonly T[] {
  return all.filter((one) => (isQuick(one) ? isInQuickPart : isInRest));
}

/** For tests of code that both doors share: `npm test` runs them behind this one, the rest behind the other. */
export function sharedBehind(quick: Door): readonly Door[] {
  return ofThisPart(doors, (door) => door === quick);
}
