/**
 * Runs `pulumi stack export`: it takes no lock, asks for no passphrase, and leaves secrets encrypted.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { commandEnvironment } from "../settings/config";
import { backendAnswersWithinMs } from "../model/timing";
import type { ExportStack } from "../run/stackBackend";

/** The `pulumi` that PATH names. */
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
      cwd: projectFolder(process.cwd()),
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

/**
 * The folder of the project's Pulumi.yaml: a relative address of a backend counts from there, and the engine starts this
 * process in the folder that `main` names.
 */
function projectFolder(started: string, folder = started): string {
  const isHere = ["yaml", "yml", "json"].some((type) => existsSync(join(folder, `Pulumi.${type}`)));
  if (isHere) return folder;
  return dirname(folder) === folder ? started : projectFolder(started, dirname(folder));
}

/** What the command has printed stays out of messages: it may name a password of the backend. */
function reasonOf({ code, killed }: { readonly code?: unknown; readonly killed?: boolean }): string {
  if (code === "ENOENT") return "PATH has no `pulumi`";
  if (killed === true) return `\`pulumi stack export\` did not end within ${backendAnswersWithinMs / 1000} s`;
  return `\`pulumi stack export\` ended with ${String(code)}`;
}
