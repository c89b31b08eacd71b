/**
 * Runs `pulumi stack export`: it takes no lock, asks for no passphrase, and leaves secrets encrypted.
 */
import { execFile } from "node:child_process";
import { commandEnvironment } from "../settings/config";
import { backendAnswersWithinMs } from "../pure/timing";
import type { ExportStack } from "../writes/stackBackend";

/** The `pulumi` that PATH names, in the program's folder, where the engine has started this process. */
export const exportStack: ExportStack = async ([stackName = "", ...others]) => {
  try {
    return await exported(stackName);
  } catch (error) {
    if (others.length === 0) throw error;
    return exportStack(others);
  }
};

function exported(stackName: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const words = ["stack", "export", "--stack", stackName, "--non-interactive"];
    const options = {
      env: commandEnvironment(),
      timeout: backendAnswersWithinMs,
      killSignal: "SIGKILL",
      maxBuffer: Infinity,
      windowsHide: true,
    } as const;
    execFile("pulumi", words, options, (error, stdout) => {
      if (error === null) resolve(stdout);
      else reject(new Error(reasonOf(error)));
    });
  });
}

/** What the command has printed stays out of messages: it may name a password of the backend. */
function reasonOf({ code, killed }: { readonly code?: unknown; readonly killed?: boolean }): string {
  if (code === "ENOENT") return "PATH has no `pulumi`";
  if (killed === true) return `\`pulumi stack export\` did not end within ${backendAnswersWithinMs / 1000} s`;
  return `\`pulumi stack export\` ended with ${String(code)}`;
}
