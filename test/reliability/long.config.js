"use strict";

const { projects } = require("../../jest.config.js");

const reliability = projects.find(({ displayName }) => displayName === "reliability");

/** What takes too long for `npm test`: every kill, every sequence. */
module.exports = {
  rootDir: "../..",
  projects: [
    {
      ...reliability,
      displayName: "long",
      rootDir: `${__dirname}/../..`,
      testMatch: [
        // They ask seeds.ts whether this is the long run: then they have all, and otherwise a sample of it.
        "<rootDir>/test/reliability/{crash/create,model/model}.test.ts",
      ],
      globals: { ...reliability.globals, isLong: true },
    },
  ],
};
