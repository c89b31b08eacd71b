import os from "node:os";

/**
 * Mutation testing: `npm run test:long -- mutation`. reports/mutation/mutation.html lists each change of the code that no test
 * notices.
 *
 * @type {import("@stryker-mutator/api/core").PartialStrykerOptions}
 */
export default {
  mutate: ["provider/**/*.ts", "preview/**/*.ts"],
  testRunner: "one-process",
  // Only the tests that reach a mutant run against it.
  coverageAnalysis: "perTest",
  plugins: ["./test/mutation/plugin.mjs"],
  // All mutators are used, but sentences are not mutated, since no test reads a message word for word. Strings without
  // a space are mutated: they are names, values and keys.
  ignorers: ["sentences"],
  // Skips tables and schemas at the top of a file. They are built once, so each mutant of them would need every test
  // again.
  ignoreStatic: true,
  // Leaves the files' type checks alone: swc strips types, so they do not matter here.
  disableTypeChecks: false,
  concurrency: os.availableParallelism(),
  // A mutant that waits forever is caught by this limit. The tests' clock takes no real time, so a short limit is
  // enough.
  timeoutMS: 10_000,
  // On a busy machine the first run of all tests takes longer than Stryker's own five minutes.
  dryRunTimeoutMinutes: 30,
  // A new process from time to time closes whatever broken code has left open (sockets, servers).
  maxTestRunnerReuse: 60,
  tempDirName: "reports/mutation/sandbox",
  ignorePatterns: ["/dist", "/coverage", "/reports", "/.local", "/docs/images"],
  // The next run checks only what has changed; `--force` checks everything.
  incremental: true,
  incrementalFile: "reports/mutation/incremental.json",
  reporters: ["progress", "clear-text", "folders", "html", "json"],
  clearTextReporter: { logTests: false, reportTests: false, reportScoreTable: false, allowColor: false },
  htmlReporter: { fileName: "reports/mutation/mutation.html" },
  jsonReporter: { fileName: "reports/mutation/mutation.json" },
  thresholds: { high: 95, low: 90, break: 80 },
};
