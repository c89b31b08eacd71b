/** Ten thousand lives: `npm run test:model`. */
import { runSequences } from "./sequences";

jest.setTimeout(3_600_000);

const seeds = Array.from({ length: 10 }, (_none, index) => index + 1);

describe("500 random lives", () => {
  for (const type of ["read_write", "read_only"] as const) {
    it.each(seeds)(`of a ${type} compute never have two computes at once: seed %d`, async (seed) => {
      await runSequences(type, { count: 500, seed });
      process.stderr.write(`${type} seed ${seed}: 500 lives\n`);
    });
  }
});
