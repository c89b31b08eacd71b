"use strict";

/** swc removes the types; `tsc` checks them. */
module.exports = {
  testEnvironment: "node",
  // Pulumi keeps the state of a run on the global object until the process ends, and jest would warn of that.
  testEnvironmentOptions: { globalsCleanup: "off" },
  transform: {
    "^.+\\.ts$": ["@swc/jest", { jsc: { target: "es2022", parser: { syntax: "typescript" } } }],
  },
};
