/** `npm run test:long -- model` has ten thousand lives. */
import { asMuchAs } from "../../support/extent";
import { chosenVariants } from "../../support/variants";
import { isLong, seedsOfCommit, seedsTo } from "../seeds";
import { runProgramLives } from "./programs";

const { MODEL_COUNT: count = isLong ? "500" : asMuchAs({ quick: "8", full: "60" }) } = process.env;
const seeds = isLong ? seedsTo(10) : asMuchAs({ quick: seedsOfCommit(2), full: seedsTo(2) });

describe.each(chosenVariants())("with the %s variant, a random life of two stacks' programs", (variant) => {
  it.each(seeds.map((seed, index) => ({ seed, service: index % 2 === 0 ? "interface" : "neon" }) as const))(
    "leaves each compute to one resource, and none behind without a word, on $service: seed $seed",
    async ({ service, seed }) => {
      const { lives, commands } = await runProgramLives({ variant, count: Number(count), service, seed });
      process.stderr.write(
        `${variant} programs on ${service}, seed ${seed}: ${lives} lives, ${commands} commands\n`,
      );
    },
  );
});
