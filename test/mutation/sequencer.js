"use strict";

const { default: Sequencer } = require("@jest/test-sequencer");
const { readBack } = require("./testFiles");

/**
 * Leaves out the files without a test that reaches the mutant, which Jest would load to find that out, and puts
 * the quick ones first: most mutants are caught by one of them, and nothing runs after that.
 */
module.exports = class ReachingAndQuick extends Sequencer {
  constructor(options) {
    super(options);
    const { testNamePattern } = options.globalConfig;
    this.wanted = testNamePattern ? new RegExp(testNamePattern, "i") : undefined;
  }

  sort(tests) {
    return [...tests]
      .map((test) => ({ test, found: readBack(test.context.config.rootDir, test.path) }))
      .filter(({ found }) => !this.wanted || !found || found.names.some((name) => this.wanted.test(name)))
      .sort((one, other) => (one.found?.ms ?? 0) - (other.found?.ms ?? 0))
      .map(({ test }) => test);
  }
};
