/**
 * Which part of the suite this run is. `npm test` is the quick part, which tells whether a change is right. `npm run test:full` is
 * the rest: exhaustive tests, and tests of shared code with the second variant. Plain Jest runs both parts.
 *
 * A file that imports this one has tests in both parts; test/lanes/fullOnly.js lists files that belong to the rest alone.
 */
const { TEST_EXTENT: extent = "all" } = process.env;
const isInQuickPart = extent !== "rest";
const isInRest = extent !== "quick";

/** The rows of a table that belong to this part; all others belong to the other part. */
export function ofThisPart<T>(all: readonly T[], isQuick: (one: T) => boolean): readonly T[] {
  return all.filter((one) => (isQuick(one) ? isInQuickPart : isInRest));
}

/** The number of tries in a test that could go on for ever: smaller in the quick part. */
export function asMuchAs<T>({ quick, full }: { readonly quick: T; readonly full: T }): T {
  return extent === "quick" ? quick : full;
}
