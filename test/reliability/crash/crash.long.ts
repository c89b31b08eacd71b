/** Every kill there is, at each variant: `npm run test:long -- crash`, with `TEST_VARIANT=native` before it at that one alone. */
import { chosenVariants } from "../../support/variants";
import { cyclesOf } from "./cases";
import { openVictim, type Outcome, type Victim } from "./killing";

jest.setTimeout(300_000);

describe.each(chosenVariants())("with the %s variant, kill -9 at every request", (variant) => {
  let victim: Victim;
  const outcomes: Outcome[] = [];

  beforeAll(async () => {
    victim = await openVictim(variant);
  });
  afterAll(async () => {
    await victim.close();
    const counts = new Map<string, number>();
    for (const { ended } of outcomes) counts.set(ended, (counts.get(ended) ?? 0) + 1);
    console.info(
      `${variant} kills: ${outcomes.length}\n${[...counts].map(([ended, count]) => `${ended}: ${count}`).join("\n")}`,
    );
  });

  it.each(cyclesOf(variant))("leaves one compute and no process: $name", async ({ kills }) => {
    const ended = await victim.run(kills);
    outcomes.push(...ended);
    // As it happens: all of it takes half an hour.
    for (const one of ended) process.stderr.write(`${one.kill}: ${one.ended}\n`);
  });
});
