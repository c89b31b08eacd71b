/**
 * A stack for one contender: its program, a copy of the built package, and its own control plane.
 */
import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { startEmulator, type LoggedRequest, type Switches } from "../emulator";
import { checkoutFolder } from "../tools/checkout";
import { ended, throwIfStopped } from "../tools/children";
import { engineEnvironment } from "../tools/engine/environment";
import { createRequestMeter, type RequestMeter } from "./meter";

/** What is measured: both variants of this package, the engine alone, and a provider written as in Pulumi's guide. */
export const contenders = ["ours", "plugin", "floor", "stock"] as const;
export type Contender = (typeof contenders)[number];

const up = ["up", "--yes", "--skip-preview"];

/** The command of each step, and the size of every compute in its program. */
export const steps = {
  create: { words: up, cu: 0.25 },
  preview: { words: ["preview"], cu: 0.25 },
  "empty up": { words: up, cu: 0.25 },
  resize: { words: up, cu: 1 },
  refresh: { words: ["refresh", "--yes", "--skip-preview"], cu: 1 },
  destroy: { words: ["destroy", "--yes", "--skip-preview"], cu: 1 },
} as const;

export type StepName = keyof typeof steps;

export const stepNames = Object.keys(steps) as readonly StepName[];

/** What the program declares: a number of computes of one size. */
export interface Declared {
  readonly count: number;
  readonly cu: number;
}

export interface BenchStack {
  /** The folder in which `pulumi` runs. */
  readonly folder: string;
  readonly requests: RequestMeter;
  declare(declared: Declared): void;
  /** Runs `pulumi`. @returns how long it took, in milliseconds. @throws with its output if it fails. */
  pulumi(words: readonly string[], environment?: NodeJS.ProcessEnv): Promise<number>;
  /** Size of the file that holds the stack's state. */
  stateBytes(): number;
  close(): Promise<void>;
}

/** How long the service takes for an operation. */
export const operationMs = 400;

/** @param onRequest - called with each request that has ended. */
export async function createBenchStack(
  contender: Contender,
  switches: Partial<Switches>,
  onRequest?: (request: LoggedRequest) => void,
): Promise<BenchStack> {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "compute-bench-")));
  const requests = createRequestMeter();
  // Computes stay active, since a compute that suspends during a slow run would change what the next step does.
  const lasting = { suspendDefaultSeconds: 604_800, ...switches };
  const emulator = await startEmulator({
    operationMs,
    switches: lasting,
    onRequest: (request) => {
      requests.record(request);
      onRequest?.(request);
    },
  });
  const { project } = emulator.createProject();
  const home = path.join(folder, "home");
  const env = {
    ...engineEnvironment(home),
    COMPUTE_BASE_URL: emulator.url,
    COMPUTE_API_KEY: emulator.apiKey,
  };
  const branches: string[] = [];
  writeProgram(contender, folder);
  const pulumi: BenchStack["pulumi"] = (words, more = {}) =>
    timed([...words, "--color", "never", "--non-interactive"], { cwd: folder, env: { ...env, ...more } });
  await pulumi(["stack", "init", "bench"]);
  return {
    folder,
    requests,
    pulumi,
    declare: ({ count, cu }) => {
      const size = { autoscalingLimitMinCu: cu, autoscalingLimitMaxCu: cu };
      while (branches.length < count)
        branches.push(emulator.createBranch(project.id, { compute: false }).branch.id);
      const declared = branches
        .slice(0, count)
        .map((branchId) => ({ projectId: project.id, branchId, ...size }));
      writeFileSync(path.join(folder, "declared.json"), JSON.stringify(declared));
    },
    stateBytes: () => statSync(path.join(home, "state/.pulumi/stacks/bench/bench.json")).size,
    close: async () => {
      await emulator.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function writeProgram(contender: Contender, folder: string): void {
  const programs = path.join(checkoutFolder, "bench", "programs");
  // The plugin's program is `ours.js` with another import.
  const ours = readFileSync(path.join(programs, "ours.js"), "utf8");
  const text =
    contender === "plugin"
      ? ours.replace('"pulumi-compute-endpoint"', '"pulumi-compute-endpoint/native"')
      : readFileSync(path.join(programs, `${contender}.js`), "utf8");
  writeFileSync(path.join(folder, "index.js"), text);
  cpSync(path.join(programs, "instant.js"), path.join(folder, "instant.js"));
  writeFileSync(path.join(folder, "package.json"), '{ "name": "bench" }');
  // Plain JavaScript, so that the TypeScript compiler is not part of the measurement.
  const settings =
    "name: bench\nruntime:\n  name: nodejs\n  options: { typescript: false }\nmain: index.js\n";
  const plugin =
    "plugins:\n  providers:\n    - name: compute\n      path: ./node_modules/pulumi-compute-endpoint/dist/plugin\n";
  writeFileSync(path.join(folder, "Pulumi.yaml"), contender === "plugin" ? `${settings}${plugin}` : settings);
  installPackage(path.join(folder, "node_modules"));
}

/** Installs a copy, as npm would: a build at the same time must not change what is measured. */
function installPackage(modules: string): void {
  const target = path.join(modules, "pulumi-compute-endpoint");
  mkdirSync(target, { recursive: true });
  cpSync(path.join(checkoutFolder, "package.json"), path.join(target, "package.json"));
  for (const part of ["sdk", "provider", "plugin"])
    cpSync(path.join(checkoutFolder, "dist", part), path.join(target, "dist", part), { recursive: true });
  const shared = path.join(checkoutFolder, "node_modules");
  for (const name of readdirSync(shared).filter((entry) => ["@pulumi", "undici", "zod"].includes(entry)))
    symlinkSync(path.join(shared, name), path.join(modules, name), "junction");
}

async function timed(
  words: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<number> {
  const startedMs = performance.now();
  const child = spawn("pulumi", words, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  const keep = (chunk: Buffer): void => {
    output += chunk.toString();
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  // A signal goes to `pulumi` as well: otherwise its engine would go on working against a service that is gone.
  const { code } = await ended(child);
  throwIfStopped();
  if (code === 0) return performance.now() - startedMs;
  throw new Error(`pulumi ${words.join(" ")} ended with ${String(code)}:\n${output}`);
}
