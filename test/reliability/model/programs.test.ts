import { runProgramLives } from "./programs";

jest.setTimeout(300_000);

const { MODEL_COUNT: count = "60" } = process.env;

describe("a random life of two stacks' programs", () => {
  it("leaves each compute to one resource, and none behind without a word", async () => {
    const { lives, commands } = await runProgramLives({ count: Number(count), seed: 1 });
    process.stderr.write(`programs: ${lives} lives, ${commands} commands\n`);
  });
});
