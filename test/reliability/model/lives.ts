import * as fc from "fast-check";

/** How long a failing life may be cut down: the test has to end with what is found by then. */
const cutsForMs = 60_000;

export interface Lives<Life> {
  readonly of: fc.Arbitrary<Life>;
  readonly live: (life: Life) => Promise<void>;
  readonly count: number;
  readonly seed: number;
  /** Lives that come before the random ones. */
  readonly first?: readonly Life[];
  /** The command that, after the seed and the path, lives a failing one again. */
  readonly command: string;
}

/** Lives random lives, or the one that `MODEL_SEED` and `MODEL_PATH` name. @throws with the line that replays a failing life. */
export async function checkLives<Life>({
  of,
  live,
  count,
  seed,
  first = [],
  command,
}: Lives<Life>): Promise<void> {
  const { MODEL_SEED: replayed, MODEL_PATH: path, MODEL_QUICK: quick } = process.env;
  let failedAtMs: number | undefined;
  const result = await fc.check(
    fc.asyncProperty(of, async (life) => {
      if (failedAtMs !== undefined && performance.now() - failedAtMs > cutsForMs) return;
      try {
        await live(life);
      } catch (error) {
        failedAtMs ??= performance.now();
        throw error;
      }
    }),
    {
      seed: replayed === undefined ? seed : Number(replayed),
      endOnFailure: quick !== undefined,
      numRuns: count + first.length,
      // They are counted in a path.
      examples: first.map((life): [Life] => [life]),
      ...(path === undefined ? {} : { path }),
    },
  );
  if (!result.failed) return;
  const replay = `MODEL_SEED=${result.seed} MODEL_PATH=${result.counterexamplePath ?? ""} ${command}`;
  throw new Error(`${fc.defaultReportMessage(result) ?? ""}\n\nReplay with:\n${replay}`, {
    cause: result.errorInstance,
  });
}
