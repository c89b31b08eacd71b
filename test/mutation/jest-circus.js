"use strict";

/**
 * Jest's own runner, which stops at the first failure of a mutant: Stryker has no way to tell Jest so, and one
 * failure is all that it asks for.
 *
 * The name of this file is what Stryker goes by to see that coverage per test can be had.
 */
const { createEmptyTestResult } = require("@jest/test-result");
const { default: circus } = require("jest-circus/runner");
const { noteCatch, writeDown } = require("./testFiles");

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
  const [, config, environment, , testPath] = args;
  const mutant = process.env.__STRYKER_ACTIVE_MUTANT__;
  if (mutant === undefined) {
    const result = await circus(...args);
    writeDown(config.rootDir, testPath, result.testResults);
    return result;
  }
  if (caught === mutant) return { ...nothingRun };
  stopAtFirstFailure(environment, { mutant, testPath });
  return circus(...args);
};

function stopAtFirstFailure(environment, { mutant, testPath }) {
  const inner = environment.handleTestEvent?.bind(environment);
  environment.handleTestEvent = async (event, state) => {
    if (event.name === "test_start" && caught === mutant) event.test.mode = "skip";
    await inner?.(event, state);
    if (event.name !== "test_done" || event.test.errors.length === 0 || caught === mutant) return;
    caught = mutant;
    noteCatch(testPath);
  };
}
