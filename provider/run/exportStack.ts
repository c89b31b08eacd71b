/**
 * Runs `pulumi stack export` with the `pulumi` in PATH. The command takes no lock, asks for no passphrase, and leaves secrets
 * encrypted.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { backendAnswersWithinMs } from "../model/timing";
import { commandEnvironment } from "../settings/config";

/**
 * @param stackNames - ways to name the stack. If the export fails with one of them, the next one is tried.
 * @param limitMs - time limit of each try.
 */
export async function exportStack(
  [stackName = "", ...others]: readonly string[],
  limitMs = backendAnswersWithinMs,
): Promise<string> {
  try {
    return await exported(stackName, limitMs);
  } catch (error) {
    if (others.length === 0) throw error;
    return exportStack(others, limitMs);
  }
}

function exported(stackName: string, limitMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const words = ["stack", "export", "--stack", stackName, "--non-interactive"];
    const options = {
      cwd: projectFolder(process.cwd()),
      env: commandEnvironment(),
      timeout: limitMs,
      killSignal: "SIGKILL",
      maxBuffer: Infinity,
      windowsHide: true,
    } as const;
    execFile("pulumi", words, options, (error, stdout) => {
      if (error === null) resolve(stdout);
      else reject(new Error(reasonOf(error, limitMs)));
    });
  });
}

/**
 * The folder of the project's Pulumi.yaml. Pulumi resolves a backend's relative address from that folder, but the engine starts
 * this process in the folder that `main` names.
 */
function projectFolder(started: string, folder = started): string {
  const isHere = ["yaml", "yml", "json"].some((type) => existsSync(join(folder, `Pulumi.${type}`)));
  if (isHere) return folder;
  return dirname(folder) === folder ? started : projectFolder(started, dirname(folder));
}

/** What the command has printed stays out of messages: it may name a password of the backend. */
function reasonOf(
  { code, killed }: { readonly code?: unknown; readonly killed?: boolean },
  limitMs: number,
): string {
  if (code === "ENOENT") return "`pulumi` is not on PATH";
  if (killed === true) return `\`pulumi stack export\` did not end within ${limitMs / 1000} s`;
  return `\`pulumi stack export\` exited with ${String(code)}`;
}
