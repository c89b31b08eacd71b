"use strict";

const { projects } = require("../../jest.config.js");

const reliability = projects.find(({ displayName }) => displayName === "reliability");

/** Tests that take too long for `npm test`: every kill of a run. */
module.exports = {
  rootDir: "../..",
  projects: [
    {
      ...reliability,
      displayName: "long",
      rootDir: `${__dirname}/../..`,
      testMatch: [
        // seeds.ts tells these files whether this is the long run, which has all their tests. Other runs have a sample.
        "<rootDir>/test/reliability/crash/create.test.ts",
      ],
      globals: { ...reliability.globals, isLong: true },
    },
  ],
};
