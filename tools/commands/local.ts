import { passSignalsOn, exitCodeOf, runChild } from "../children";
import { joinControlPlane } from "../controlPlane/session";
import { ensureEngine } from "../engine/ensure";
import { ExpectedError } from "../expectedError";
import { localEnvironment, prepareLocalStack } from "../localStack";

/** `npm run local -- COMMAND…`: any command on the local stack. Nothing of ours goes to stdout, so JSON can be piped. */
export async function run([command, ...args]: readonly string[]): Promise<number> {
  if (command === undefined) {
    throw new ExpectedError(
      "Usage: npm run local -- COMMAND…, for example: npm run local -- pulumi preview --diff",
    );
  }
  passSignalsOn();
  const engine = await ensureEngine();
  const controlPlane = await joinControlPlane();
  try {
    const env = localEnvironment(engine, controlPlane);
    await prepareLocalStack(env, controlPlane);
    return exitCodeOf(await runChild(command, args, { env }).catch(explainNoStart(command)));
  } finally {
    await controlPlane.release();
  }
}

function explainNoStart(command: string): (error: unknown) => never {
  return (error) => {
    if ((error as { code?: unknown }).code !== "ENOENT") throw error;
    throw new ExpectedError(`Running ${command}: there is no such command on PATH.`);
  };
}
