/**
 * The processes of a run, recognised by their commands. The search starts at this process and goes down, so it finds
 * nothing else on the machine.
 */
import { execFile } from "node:child_process";
import { promisify } from "node:util";

export interface RunProcesses {
  readonly cli: number;
  readonly provider: number;
}

interface ListedProcess {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/** The CLI that this process has started, and the provider process below it. */
export async function runningNow(): Promise<RunProcesses> {
  const listed = await listProcesses();
  const ours = descendantsOf(process.pid, listed);
  const cli = ours.find(({ command }) => /^\S*\bpulumi (up|destroy|preview) /.test(command));
  const provider = ours.find(({ command }) =>
    /^\S*node\S* .*(dynamic-provider|plugin\/plugin\.js)/.test(command),
  );
  if (cli === undefined || provider === undefined)
    throw new Error(`no run among these:\n${ours.map(({ command }) => command).join("\n")}`);
  return { cli: cli.pid, provider: provider.pid };
}

async function listProcesses(): Promise<readonly ListedProcess[]> {
  const { stdout } = await promisify(execFile)("ps", ["-eo", "pid=,ppid=,args="], {
    maxBuffer: 16 * 1024 * 1024,
  });
  return stdout.split("\n").flatMap((line) => {
    const [, pid, parent, command] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return command === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), command }];
  });
}

function descendantsOf(root: number, listed: readonly ListedProcess[]): readonly ListedProcess[] {
  const children = listed.filter(({ parent }) => parent === root);
  return children.flatMap((child) => [child, ...descendantsOf(child.pid, listed)]);
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
