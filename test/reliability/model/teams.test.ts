import { asMuchAs } from "../../support/extent";
import { runTeamLives } from "./teams";

const { MODEL_COUNT: count = asMuchAs({ quick: "24", full: "120" }) } = process.env;

describe("a random life of two teams that share a project", () => {
  it("touches nothing of another's, doubles nothing, leaves nothing without a word, and meets everything rare", async () => {
    const seed = 1;
    const { lives, commands, met } = await runTeamLives({ count: Number(count), seed });
    process.stderr.write(
      `two teams, seed ${seed}: ${lives} lives, ${commands} commands, met ${JSON.stringify(met.all())}\n`,
    );
    expect(met.missing()).toEqual([]);
  });
});
