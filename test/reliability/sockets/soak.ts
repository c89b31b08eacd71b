import { execFileSync } from "node:child_process";
import {
  closePostgres,
  connected,
  newOwnBench,
  until,
  type PostgresBench,
} from "../../emulator/postgresSupport";
import { missingFrom, newLedger, writeUntil, type Ledger } from "./writers";

export interface SoakResult {
  readonly changes: Readonly<Record<string, number>>;
  readonly ledger: Ledger;
  readonly missing: readonly number[];
  /** Servers that run after the emulator has closed. */
  readonly left: readonly string[];
  readonly told: readonly string[];
  /** How long the last writer and the last change took after the time was over. */
  readonly lateMs: number;
}

/** A repeatable sequence of whole numbers below a bound. */
function random(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const sizes = [0.25, 0.5, 1, 2];

/** Changes computes at random while clients write to them, for as long as is asked. */
export async function soak({ seconds, seed }: { seconds: number; seed: number }): Promise<SoakResult> {
  const bench = await newOwnBench({});
  const ledger = newLedger();
  const pick = random(seed);
  const changes: Record<string, number> = {};
  const branches = await prepareBranches(bench);
  const deadline = Date.now() + seconds * 1000;
  const isOver = (): boolean => Date.now() > deadline;
  const uri = (): string | undefined => bench.emulator.endpoint(bench.id).place?.uri;
  const writers = Array.from({ length: 4 }, () => writeUntil(isOver, uri, ledger));
  while (!isOver()) {
    const kind = kinds[pick(kinds.length)] ?? "restart";
    changes[kind] = (changes[kind] ?? 0) + 1;
    await carryOut(kind, { bench, pick, branches });
    await new Promise((resolve) => setTimeout(resolve, pick(400)));
  }
  await Promise.all(writers);
  const lateMs = Date.now() - deadline;
  bench.emulator.updateEndpoint(bench.id, { disabled: false });
  await bench.rest();
  const kept = await rowsOfAll(bench, branches);
  const missing = missingFrom(ledger.acknowledged, kept);
  await closePostgres();
  return { changes, ledger, missing, left: serversOf(process.pid), told: bench.told, lateMs };
}

const kinds = [
  "size",
  "range",
  "restart",
  "suspend",
  "move",
  "disable",
  "settings",
  "replica",
  "branch",
] as const;

async function prepareBranches(bench: PostgresBench): Promise<string[]> {
  const first = await bench.connect();
  await first.query("CREATE TABLE written (row int PRIMARY KEY)");
  const { branch } = bench.emulator.createBranch(bench.project.project.id, { compute: false });
  await bench.rest();
  return [bench.project.branch.id, branch.id];
}

interface Scene {
  readonly bench: PostgresBench;
  readonly pick: (below: number) => number;
  readonly branches: readonly string[];
}

async function carryOut(kind: (typeof kinds)[number], { bench, pick, branches }: Scene): Promise<void> {
  const { emulator, id } = bench;
  const size = sizes[pick(sizes.length)] ?? 1;
  switch (kind) {
    case "size":
      emulator.updateEndpoint(id, { autoscaling_limit_min_cu: size, autoscaling_limit_max_cu: size });
      return;
    case "range":
      emulator.updateEndpoint(id, { autoscaling_limit_min_cu: size, autoscaling_limit_max_cu: size * 2 });
      return;
    case "restart":
      emulator.restartEndpoint(id);
      return;
    case "suspend":
      emulator.suspendEndpoint(id);
      return;
    case "move":
      emulator.updateEndpoint(id, { branch_id: branches[pick(branches.length)] });
      return;
    case "disable":
      emulator.updateEndpoint(id, { disabled: true });
      await bench.rest();
      emulator.updateEndpoint(id, { disabled: false });
      return;
    case "settings":
      emulator.updateEndpoint(id, { settings: { pg_settings: { work_mem: `${1 + pick(9)}MB` } } });
      return;
    case "replica":
      await replica(bench);
      return;
    case "branch":
      emulator.createBranch(bench.project.project.id, { compute: false });
  }
}

/** A replica comes, is asked, and goes. */
async function replica({ emulator, id, project }: PostgresBench): Promise<void> {
  const { branch_id } = emulator.endpoint(id).endpoint;
  const made = emulator.createEndpoint(project.project.id, { branch_id, type: "read_only" });
  const state = (): string => emulator.endpoint(made.endpoint.id).endpoint.current_state;
  await until(
    () => state() !== "init" || !hasWork(emulator.operations(project.project.id), made.endpoint.id),
  );
  if (state() === "active") {
    const open = await connected({ connectionString: emulator.endpoint(made.endpoint.id).place!.uri });
    await open.query("SELECT count(*) FROM written");
    await open.client.end();
  }
  emulator.deleteEndpoint(made.endpoint.id);
}

function hasWork(operations: readonly { endpoint_id?: string; status: string }[], id: string): boolean {
  return operations.some(
    ({ endpoint_id, status }) => endpoint_id === id && ["running", "scheduling"].includes(status),
  );
}

/** The rows of both branches that were written to. */
async function rowsOfAll(bench: PostgresBench, branches: readonly string[]): Promise<Set<number>> {
  const rows = new Set<number>();
  for (const branchId of branches) {
    bench.emulator.updateEndpoint(bench.id, { branch_id: branchId });
    await bench.rest();
    const open = await bench.connect();
    for (const { row } of await open.query("SELECT row FROM written")) rows.add(Number(row));
    await open.client.end();
  }
  return rows;
}

/** Servers of emulators of this process, which end with them. */
export function serversOf(pid: number): string[] {
  const lines = execFileSync("ps", ["-eo", "pid=,args="], { encoding: "utf8" }).split("\n");
  return lines.filter((line) => line.includes(`compute-postgres-${pid}-`) && line.includes("postgres -D"));
}
