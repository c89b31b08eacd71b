"use strict";

const { appendFileSync } = require("node:fs");
const { tableOf } = require("../lanes/markdown");

/** `table: row` is the name of a `describe` that is a row; the tests in it are its columns. */
const rowName = /^(corners|types|package|bundles): (.+)$/;
/** A cell that does not apply, or cannot run here, says why in its name. */
const skipped = /^(.*?) \(skipped: (.+)\)$/;

/** Prints what the matrix of strangers found as Markdown, also into the summary of a run on GitHub. */
module.exports = class TableReporter {
  onRunComplete(_contexts, { testResults }) {
    const cells = testResults.flatMap((file) => file.testResults).flatMap(toCell);
    const tables = [...new Set(cells.map(({ table }) => table))].map((table) =>
      toTable(
        table,
        cells.filter((cell) => cell.table === table),
      ),
    );
    if (tables.length === 0) return;
    const text = `${tables.join("\n\n")}\n`;
    console.log(`\n${text}`);
    const { GITHUB_STEP_SUMMARY: summary } = process.env;
    if (summary) appendFileSync(summary, text);
  }
};

function toCell({ ancestorTitles: [first = "", ...others], title, status, duration }) {
  const [, table, row] = rowName.exec(first) ?? [];
  // Left out by `-t`: such a test has not been looked at, and is no cell.
  const [, name = title, reason] = skipped.exec(title) ?? [];
  if (table === undefined || (reason === undefined && status === "pending")) return [];
  const column = [...others, name].join(" ");
  return [{ table, row, column, reason, mark: status === "passed" ? "✓" : "✗", ms: duration ?? 0 }];
}

function toTable(table, cells) {
  const columns = [...new Set(cells.map(({ column }) => column))];
  const rows = [...new Set(cells.map(({ row }) => row))];
  const reasons = [...new Set(cells.flatMap(({ reason }) => reason ?? []))];
  const shown = (row, column) => {
    const cell = cells.find((one) => one.row === row && one.column === column);
    if (cell === undefined) return "";
    return cell.reason === undefined ? cell.mark : `skipped ${reasons.indexOf(cell.reason) + 1}`;
  };
  const seconds = (row) =>
    Math.round(cells.filter((cell) => cell.row === row).reduce((sum, { ms }) => sum + ms, 0) / 1000);
  const lines = tableOf(
    [table, ...columns, "seconds"],
    rows.map((row) => [row, ...columns.map((column) => shown(row, column)), seconds(row)]),
  );
  const notes = reasons.map((reason, index) => `${index + 1}. skipped: ${reason}`);
  return [lines, ...(notes.length > 0 ? ["", ...notes] : [])].join("\n");
}
