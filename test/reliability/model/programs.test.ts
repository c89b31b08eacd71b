import { variants } from "../../support/variants";
import { asMuchAs } from "../../support/extent";
import { runProgramLives } from "./programs";

const { MODEL_COUNT: count = asMuchAs({ quick: "8", full: "60" }) } = process.env;

describe.each(variants)("with the %s variant, a random life of two stacks' programs", (variant) => {
  it("leaves each compute to one resource, and none behind without a word", async () => {
    const { lives, commands } = await runProgramLives({ variant, count: Number(count), seed: 1 });
    process.stderr.write(`${variant} programs: ${lives} lives, ${commands} commands\n`);
  });
});
