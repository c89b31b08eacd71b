/**
 * `npm test -- [jest's arguments]`: checks beside tests. A check that fails ends the tests; otherwise jest's own
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

/** What is checked beside the tests of each part; each is an npm script of that name. `lint` says what `types` would. */
const checks = { quick: ["lint", "format", "architecture"], full: ["docs"] } as const;

const ours = {
  /** What `npm test` leaves out, in place of what it runs: tests and checks. */
  full: "--full",
  /** Leaves the checks to whoever has run them, where several machines share the tests. */
  withoutChecks: "--no-checks",
};

export async function run(args: readonly string[]): Promise<number> {
  passSignalsOn();
  const isFull = args.includes(ours.full);
  const engine = await ensureEngine();
  // Half of the engine's tests wait for other processes, which leaves room for the checks beside them.
  const checking = args.includes(ours.withoutChecks)
    ? undefined
    : failedCheck(isFull ? checks.full : checks.quick);
  console.error(`jest, with Pulumi ${engine.version} (${engine.binFolder}) …`);
  process.env["TEST_EXTENT"] = isFull ? "rest" : "quick";
  const passedOn = args.filter((word) => !Object.values(ours).includes(word));
  // Not by npm: its shell passes no signal on, and jest would outlive a failed check.
  const tested = await runChild(process.execPath, [require.resolve("jest/bin/jest"), ...passedOn], {
    cwd: checkoutFolder,
    detached: true,
  });
  const failed = await checking;
  throwIfStopped();
  return failed ?? exitCodeOf(tested);
}

/** Ends what else runs once a check fails. @returns its exit code; undefined if all passed. */
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
