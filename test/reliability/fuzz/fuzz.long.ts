/** A hundred thousand answers: `npm run test:long -- fuzz`. */
import { fuzz } from "./fuzzing";

jest.setTimeout(3_600_000);

const seeds = Array.from({ length: 20 }, (_none, index) => index + 1);

it.each(seeds)("5,000 tampered answers are refused in words or are good: seed %d", async (seed) => {
  const { good, refused } = await fuzz({ count: 5_000, seed });
  process.stderr.write(`seed ${seed}: ${good} good, ${refused} refused\n`);
});
