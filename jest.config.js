"use strict";

/** swc strips the types; `npm run types` checks them. */
const transform = {
  "^.+\\.ts$": ["@swc/jest", { jsc: { target: "es2022", parser: { syntax: "typescript" } } }],
};

/** @type {import("jest").Config["projects"]} */
const layers = ["unit", "contract", "emulator", "reliability", "engine"].map((layer) => ({
  displayName: layer,
  testMatch: [`<rootDir>/test/${layer}/**/*.test.ts`],
  testEnvironment: "node",
  // What a mutation run leaves behind when it is cut off: a copy of this repository. The plugin has the package's name.
  modulePathIgnorePatterns: ["<rootDir>/reports/", "<rootDir>/dist/plugin/"],
  // Dynamic imports name the built file; the tests run the source.
  moduleNameMapper: { "^(\\.{1,2}/.*)\\.js$": "$1" },
  transform,
}));

/** @type {import("jest").Config} */
// Most of an engine test is waiting for other processes: a core each is not too much.
module.exports = { projects: layers, maxWorkers: "100%" };
