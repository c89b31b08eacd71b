"use strict";

/** What `npm test` leaves out: `npm run test:full`. */
process.env.TEST_EXTENT ??= "rest";

module.exports = { ...require("../../jest.config.js"), rootDir: "../.." };
