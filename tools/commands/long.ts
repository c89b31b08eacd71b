/**
 * `npm run test:long -- NAME [arguments]`: a test that takes too long to run for every change. test/README.md says what
 * each one adds to `npm test`.
 */
import { ExpectedError } from "../expectedError";
import { run as runNode } from "./node";

const jestProgram = "node_modules/jest/bin/jest.js";
const long = ["--config", "test/reliability/long.config.js", "--testPathPatterns"];
const strangers = ["--config", "test/strangers/jest.config.js", "--testPathPatterns"];

export const longTests: Readonly<Record<string, readonly string[]>> = {
  matrix: [
    jestProgram,
    ...["--selectProjects", "scenarios", "--testPathPatterns", "scenarios/matrix", "--verbose"],
  ],
  crash: [jestProgram, ...long, "reliability/crash/"],
  model: ["test/reliability/model/long.mjs"],
  awake: ["test/reliability/awake/awake.mjs"],
  terraform: [jestProgram, ...strangers, "strangers/terraform/"],
  strangers: ["tools/bootstrap.js", "test", "--config", "test/strangers/jest.config.js"],
  mutation: ["node_modules/@stryker-mutator/core/bin/stryker.js", "run"],
};

/** @throws ExpectedError that lists all names, if the first argument is not one of them. */
export function run([name, ...args]: readonly string[]): Promise<number> {
  const [, program] = Object.entries(longTests).find(([known]) => known === name) ?? [];
  if (program !== undefined) return runNode([...program, ...args]);
  throw new ExpectedError(
    `Usage: npm run test:long -- NAME [arguments]\nNAME is one of ${Object.keys(longTests).join(", ")}.`,
  );
}
