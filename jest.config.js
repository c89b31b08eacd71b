"use strict";

const { availableParallelism } = require("node:os");

// This is loaded first, since it reads the variable CI, which the next file removes.
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
  // A mutation run that is cut off leaves a copy of this repository in reports/. dist/plugin/ has the same package name as
  // dist/package/.
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
  // An engine test spends half of its time waiting for other processes, so three tests keep two cores busy. The value
  // is a number, since jest reads a percentage above 100 as a number of workers.
  maxWorkers: Math.ceil(1.5 * availableParallelism()),
  testSequencer: `${__dirname}/test/lanes/sequencer.js`,
};
