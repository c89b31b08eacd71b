/**
 * Ten thousand lives of a compute, and thousands of two stacks' programs, at each door: `npm run test:model`. With
 * `TEST_DOOR=native` or `dynamic` before it, at that one alone.
 */
import { chosenDoors } from "../../support/doors";
import { runProgramLives } from "./programs";
import { runSequences } from "./sequences";

jest.setTimeout(3_600_000);

const seeds = Array.from({ length: 10 }, (_none, index) => index + 1);

describe.each(chosenDoors())("behind the %s door, 500 random lives", (door) => {
  for (const type of ["read_write", "read_only"] as const) {
    it.each(seeds)(`of a ${type} compute never have two computes at once: seed %d`, async (seed) => {
      await runSequences(type, { door, count: 500, seed });
      process.stderr.write(`${door} ${type} seed ${seed}: 500 lives\n`);
    });
  }

  it.each(seeds)(
    "of two stacks' programs leave each compute to one resource, and none behind without a word: seed %d",
    async (seed) => {
      const { lives, commands } = await runProgramLives({ door, count: 500, seed });
      process.stderr.write(`${door} programs seed ${seed}: ${lives} lives, ${commands} commands\n`);
    },
  );
});
