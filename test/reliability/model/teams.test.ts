import { asMuchAs } from "../../support/extent";
import { countIngredients } from "./ingredients";
import { runTeamLives } from "./teams";

const { MODEL_COUNT } = process.env;
/** `npm test` has too few lives to meet everything; the rest of the suite has to. */
const { seeds, count, meetsAll } = asMuchAs({
  quick: { seeds: [1], count: 8, meetsAll: false },
  full: { seeds: [1, 12], count: 30, meetsAll: true },
});
const met = countIngredients();

describe("a random life of two teams that share a project", () => {
  it.each(seeds)(
    "touches nothing of another's, doubles nothing, and leaves nothing without a word: seed %d",
    async (seed) => {
      const { lives, commands } = await runTeamLives({ count: Number(MODEL_COUNT ?? count), seed, met });
      process.stderr.write(`two teams, seed ${seed}: ${lives} lives, ${commands} commands\n`);
    },
  );

  it("has met everything rare that such lives are made of", () => {
    process.stderr.write(`met: ${JSON.stringify(met.all())}\n`);
    expect(met.all()["both teams wrote"]).toBeGreaterThan(0);
    if (meetsAll && MODEL_COUNT === undefined) expect(met.missing()).toEqual([]);
  });
});
