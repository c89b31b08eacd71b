/**
 * Ten thousand lives of two stacks' programs, half of them at each variant: `npm run test:long -- model`. With
 * `TEST_VARIANT=native` or `dynamic` before it, at that one alone.
 */
import { chosenVariants } from "../../support/variants";
import { runProgramLives } from "./programs";

jest.setTimeout(3_600_000);

const seeds = Array.from({ length: 10 }, (_none, index) => index + 1);

describe.each(chosenVariants())("with the %s variant, 500 random lives", (variant) => {
  it.each(seeds)(
    "of two stacks' programs leave each compute to one resource, and none behind without a word: seed %d",
    async (seed) => {
      // Of both services.
      const service = seed % 2 === 0 ? "neon" : "interface";
      const { lives, commands } = await runProgramLives({ variant, service, count: 500, seed });
      process.stderr.write(
        `${variant} programs on ${service}, seed ${seed}: ${lives} lives, ${commands} commands\n`,
      );
    },
  );
});
