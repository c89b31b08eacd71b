import { variants } from "../../support/variants";
import { asMuchAs } from "../../support/extent";
import { runProgramLives } from "./programs";

const { MODEL_COUNT: count = asMuchAs({ quick: "8", full: "60" }) } = process.env;

describe.each(variants)("with the %s variant, a random life of two stacks' programs", (variant) => {
  it.each([
    { service: "interface", seed: 1 },
    { service: "neon", seed: 2 },
  ] as const)(
    "leaves each compute to one resource, and none behind without a word, on $service",
    async (where) => {
      const { lives, commands } = await runProgramLives({ variant, count: Number(count), ...where });
      process.stderr.write(`${variant} programs on ${where.service}: ${lives} lives, ${commands} commands\n`);
    },
  );
});
