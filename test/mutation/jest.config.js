"use strict";

const { projects } = require("../../jest.config.js");

const unit = projects.find(({ displayName }) => displayName === "unit");

/** What mutation testing runs against each mutant: the provider's tests that need no other process. */
module.exports = {
  ...unit,
  displayName: "mutation",
  rootDir: "../..",
  // Looking for test files must not walk through the rest of the repository for every mutant.
  roots: ["<rootDir>/emulator", "<rootDir>/provider", "<rootDir>/test"],
  testMatch: ["<rootDir>/test/unit/provider/**/*.test.ts"],
  // Every pair of every value, half a minute: what it would catch, smaller tests must.
  testPathIgnorePatterns: ["/node_modules/", "test/unit/provider/truth\\.test\\.ts$"],
  testRunner: "<rootDir>/test/mutation/jest-circus.js",
  testSequencer: "<rootDir>/test/mutation/sequencer.js",
};
