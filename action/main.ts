/**
 * Runs the Action as a process. With the word `preview`, it runs `compute-preview` with the arguments that follow, for
 * workflows whose programs do not have the package.
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
