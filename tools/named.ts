/**
 * Scripts that run one of several programs for Node, by its name.
 */
import { checkoutFolder } from "./checkout";
import { exitCodeOf, passSignalsOn, runChild } from "./children";
import { ExpectedError } from "./expectedError";

interface NamedPrograms {
  /** As people type it. */
  readonly script: string;
  /** The words behind `node`. */
  readonly programs: Readonly<Record<string, readonly string[]>>;
}

/** @throws ExpectedError that lists all names, if the first argument is none of them. */
export async function runNamed(
  { script, programs }: NamedPrograms,
  [name, ...args]: readonly string[],
): Promise<number> {
  const [, program] = Object.entries(programs).find(([known]) => known === name) ?? [];
  if (program === undefined)
    throw new ExpectedError(
      `Usage: ${script} -- NAME [arguments]\nNAME is one of ${Object.keys(programs).join(", ")}.`,
    );
  passSignalsOn();
  return exitCodeOf(await runChild(process.execPath, [...program, ...args], { cwd: checkoutFolder }));
}
