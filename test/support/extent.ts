/**
 * Which part of the suite this run is. `npm test` is the quick part, which tells whether a change is right; `npm run test:full` is
 * the rest: what is exhaustive, and code that both variants share behind the second of them. Jest by itself runs both.
 *
 * Who imports this file has tests in both parts; files of the rest alone are listed in test/lanes/fullOnly.js.
 */
const { TEST_EXTENT: extent = "all" } = process.env;
const isInQuickPart = extent !== "rest";
const isInRest = extent !== "quick";

/** Those of a table that belong to this part; the others belong to the other. */
export function ofThisPart<T>(all: readonly T[], isQuick: (one: T) => boolean): readonly T[] {
  return all.filter((one) => (isQuick(one) ? isInQuickPart : isInRest));
}

/** How much of something that has no end: the same at each run of a part, and more in the rest. */
export function asMuchAs<T>({ quick, full }: { readonly quick: T; readonly full: T }): T {
  return extent === "quick" ? quick : full;
}
