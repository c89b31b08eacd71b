import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import {
  closePostgres,
  describeOnPostgres,
  newOwnBench,
  type PostgresBench,
} from "../../emulator/postgresSupport";
import { serversOf } from "./soak";

/** `npm run test:long -- sockets`: fifty computes at once, with what they take of memory and time. */

const wanted = 50;

jest.setTimeout(300_000);

describeOnPostgres(`${wanted} computes made at once`, () => {
  afterEach(closePostgres);

  it("all answer with their parent's rows, and leave no server behind", async () => {
    const bench = await newOwnBench({});
    const first = await bench.connect();
    await first.query("CREATE TABLE kept AS SELECT 1 AS one");
    const startedMs = Date.now();
    const made = Array.from({ length: wanted - 1 }, () =>
      bench.emulator.createBranch(bench.project.project.id),
    );
    await bench.rest(120_000);
    const madeMs = Date.now() - startedMs;
    const megabytes = memoryOf(serversOf(process.pid));
    const answers = await Promise.all(made.map(({ endpoint }) => rowsAt(bench, endpoint!.id)));
    const copyMs = copyingTime(wanted - 1);
    await closePostgres();
    process.stderr.write(`${JSON.stringify({ computes: wanted, madeMs, copyMs, megabytes })}\n`);
    expect(answers).toEqual(made.map(() => 1));
    expect(serversOf(process.pid)).toEqual([]);
  });
});

async function rowsAt(bench: PostgresBench, id: string): Promise<unknown> {
  const client = await bench.connect(id);
  const [row] = await client.query("SELECT count(*)::int AS rows FROM kept");
  return row!["rows"];
}

/** What the system takes for copying as many files by themselves, two at a time: what is left is ours. */
function copyingTime(copies: number): number {
  const [data] = readdirSync(os.tmpdir()).filter((name) =>
    name.startsWith(`compute-postgres-${process.pid}-`),
  );
  const to = mkdtempSync(path.join(os.tmpdir(), "compute-copies-"));
  const from = path.join(os.tmpdir(), data!, "template");
  const startedMs = Date.now();
  const script = `seq ${copies} | xargs -P ${os.availableParallelism()} -I {} cp -Rp "$1" "$2/{}"`;
  const { status, stderr } = spawnSync("sh", ["-c", script, "sh", from, to], { encoding: "utf8" });
  const tookMs = Date.now() - startedMs;
  rmSync(to, { recursive: true, force: true });
  if (status !== 0) throw new Error(stderr);
  return tookMs;
}

/** Memory of servers and their children, in MB, with what several share counted once. */
function memoryOf(servers: readonly string[]): number | undefined {
  if (!readdirSync("/proc").includes("self")) return undefined;
  const parents = new Set(servers.map((line) => line.trim().split(" ")[0]));
  const kilobytes = readdirSync("/proc")
    .filter((pid) => /^\d+$/.test(pid))
    .map((pid) => {
      try {
        const parent = readFileSync(`/proc/${pid}/stat`, "utf8")
          .replace(/^.*\) . /, "")
          .split(" ")[0];
        if (!parents.has(pid) && !parents.has(parent)) return 0;
        return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1] ?? 0);
      } catch {
        // It has ended meanwhile.
        return 0;
      }
    });
  return Math.round(kilobytes.reduce((sum, one) => sum + one, 0) / 1024);
}
