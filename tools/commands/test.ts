/**
 * `npm test -- [jest's arguments]`: every check, then every test. Ends with jest's own summary.
 */
import { checkoutFolder } from "../checkout";
import { exitCodeOf, passSignalsOn, runChild } from "../children";
import { ensureEngine } from "../engine/ensure";

/** What is checked before the tests run, side by side; each is an npm script of that name. */
const checks = ["types", "lint", "format", "architecture"] as const;

const ours = {
  /** What `npm test` leaves out, in place of what it runs. */
  full: "--full",
  /** Leaves the checks to whoever has run them, where several machines share the tests. */
  withoutChecks: "--no-checks",
};

export async function run(args: readonly string[]): Promise<number> {
  passSignalsOn();
  const isFull = args.includes(ours.full);
  const failed = isFull || args.includes(ours.withoutChecks) ? undefined : await failedCheck();
  if (failed !== undefined) return failed;
  const engine = await ensureEngine();
  console.error(`jest, with Pulumi ${engine.version} (${engine.binFolder}) …`);
  process.env["TEST_EXTENT"] = isFull ? "rest" : "quick";
  return npmRun(
    "jest",
    args.filter((word) => !Object.values(ours).includes(word)),
  );
}

/** @returns the exit code of the first check that fails. */
async function failedCheck(): Promise<number | undefined> {
  console.error(`npm run ${checks.join(", ")} …`);
  const ended = await Promise.all(checks.map(async (check) => ({ check, code: await npmRun(check) })));
  const failed = ended.filter(({ code }) => code !== 0);
  for (const { check } of failed) console.error(`\nThe check \`npm run ${check}\` failed, see above.`);
  return failed[0]?.code;
}

async function npmRun(script: string, args: readonly string[] = []): Promise<number> {
  const npm = process.env["npm_execpath"];
  const command = ["run", "--silent", script, "--", ...args];
  const options = { cwd: checkoutFolder, shell: npm === undefined && process.platform === "win32" };
  const ended =
    npm === undefined
      ? await runChild("npm", command, options)
      : await runChild(process.execPath, [npm, ...command], options);
  return exitCodeOf(ended);
}
