"use strict";

const { projects } = require("../../jest.config.js");

const reliability = projects.find(({ displayName }) => displayName === "reliability");

/** What takes too long for `npm test`: every kill, every sequence, every mutated answer. */
module.exports = {
  rootDir: "../..",
  projects: [
    {
      ...reliability,
      displayName: "long",
      rootDir: `${__dirname}/../..`,
      testMatch: [
        "<rootDir>/test/reliability/**/*.long.ts",
        // With every row: `npm run test:full` has some.
        "<rootDir>/test/reliability/crash/create.test.ts",
      ],
      globals: { ...reliability.globals, isLong: true },
    },
  ],
};
