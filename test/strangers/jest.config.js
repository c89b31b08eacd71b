"use strict";

const { projects } = require("../../jest.config.js");

const engine = projects.find(({ displayName }) => displayName === "engine");

/** What strangers do first: it installs with several package managers, and takes too long for `npm test`. */
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
