import * as fc from "fast-check";
import { nameIn } from "../../support/miniEngineSteps";
import type { World } from "./programWorld";

/** How long a failing life may be cut down: the test has to end with what is found by then. */
const cutsForMs = 60_000;

/** How much was lived. */
export interface Lived {
  readonly lives: number;
  readonly commands: number;
}

export interface Lives<Life extends { readonly commands: readonly unknown[] }> {
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
export async function checkLives<Life extends { readonly commands: readonly unknown[] }>({
  of,
  live,
  count,
  seed,
  first = [],
  command,
}: Lives<Life>): Promise<Lived> {
  let [lives, commands] = [0, 0];
  const { MODEL_SEED: replayed, MODEL_PATH: path, MODEL_QUICK: quick } = process.env;
  let failedAtMs: number | undefined;
  const result = await fc.check(
    fc.asyncProperty(of, async (life) => {
      if (failedAtMs !== undefined && performance.now() - failedAtMs > cutsForMs) return;
      lives += 1;
      commands += life.commands.length;
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
  if (!result.failed) return { lives, commands };
  const replay = `MODEL_SEED=${result.seed} MODEL_PATH=${result.counterexamplePath ?? ""} ${command}`;
  throw new Error(`${fc.defaultReportMessage(result) ?? ""}\n\nReplay with:\n${replay}`, {
    cause: result.errorInstance,
  });
}

/** Prints what a command led to, where `MODEL_TRACE` asks for it. */
export function trace({ sides, said, computes }: World, command: unknown): void {
  if (process.env["MODEL_TRACE"] === undefined) return;
  const states = sides.map(({ engine }) =>
    engine.state().map((one) => `${nameIn(one)}=${one.id}${one.isToBeDeleted ? "(old)" : ""}`),
  );
  process.stderr.write(
    `${JSON.stringify(command)}\n  ${JSON.stringify(states)} service ${computes().join(" ")}\n  ${said.slice(-4).join("\n  ")}\n`,
  );
}
