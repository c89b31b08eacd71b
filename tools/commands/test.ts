/**
 * `npm test -- [jest's arguments]`: runs checks beside the tests. A failed check ends the tests; otherwise jest's own
 * summary comes last.
 */
import { checkoutFolder } from "../checkout";
import {
  endChildren,
  exitCodeOf,
  isStopped,
  passSignalsOn,
  runChild,
  runNpm,
  throwIfStopped,
} from "../children";
import { ensureEngine } from "../engine/ensure";

/**
 * The checks beside the tests of each part; each is an npm script of that name. `lint` reports everything that `types`
 * would.
 */
const checks = { quick: ["lint", "format", "architecture"], full: ["docs"] } as const;

const ours = {
  /** Runs the tests and checks that `npm test` leaves out, and no others. */
  full: "--full",
  /** Leaves out the checks, for several machines that share the tests: one of them runs the checks. */
  withoutChecks: "--no-checks",
};

export async function run(args: readonly string[]): Promise<number> {
  passSignalsOn();
  const isFull = args.includes(ours.full);
  const engine = await ensureEngine();
  // The engine's tests spend half of their time waiting for other processes, which leaves room for the checks.
  const checking = args.includes(ours.withoutChecks)
    ? undefined
    : failedCheck(isFull ? checks.full : checks.quick);
  console.error(`jest, with Pulumi ${engine.version} (${engine.binFolder}) …`);
  process.env["TEST_EXTENT"] = isFull ? "rest" : "quick";
  const passedOn = args.filter((word) => !Object.values(ours).includes(word));
  // jest is not run through npm: npm's shell passes on no signal, so jest would outlive a failed check.
  const tested = await runChild(process.execPath, [require.resolve("jest/bin/jest"), ...passedOn], {
    cwd: checkoutFolder,
    detached: true,
  });
  const failed = await checking;
  throwIfStopped();
  return failed ?? exitCodeOf(tested);
}

/** Ends everything else once a check fails. @returns its exit code; undefined if all passed. */
async function failedCheck(names: readonly string[]): Promise<number | undefined> {
  console.error(`npm run ${names.join(", ")} …`);
  const failed: number[] = [];
  const run = async (check: string): Promise<void> => {
    const ended = await runNpm(["run", "--silent", check], { cwd: checkoutFolder, detached: true });
    const code = exitCodeOf(ended);
    if (code === 0 || failed.length > 0 || isStopped()) return;
    failed.push(code);
    console.error(`\nThe check \`npm run ${check}\` failed, see above.`);
    endChildren();
  };
  await Promise.all(names.map(run));
  return failed[0];
}
