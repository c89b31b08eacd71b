"use strict";

const { default: Sequencer } = require("@jest/test-sequencer");

/** Quick tests first: most mutants are caught by one of them, and nothing runs after that. */
module.exports = class QuickFirst extends Sequencer {
  sort(tests) {
    return [...tests].sort(
      (one, other) => rank(one.path) - rank(other.path) || one.path.localeCompare(other.path),
    );
  }
};

/** Tests of the lifecycle start a control plane each; `create` and `many` are the longest. */
function rank(path) {
  if (!path.includes("/lifecycle/")) return 0;
  return /\/(create|many)\.test\.ts$/.test(path) ? 2 : 1;
}
