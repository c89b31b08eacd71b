"use strict";

/**
 * Runs the provider's unit tests for Stryker, in one process that has loaded them. Stryker switches a mutant on while tests run,
 * so most mutants cost no more than the one test that catches them. Jest would load the provider again for each mutant and
 * test file, which takes hours instead of half an hour.
 *
 * What a broken test leaves behind could make another test fail. So a test counts only if it passes twice without a mutant,
 * in opposite orders, and a mutant is caught only if the same test passes again without it.
 */
const crypto = require("node:crypto");
const { existsSync, readFileSync, writeFileSync } = require("node:fs");
require("../lanes/memory");
const { TooLong, loadTests, testFilesIn } = require("./tests");

/** Tests of every pair of values are left out: smaller tests must catch the same mutants. */
const leftOut = /\/truth\.test\.ts$/;

/** What Stryker shares with the code that it has changed. */
const shared = (globalThis.__stryker__ ??= {});

/** How long each test file takes, in milliseconds: Stryker's first process measures it, the others read it. */
const timesFile = "test-times.json";

class Runner {
  /** The last mutant that each test file has caught. */
  caught = new Map();

  capabilities() {
    return { reloadEnvironment: false };
  }

  init() {
    // Hashing a trigger is slow on purpose. No test needs it to be slow, and each mutant would pay for it.
    crypto.scryptSync = (text, salt, length) =>
      crypto.createHash("sha256").update(`${salt}:${text}`).digest().subarray(0, length);
    const root = process.cwd();
    const files = ["test/unit/provider", "test/scenarios", "test/unit/preview"]
      .flatMap((folder) => testFilesIn(root, folder))
      .filter((file) => !leftOut.test(file));
    Object.assign(this, loadTests(root, files));
  }

  async dryRun() {
    const ids = [...this.tests.keys()];
    const forth = await this.resultsOf(ids);
    const { mutantCoverage } = shared;
    const back = await this.resultsOf([...ids].reverse());
    const passed = ids.filter((id) => [forth, back].every((run) => run.get(id)?.error === null));
    const times = {};
    for (const id of ids) times[this.fileOf(id)] = (times[this.fileOf(id)] ?? 0) + (forth.get(id)?.ms ?? 0);
    writeFileSync(timesFile, JSON.stringify(times));
    const left = ids.length - passed.length;
    if (left > 0) console.log(`${left} of ${ids.length} tests depend on others or take too long: left out`);
    const tests = passed.map((id) => ({ id, name: id, status: 0, timeSpentMs: forth.get(id).ms }));
    return { status: "complete", tests, mutantCoverage };
  }

  async mutantRun({ activeMutant, testFilter, hitLimit }) {
    let failed;
    let nrOfTests = 0;
    const hitCount = hitLimit === undefined ? undefined : 0;
    Object.assign(shared, { activeMutant: activeMutant.id, hitLimit, hitCount });
    await this.run(this.inOrder(testFilter ?? [...this.tests.keys()]), {
      onEnd: (result) => {
        nrOfTests++;
        if (result.error !== undefined) failed = result;
        return failed === undefined;
      },
    });
    const isEndless = shared.hitCount > hitLimit;
    Object.assign(shared, { activeMutant: undefined, hitLimit: undefined, hitCount: undefined });
    if (failed === undefined) return isEndless ? { status: "timeout" } : { status: "survived", nrOfTests };
    const { test, error } = failed;
    // Stryker then tries the mutant in another process.
    if ((await this.resultsOf([test.id])).get(test.id)?.error !== null)
      throw new Error(`${test.id} fails without the mutant as well`);
    this.caught.set(test.file, Number(activeMutant.id));
    if (isEndless || error instanceof TooLong) return { status: "timeout", reason: test.id };
    return { status: "killed", killedBy: [test.id], failureMessage: String(error), nrOfTests };
  }

  /** The tests that have run, by id. `error` is null if the test passed. */
  async resultsOf(ids) {
    const results = new Map();
    await this.run(ids, {
      onStart: ({ id }) => {
        shared.currentTestId = id;
      },
      onEnd: ({ test, error = null, ms }) => {
        shared.currentTestId = undefined;
        results.set(test.id, { error, ms });
        return true;
      },
    });
    return results;
  }

  /** First the tests that caught the neighbouring mutants, then the quick ones: once a mutant is caught, no other test runs. */
  inOrder(ids) {
    this.times ??= existsSync(timesFile) ? JSON.parse(readFileSync(timesFile, "utf8")) : {};
    const last = (id) => this.caught.get(this.fileOf(id)) ?? -1;
    const takes = (id) => this.times[this.fileOf(id)] ?? 0;
    return [...ids].sort((one, other) => last(other) - last(one) || takes(one) - takes(other));
  }

  fileOf(id) {
    return this.tests.get(id).file;
  }
}

module.exports = { Runner };
