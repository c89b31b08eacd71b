"use strict";

const { statSync } = require("node:fs");
const { default: Sequencer } = require("@jest/test-sequencer");
const { lanes } = require("./lanes");

const order = Object.keys(lanes);
/** Files that take minutes each. */
const longest = /[\\/](crash[\\/]create|engine[\\/]languages|provider[\\/]truth)\.test\.ts$/;
const rankOf = ({ context, path }) =>
  longest.test(path) ? -1 : order.indexOf(context.config.displayName?.name);

/** Begins with the longest files, then goes lane by lane: a long file that starts last would run alone. */
module.exports = class SlowLanesFirst extends Sequencer {
  sort(tests) {
    return [...super.sort(tests)].sort((one, other) => rankOf(one) - rankOf(other));
  }

  /** Deals each lane's files out by size: with hashes of names, one shard could get all slow files. */
  shard(tests, { shardIndex, shardCount }) {
    const sized = tests.map((test) => ({ test, rank: rankOf(test), size: statSync(test.path).size }));
    sized.sort((one, other) => one.rank - other.rank || other.size - one.size || comparePaths(one, other));
    return sized.filter((_test, index) => index % shardCount === shardIndex - 1).map(({ test }) => test);
  }
};

function comparePaths({ test: one }, { test: other }) {
  return one.path < other.path ? -1 : 1;
}
