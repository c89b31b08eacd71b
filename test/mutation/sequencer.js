"use strict";

const { default: Sequencer } = require("@jest/test-sequencer");
const { lastCatchOf, readBack } = require("./testFiles");

/**
 * Leaves out the files without a test that reaches the mutant, which Jest would load to find that out, and puts
 * first what has caught the mutants before, then the quick ones: nothing runs once a mutant is caught.
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
      .sort(
        (one, other) =>
          lastCatchOf(other.test.path) - lastCatchOf(one.test.path) ||
          (one.found?.ms ?? 0) - (other.found?.ms ?? 0),
      )
      .map(({ test }) => test);
  }
};
