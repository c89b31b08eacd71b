import { doors } from "../../support/doors";
import { asMuchAs } from "../../support/extent";
import { runProgramLives } from "./programs";

const { MODEL_COUNT: count = asMuchAs({ quick: "20", full: "60" }) } = process.env;

describe.each(doors)("behind the %s door, a random life of two stacks' programs", (door) => {
  it("leaves each compute to one resource, and none behind without a word", async () => {
    const { lives, commands } = await runProgramLives({ door, count: Number(count), seed: 1 });
    process.stderr.write(`${door} programs: ${lives} lives, ${commands} commands\n`);
  });
});
