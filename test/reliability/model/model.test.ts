/** Random lives. `npm run test:long -- model LIVES` runs as many as you like (`long.mjs`). */
import * as fc from "fast-check";
import { asMuchAs } from "../../support/extent";
import { seedsOfCommit, seedsTo } from "../seeds";
import { expectCalm } from "./calm";
import { carryOut } from "./commands";
import { noteMakers } from "./invariants";
import { countIngredients, life, type Life } from "./life";
import { traceCommand } from "./trace";
import { openWorld } from "./world";

const { MODEL_COUNT, MODEL_SEED, MODEL_PATH, MODEL_QUICK } = process.env;
/** `npm test` runs too few lives to meet every rare event; the other suites must meet all of them. */
const { seeds, count, meetsAll } = asMuchAs({
  quick: { seeds: seedsOfCommit(2), count: 10, meetsAll: false },
  full: { seeds: seedsTo(2), count: 75, meetsAll: true },
});
/** The longest time for shrinking a failing life. The test then reports the shortest one that it has found. */
const cutsForMs = 60_000;
const met = countIngredients();

describe("a random life of two teams that share a project", () => {
  it.each(MODEL_SEED === undefined ? seeds : [Number(MODEL_SEED)])(
    "leaves each compute with one resource, touches no other resource's compute, and reports every compute that it leaves behind: seed %d",
    async (seed) => {
      const { lives, commands } = await liveAll(seed, Number(MODEL_COUNT ?? count));
      process.stderr.write(`seed ${seed}: ${lives} lives, ${commands} commands\n`);
    },
  );

  it("has met every rare event", () => {
    process.stderr.write(`met: ${JSON.stringify(met.all())}\n`);
    if (MODEL_COUNT !== undefined || MODEL_SEED !== undefined) return;
    expect(met.all()["both teams wrote"]).toBeGreaterThan(0);
    if (meetsAll) expect(met.missing()).toEqual([]);
  });
});

/** Runs random lives, or the one that `MODEL_SEED` and `MODEL_PATH` name. @throws with the line that replays a failing life. */
async function liveAll(seed: number, numRuns: number): Promise<Record<"lives" | "commands", number>> {
  const lived = { lives: 0, commands: 0 };
  let failedAtMs: number | undefined;
  const result = await fc.check(
    fc.asyncProperty(life, async (one) => {
      if (failedAtMs !== undefined && performance.now() - failedAtMs > cutsForMs) return;
      lived.lives += 1;
      lived.commands += one.commands.length;
      await live(one).catch((error: unknown) => {
        failedAtMs ??= performance.now();
        throw error;
      });
    }),
    {
      seed,
      endOnFailure: MODEL_QUICK !== undefined,
      numRuns,
      ...(MODEL_PATH === undefined ? {} : { path: MODEL_PATH }),
    },
  );
  if (!result.failed) return lived;
  const replay = `MODEL_SEED=${result.seed} MODEL_PATH=${result.counterexamplePath ?? ""} npx jest reliability/model`;
  throw new Error(`${fc.defaultReportMessage(result) ?? ""}\n\nReplay with:\n${replay}`, {
    cause: result.errorInstance,
  });
}

async function live(one: Life): Promise<void> {
  const world = await openWorld(one, met);
  try {
    for (const command of one.commands) {
      await carryOut(world, command).finally(() => {
        traceCommand(world, command);
      });
      // Time passes between two commands, so nobody takes a compute that appears minutes later for their own.
      world.clock.advance(5_000);
    }
    await expectCalm(world);
    noteMakers(world);
  } finally {
    await world.close();
  }
}
