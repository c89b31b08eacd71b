"use strict";

const { projects } = require("../../jest.config.js");

const engine = projects.find(({ displayName }) => displayName === "engine");

/** Tests what new users do first, with several package managers, which takes too long for `npm test`. */
module.exports = {
  rootDir: "../..",
  projects: [
    {
      ...engine,
      displayName: "strangers",
      rootDir: `${__dirname}/../..`,
      testMatch: ["<rootDir>/test/strangers/**/*.test.ts"],
    },
  ],
};
