"use strict";

/** What the first run, without a mutant, found in each test file: which tests, and how long they take. */
const { existsSync, mkdirSync, readFileSync, writeFileSync } = require("node:fs");
const path = require("node:path");

/** On disk: each of Stryker's processes needs it, and one of them has made the first run. */
function noteOf(rootDir, testPath) {
  const name = path.relative(rootDir, testPath).replaceAll(path.sep, "_");
  return path.join(rootDir, "reports/test-files", `${name}.json`);
}

function writeDown(rootDir, testPath, results) {
  const note = noteOf(rootDir, testPath);
  mkdirSync(path.dirname(note), { recursive: true });
  const names = results.map(({ fullName }) => fullName);
  const ms = results.reduce((sum, { duration }) => sum + (duration ?? 0), 0);
  writeFileSync(note, JSON.stringify({ names, ms }));
}

function readBack(rootDir, testPath) {
  const note = noteOf(rootDir, testPath);
  return existsSync(note) ? JSON.parse(readFileSync(note, "utf8")) : undefined;
}

module.exports = { readBack, writeDown };
