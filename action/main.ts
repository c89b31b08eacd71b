/**
 * Runs the Action as a process. If its first argument is `preview`, it runs `compute-preview` with the remaining arguments,
 * for workflows whose Pulumi programs do not depend on this package.
 */
import { runCommand } from "../preview/command";
import { previewFiles } from "./findings";
import { runReport } from "./report";

const [, , step, ...words] = process.argv;
const print = (text: string): unknown => process.stdout.write(text);

// Sets the code instead of exiting, so that output to a pipe is completed.
if (step === "preview") {
  process.exitCode = runCommand(words, {
    ...previewFiles(words),
    print,
    complain: (text) => process.stderr.write(text),
  });
} else {
  void runReport(process.env, print).then((code) => {
    process.exitCode = code;
  });
}
