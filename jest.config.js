"use strict";

const { availableParallelism } = require("node:os");

// It asks for CI, which the other takes away.
const { lanes, testMatchOf } = require("./test/lanes/lanes");
require("./test/lanes/environment");

/** swc strips the types; `npm run types` checks them. */
const transform = {
  "^.+\\.ts$": ["@swc/jest", { jsc: { target: "es2022", parser: { syntax: "typescript" } } }],
};

/** @type {import("jest").Config["projects"]} */
const projects = Object.entries(lanes).map(([lane, laneSeconds]) => ({
  displayName: lane,
  testMatch: testMatchOf(lane, __dirname),
  testEnvironment: "node",
  // What a mutation run leaves behind when it is cut off: a copy of this repository. The plugin has the package's name.
  modulePathIgnorePatterns: ["<rootDir>/reports/", "<rootDir>/dist/plugin/"],
  // Dynamic imports name the built file; the tests run the source.
  moduleNameMapper: { "^(\\.{1,2}/.*)\\.js$": "$1" },
  transform,
  globals: { laneSeconds },
  setupFiles: lane === "unit" || lane === "scenarios" ? [`${__dirname}/test/lanes/memory.js`] : [],
  setupFilesAfterEnv: [`${__dirname}/test/lanes/setup.js`],
}));

/** @type {import("jest").Config} */
module.exports = {
  projects,
  // Half of an engine test is waiting for other processes: three of them keep two cores busy. A number, since jest reads a
  // percentage above 100 as one.
  maxWorkers: Math.ceil(1.5 * availableParallelism()),
  testSequencer: `${__dirname}/test/lanes/sequencer.js`,
  reporters: ["default", `${__dirname}/test/lanes/reporter.js`],
};
