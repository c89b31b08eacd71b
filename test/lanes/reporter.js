"use strict";

const path = require("node:path");
const { tableOf } = require("./markdown");

const shown = 5;

/** Prints, above jest's summary, what each lane has cost: the time of its files, and the slowest of them. */
module.exports = class LaneReporter {
  files = [];

  onTestResult({ path: file, context }, { perfStats }) {
    const lane = context.config.displayName?.name ?? "tests";
    this.files.push({ lane, file, ms: perfStats.end - perfStats.start });
  }

  onRunComplete() {
    // One file's time is in its own line.
    if (this.files.length < 2) return;
    const names = [...new Set(this.files.map(({ lane }) => lane))];
    const rows = names.map((lane) =>
      rowOf(
        lane,
        this.files.filter((one) => one.lane === lane),
      ),
    );
    console.error(`\n${tableOf(["lane", "files", "seconds", `${shown} slowest files`], rows)}\n`);
  }
};

function rowOf(lane, files) {
  const slowest = [...files].sort((one, other) => other.ms - one.ms).slice(0, shown);
  const named = slowest.map(
    ({ file, ms }) => `${path.basename(file).replace(/\.test\.ts$/, "")} ${seconds(ms)}`,
  );
  return [lane, files.length, seconds(files.reduce((sum, { ms }) => sum + ms, 0)), named.join(", ")];
}

function seconds(ms) {
  return (ms / 1000).toFixed(ms < 10_000 ? 1 : 0);
}
