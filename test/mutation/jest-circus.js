"use strict";

/**
 * Jest's own runner, which stops at the first failure of a mutant: Stryker has no way to tell Jest so, and one
 * failure is all that it asks for. Files without a test that reaches the mutant are not even loaded.
 *
 * The name of this file is what Stryker goes by to see that coverage per test can be had.
 */
const { existsSync, mkdirSync, readFileSync, writeFileSync } = require("node:fs");
const path = require("node:path");
const { createEmptyTestResult } = require("@jest/test-result");
const { default: circus } = require("jest-circus/runner");

/** Jest takes a file without any test for a broken one. */
const nothingRun = {
  ...createEmptyTestResult(),
  numPendingTests: 1,
  testResults: [
    { ancestorTitles: [], title: "left out", fullName: "left out", status: "pending", failureMessages: [] },
  ],
};

/** The last mutant that a test has caught in this process. */
let caught;

module.exports = async function run(...args) {
  const [globalConfig, config, environment, , testPath] = args;
  const mutant = process.env.__STRYKER_ACTIVE_MUTANT__;
  const namesFile = path.join(
    config.rootDir,
    "reports/test-names",
    `${path.relative(config.rootDir, testPath).replaceAll(path.sep, "_")}.json`,
  );
  if (mutant === undefined) {
    const result = await circus(...args);
    mkdirSync(path.dirname(namesFile), { recursive: true });
    writeFileSync(namesFile, JSON.stringify(result.testResults.map(({ fullName }) => fullName)));
    return result;
  }
  if (caught === mutant || !hasTest(namesFile, globalConfig.testNamePattern)) return { ...nothingRun };
  stopAtFirstFailure(environment, mutant);
  return circus(...args);
};

function hasTest(namesFile, pattern) {
  if (!pattern || !existsSync(namesFile)) return true;
  const wanted = new RegExp(pattern, "i");
  return JSON.parse(readFileSync(namesFile, "utf8")).some((name) => wanted.test(name));
}

function stopAtFirstFailure(environment, mutant) {
  const inner = environment.handleTestEvent?.bind(environment);
  environment.handleTestEvent = async (event, state) => {
    if (event.name === "test_start" && caught === mutant) event.test.mode = "skip";
    await inner?.(event, state);
    if (event.name === "test_done" && event.test.errors.length > 0) caught = mutant;
  };
}
