/**
 * A team: one service, one place for states, and runners that share nothing else but the passphrase and the key.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { startEmulator, type Emulator, type EmulatorOptions } from "../../../emulator";
import { engineEnvironment } from "../../../tools/engine/environment";
import { until } from "../../emulator/postgresSupport";
import { runningNow } from "../../reliability/crash/processes";
import { packageOf, type Variant } from "../../support/variants";
import { programAt, pulumiIn, type CommandResult, type Declared } from "../../support/stack";
import type { Backend } from "./backends";

/** A machine with a checkout, a home and a journal of its own. */
export interface Runner {
  readonly journal: string;
  declare(resources: Declared): void;
  pulumi(words: readonly string[], environment?: NodeJS.ProcessEnv): Promise<CommandResult>;
  /** As `pulumi`, for a command that must succeed. @throws with the whole output where it does not. */
  ok(words: readonly string[]): Promise<CommandResult>;
}

export interface Team {
  readonly emulator: Emulator;
  readonly projectId: string;
  emptyBranch(): string;
  /** Ids of the computes of a branch, as the service has them. */
  computesOf(branchId: string): readonly string[];
  /** Logged in to the team's backend. */
  newRunner(): Promise<Runner>;
  /** kill -9 of the CLI and the provider of this command once the service has made a compute. @returns its id. */
  killInCreate(runner: Runner, words: readonly string[], branchId: string): Promise<string>;
  close(): Promise<void>;
}

export async function openTeam(
  backend: Backend,
  variant: Variant,
  options: EmulatorOptions = {},
): Promise<Team> {
  const folder = mkdtempSync(path.join(tmpdir(), "compute-team-"));
  const emulator = await startEmulator({ operationMs: 20, ...options });
  const { project } = emulator.createProject();
  let runners = 0;
  const computesOf = (branchId: string): readonly string[] =>
    emulator
      .endpoints(project.id)
      .filter(({ endpoint }) => endpoint.branch_id === branchId)
      .map(({ endpoint }) => endpoint.id);
  return {
    emulator,
    projectId: project.id,
    emptyBranch: () => emulator.createBranch(project.id, { compute: false }).branch.id,
    computesOf,
    newRunner: async () => {
      const service = { COMPUTE_BASE_URL: emulator.url, COMPUTE_API_KEY: emulator.apiKey };
      const environment = { ...service, ...backend.environment, TESTED_PACKAGE: packageOf[variant] };
      const runner = openRunner(path.join(folder, `runner-${(runners += 1)}`), environment);
      await runner.ok(["login", backend.url]);
      return runner;
    },
    killInCreate: async (runner, words, branchId) => {
      const before = computesOf(branchId);
      emulator.addFault({ kind: "delay", delayMs: 600_000, when: "after", route: "createEndpoint" });
      const killed = runner.pulumi(words);
      await until(() => computesOf(branchId).length > before.length);
      const { cli, provider } = await runningNow();
      process.kill(provider, "SIGKILL");
      process.kill(cli, "SIGKILL");
      await killed;
      emulator.clearFaults();
      return computesOf(branchId).find((id) => !before.includes(id)) ?? "";
    },
    close: async () => {
      await emulator.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function openRunner(folder: string, shared: NodeJS.ProcessEnv): Runner {
  const checkout = path.join(folder, "checkout");
  mkdirSync(checkout, { recursive: true });
  const cwd = programAt(path.join(__dirname, "../../support/program.js"))(checkout);
  const journal = path.join(folder, "journal");
  // `pulumi login` says where states are, as on most machines.
  const { PULUMI_BACKEND_URL: _, ...own } = engineEnvironment(path.join(folder, "home"));
  const env = { ...own, HOME: path.join(folder, "home"), COMPUTE_JOURNAL_FOLDER: journal, ...shared };
  return {
    journal,
    declare: (resources) => {
      writeFileSync(path.join(cwd, "resources.json"), JSON.stringify(resources));
    },
    ...pulumiIn(cwd, env),
  };
}

/** What a workflow's cache does at the end of one runner's job and at the beginning of another's. */
export function handOverJournal(from: Runner, to: Runner): void {
  if (existsSync(from.journal)) cpSync(from.journal, to.journal, { recursive: true });
}
