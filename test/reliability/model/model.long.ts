/** Ten thousand lives of a compute, and thousands of two stacks' programs: `npm run test:model`. */
import { runProgramLives } from "./programs";
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

describe("500 random lives of two stacks' programs", () => {
  it.each(seeds)(
    "leave each compute to one resource, and none behind without a word: seed %d",
    async (seed) => {
      const { lives, commands } = await runProgramLives({ count: 500, seed });
      process.stderr.write(`programs seed ${seed}: ${lives} lives, ${commands} commands\n`);
    },
  );
});
