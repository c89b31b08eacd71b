/**
 * `npm run local -- COMMAND…`: any command on the local stack. Our own messages never go to stdout, so JSON can be
 * piped.
 */
import { passSignalsOn, exitCodeOf, runChild } from "../children";
import { chooseCompute, computesLine, connectionVariables, titleOf } from "../connections";
import { withControlPlane } from "../controlPlane/session";
import { ensureEngine } from "../engine/ensure";
import { ExpectedError } from "../expectedError";
import { localEnvironment, prepareLocalStack } from "../localStack";

export async function run([command, ...args]: readonly string[]): Promise<number> {
  if (command === undefined) {
    throw new ExpectedError(
      "Usage: npm run local -- COMMAND…, for example: npm run local -- pulumi preview --diff",
    );
  }
  // Runs before signals are passed on: there is no child that would get them.
  if (command === "console") return keepConsole();
  passSignalsOn();
  if (command === "psql") return openPsql(args);
  const engine = await ensureEngine();
  return withControlPlane(async (controlPlane) => {
    const stackEnv = localEnvironment(engine, controlPlane);
    await prepareLocalStack(stackEnv, controlPlane);
    const env = { ...stackEnv, ...(await connectionVariables(controlPlane)) };
    return exitCodeOf(await runChild(command, args, { env }).catch(explainNoStart(command)));
  });
}

/** `npm run local -- psql [compute] [psql's arguments]`: needs no engine, only the control plane. */
function openPsql(args: readonly string[]): Promise<number> {
  return withControlPlane(async (controlPlane) => {
    const { variables, rest } = await chooseCompute(controlPlane, args);
    const env = { ...process.env, ...variables };
    return exitCodeOf(await runChild("psql", rest, { env }).catch(explainNoStart("psql")));
  });
}

/** `npm run local -- console`: keeps the control plane and the computes' addresses until it is stopped. */
function keepConsole(): Promise<number> {
  return withControlPlane(async (controlPlane) => {
    console.log(`${controlPlane.url}/_emulator/console`);
    for (const view of await controlPlane.namedComputes()) console.error(titleOf(view));
    console.error(`${computesLine(controlPlane)}. Press Ctrl-C to stop.`);
    await new Promise<void>((resolve) => {
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, resolve);
    });
    return 0;
  });
}

function explainNoStart(command: string): (error: unknown) => never {
  return (error) => {
    if ((error as { code?: unknown }).code !== "ENOENT") throw error;
    throw new ExpectedError(`Running ${command}: there is no such command on PATH.`);
  };
}
