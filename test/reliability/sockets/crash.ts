import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { connected, isRunning, until } from "../../emulator/postgresSupport";
import { listProcesses } from "../crash/processes";
import { writeUntil } from "./writers";

const checkout = path.join(__dirname, "../../..");

export interface CrashResult {
  readonly rows: number;
  readonly missing: readonly number[];
  /** Processes that outlived their emulator by more than two seconds. */
  readonly left: readonly number[];
}

interface Run {
  readonly child: ChildProcess;
  readonly url: string;
  readonly uri: string;
}

/** Kills the emulator again and again while clients write, starts it anew, and looks for every acknowledged row. */
export async function crash({ kills }: { kills: number }): Promise<CrashResult> {
  const folder = mkdtempSync(path.join(tmpdir(), "compute-crash-"));
  // Root's servers run as another account, which has to get in.
  chmodSync(folder, 0o755);
  const stateFile = path.join(folder, "state.json");
  const acknowledged: number[] = [];
  let run = await start(stateFile);
  const setUp = await connected({ connectionString: run.uri });
  await setUp.query("CREATE TABLE written (row int PRIMARY KEY)");
  await setUp.client.end();
  let isOver = false;
  const writers = Array.from({ length: 3 }, () =>
    writeUntil(
      () => isOver,
      () => run.uri,
      acknowledged,
    ),
  );
  const left: number[] = [];
  for (let count = 0; count < kills; count += 1) {
    const rows = acknowledged.length;
    await until(() => acknowledged.length > rows + 5);
    // Half of the kills come while a change is under way.
    if (count % 2 === 1) await restart(run);
    await new Promise((resolve) => setTimeout(resolve, (count * 37) % 150));
    const servers = await serversIn(folder);
    // In the middle of a restart there may be none.
    if (servers.length === 0 && count % 2 === 0)
      throw new Error("No server runs, so there is nothing to kill.");
    const killedMs = Date.now();
    run.child.kill("SIGKILL");
    // Also those that were being started at that moment.
    const alive = async (): Promise<number[]> => [
      ...new Set([...servers.filter(isRunning), ...(await serversIn(folder))]),
    ];
    await until(async () => (await alive()).length === 0 || Date.now() - killedMs > 2_000);
    left.push(...(await alive()));
    run = await start(stateFile);
  }
  isOver = true;
  await Promise.all(writers);
  const open = await connected({ connectionString: run.uri });
  const kept = new Set((await open.query("SELECT row FROM written")).map(({ row }) => Number(row)));
  await open.client.end();
  run.child.kill("SIGTERM");
  await once(run.child, "exit");
  left.push(...(await serversIn(folder)));
  rmSync(folder, { recursive: true });
  const missing = acknowledged.filter((row) => !kept.has(row));
  return { rows: acknowledged.length, missing, left };
}

async function start(stateFile: string): Promise<Run> {
  const args = ["--port", "0", "--project", "--computes", "postgres", "--state-file", stateFile];
  const child = spawn(process.execPath, ["-r", "ts-node/register", "emulator/main.ts", ...args], {
    cwd: checkout,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (text: Buffer) => (said += text.toString()));
  child.stdout.on("data", (text: Buffer) => (said += text.toString()));
  await until(() => /ready \S+/.test(said) || child.exitCode !== null);
  const uri = /postgresql:\S+/.exec(said)?.[0];
  const url = /ready (\S+)/.exec(said)?.[1];
  if (uri === undefined || url === undefined) throw new Error(`The emulator did not start: ${said}`);
  return { child, uri, url };
}

async function restart({ url, uri }: Run): Promise<void> {
  const { projects } = (await (await fetch(`${url}/_emulator/projects`)).json()) as {
    projects: { id: string }[];
  };
  const project = `${url}/api/v2/projects/${projects[0]!.id}/endpoints`;
  const headers = { Authorization: "Bearer local-key", Accept: "application/json" };
  const { endpoints } = (await (await fetch(project, { headers })).json()) as { endpoints: { id: string }[] };
  const answer = await fetch(`${project}/${endpoints[0]!.id}/restart`, { method: "POST", headers });
  if (!answer.ok) throw new Error(`Restarting the compute at ${uri}: ${answer.status}.`);
}

/** Every process of the servers whose data are in a folder: those that name it, and their children. */
async function serversIn(folder: string): Promise<number[]> {
  const all = (await listProcesses()).filter(({ command }) => !command.includes("emulator/main.ts"));
  const parents = all.filter(({ command }) => command.includes(`-D ${folder}`)).map(({ pid }) => pid);
  return all
    .filter(({ pid, parent }) => parents.includes(pid) || parents.includes(parent))
    .map(({ pid }) => pid);
}
