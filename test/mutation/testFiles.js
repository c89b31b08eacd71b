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

/** Test files by the number of the last mutant that they caught in this process. */
const catches = new Map();
let caughtSoFar = 0;

function noteCatch(testPath) {
  catches.set(testPath, ++caughtSoFar);
}

/** How recently a file has caught a mutant; 0 for never. The next mutant is a neighbour of the last one. */
function lastCatchOf(testPath) {
  return catches.get(testPath) ?? 0;
}

module.exports = { lastCatchOf, noteCatch, readBack, writeDown };
