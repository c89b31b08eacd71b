/**
 * Runs the action as a process. `preview` and the arguments of `compute-preview` run that command, for workflows whose
 * programs do not have the package.
 */
import { runCommand } from "../preview/command";
import { previewFiles } from "./findings";
import { runReport } from "./report";

const [, , step, ...words] = process.argv;
const print = (text: string): unknown => process.stdout.write(text);

// Sets the code instead of exiting: what is still on its way to a pipe gets there.
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
