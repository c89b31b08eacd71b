/** Runs a step of the action as a process. */
import { runStep } from "./steps";

// Sets the code instead of exiting: what is still on its way to a pipe gets there.
void runStep(process.argv[2], process.env, (text) => process.stdout.write(text)).then((code) => {
  process.exitCode = code;
});
