/** `npm run test:long -- fuzz` has a hundred thousand answers. */
import { isLong, seedsOfCommit, seedsTo } from "../seeds";
import { fuzz } from "./fuzzing";

const { count, seeds } = isLong
  ? { count: 5_000, seeds: seedsTo(20) }
  : { count: 2_000, seeds: seedsOfCommit(1) };

describe("an answer whose status line, headers or body were tampered with", () => {
  it.each(seeds)("is refused in words, or holds what a success must hold: seed %d", async (seed) => {
    const { good, refused } = await fuzz({ count, seed });
    process.stderr.write(`tampered answers, seed ${seed}: ${good} good, ${refused} refused\n`);
    expect(good + refused).toBe(count);
    expect(good).toBeGreaterThan(count / 20);
    expect(refused).toBeGreaterThan(count / 4);
  });
});
