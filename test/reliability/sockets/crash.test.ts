/** `npm run test:long -- sockets` kills many times, at many moments. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmodSync } from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { checkoutFolder } from "../../../tools/checkout";
import { temporaryFolder } from "../../support/temporaryFolder";
import { connected, describeOnPostgres, until } from "../../emulator/postgresSupport";
import { listProcesses } from "../crash/processes";
import { isLong } from "../seeds";

describeOnPostgres("kill -9 of the emulator", () => {
  it("loses no acknowledged row and leaves no server, with a change under way or without", async () => {
    const { acknowledged, missing, left } = await crash(isLong ? 50 : 2);
    expect({ missing, left }).toEqual({ missing: [], left: [] });
    expect(acknowledged.length).toBeGreaterThan(10);
  });
});

interface Run {
  readonly child: ChildProcess;
  readonly url: string;
  readonly uri: string;
}

/** Kills the emulator again and again while clients write, starts it anew, and looks for every acknowledged row. */
async function crash(kills: number): Promise<Record<"acknowledged" | "missing" | "left", readonly number[]>> {
  const folder = temporaryFolder();
  // Root's servers run as another account, which has to get in.
  chmodSync(folder, 0o755);
  const stateFile = path.join(folder, "state.json");
  const acknowledged: number[] = [];
  let run = await start(stateFile);
  const setUp = await connected({ connectionString: run.uri });
  await setUp.query("CREATE TABLE written (row int PRIMARY KEY)");
  await setUp.client.end();
  const over = new AbortController();
  const isOver = (): boolean => over.signal.aborted;
  let nextRow = 0;
  /** Writes rows one by one, and connects again whenever the connection is lost. */
  const write = async (): Promise<void> => {
    while (!isOver()) {
      const open = await connected({ connectionString: run.uri }).catch(() => undefined);
      let hasEnded = open === undefined;
      void open?.closed.then(() => (hasEnded = true));
      while (!isOver() && !hasEnded) {
        const row = (nextRow += 1);
        await open?.query(`INSERT INTO written VALUES (${row})`).then(
          () => acknowledged.push(row),
          () => undefined,
        );
        await setTimeout(2);
      }
      // Long enough not to keep the machine busy with refusals.
      if (hasEnded) await setTimeout(20);
      else await open?.client.end();
    }
  };
  const writers = Array.from({ length: 3 }, write);
  /** Processes that outlived their emulator by more than two seconds. */
  const left: number[] = [];
  for (let count = 0; count < kills; count += 1) {
    const rows = acknowledged.length;
    await until(() => acknowledged.length > rows + 5);
    // Half of the kills come while a change is under way.
    if (count % 2 === 1) await restart(run);
    await setTimeout((count * 37) % 150);
    const servers = await serversIn(folder);
    // In the middle of a restart there may be none.
    if (servers.length === 0 && count % 2 === 0)
      throw new Error("No server runs, so there is nothing to kill.");
    const killedMs = Date.now();
    run.child.kill("SIGKILL");
    // Also those that were being started at that moment.
    const alive = async (): Promise<number[]> => {
      const all = (await listProcesses()).filter(({ command }) => !command.includes("<defunct>"));
      const left = all.map(({ pid }) => pid).filter((pid) => servers.includes(pid));
      return [...new Set([...left, ...(await serversIn(folder))])];
    };
    await until(async () => (await alive()).length === 0 || Date.now() - killedMs > 2_000);
    left.push(...(await alive()));
    run = await start(stateFile);
  }
  over.abort();
  await Promise.all(writers);
  const open = await connected({ connectionString: run.uri });
  const kept = new Set((await open.query("SELECT row FROM written")).map(({ row }) => Number(row)));
  await open.client.end();
  run.child.kill("SIGTERM");
  await once(run.child, "exit");
  left.push(...(await serversIn(folder)));
  const missing = acknowledged.filter((row) => !kept.has(row));
  return { acknowledged, missing, left };
}

async function start(stateFile: string): Promise<Run> {
  const args = ["--port", "0", "--project", "--computes", "postgres", "--state-file", stateFile];
  const child = spawn(process.execPath, ["-r", "ts-node/register", "emulator/main.ts", ...args], {
    cwd: checkoutFolder,
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
