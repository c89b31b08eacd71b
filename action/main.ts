/**
 * Runs the Action as a process. If its first argument is `preview`, it runs `compute-preview` with the remaining arguments,
 * for workflows whose Pulumi programs do not depend on this package.
 */
import { writeFileSync } from "node:fs";
import { recordPreview } from "../preview/record";
import { runProcess } from "../preview/save";
import { askerOf, previewFiles } from "./findings";
import { runReport } from "./report";

const [, , step, ...words] = process.argv;
const print = (text: string): unknown => process.stdout.write(text);

const ended =
  step === "preview"
    ? runProcess(words, {
        ...previewFiles(words),
        print,
        complain: (text) => process.stderr.write(text),
        record: (command) => recordPreview(command, process.env),
        write: writeFileSync,
        ask: askerOf(process.env),
      })
    : runReport(process.env, print);

void ended.then((code) => {
  // Sets the code instead of exiting, so that output to a pipe is completed.
  process.exitCode = code;
});
