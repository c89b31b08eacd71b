"use strict";

const { tableOf } = require("../lanes/markdown");

const applies = / ends right or says what to do/;
const appliesNot = /^does not apply to (.+?): (.+)$/;

/** Prints the fault matrix of each variant as Markdown: a tick where the cell's test passes, the reason where there is none. */
module.exports = class MatrixReporter {
  onRunComplete(_contexts, { testResults }) {
    const cells = testResults.flatMap((file) => file.testResults).map(toCell);
    for (const variant of new Set(cells.map((cell) => cell.variant))) {
      console.log(`\n${variant}:\n`);
      this.print(cells.filter((cell) => cell.variant === variant));
    }
  }

  print(cells) {
    const steps = [...new Set(cells.map(({ step }) => step))];
    const faults = [...new Set(cells.map(({ fault }) => fault))];
    const reasons = [...new Set(cells.flatMap(({ reason }) => (reason === undefined ? [] : [reason])))];
    const shown = (fault, step) => {
      const cell = cells.find((one) => one.fault === fault && one.step === step);
      if (cell === undefined) return "";
      return cell.reason === undefined ? cell.mark : `n.a. ${reasons.indexOf(cell.reason) + 1}`;
    };
    const rows = faults.map((fault) => [
      fault.replace(/^where /, ""),
      ...steps.map((step) => shown(fault, step)),
    ]);
    console.log(`${tableOf(["fault", ...steps], rows)}\n`);
    reasons.forEach((reason, index) => console.log(`${index + 1}. n.a.: ${reason}`));
    const count = (mark) => cells.filter((cell) => cell.reason === undefined && cell.mark === mark).length;
    console.log(
      `\n${faults.length} faults × ${steps.length} steps: ${count("✓")} ✓, ${count("✗")} ✗, ${cells.length - count("✓") - count("✗")} n.a.`,
    );
  }
};

function toCell({ ancestorTitles, title, status }) {
  const [variant = "", fault = ""] = ancestorTitles;
  const without = appliesNot.exec(title);
  if (without !== null) return { variant, fault, step: without[1], reason: without[2] };
  return {
    variant,
    fault,
    step: title.replace(applies, "\n").split("\n")[0],
    mark: status === "passed" ? "✓" : "✗",
  };
}
