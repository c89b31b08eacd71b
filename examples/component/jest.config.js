"use strict";

/** swc takes the types away; `tsc` checks them. */
module.exports = {
  testEnvironment: "node",
  // Pulumi keeps its state of a run on the global object for as long as the process lives: jest would warn of it.
  testEnvironmentOptions: { globalsCleanup: "off" },
  transform: {
    "^.+\\.ts$": ["@swc/jest", { jsc: { target: "es2022", parser: { syntax: "typescript" } } }],
  },
};
