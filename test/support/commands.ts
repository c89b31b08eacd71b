/**
 * Commands as a user types them: `pulumi` in the folder of a program, and any other command.
 */
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { startable } from "./systems";

export interface CommandResult {
  readonly code: number | null;
  /** stdout and stderr, in the order in which they arrived. */
  readonly output: string;
  readonly stdout: string;
}

export const up = ["up", "--yes", "--skip-preview"] as const;

/** What `pulumi` does in the folder of one program. */
export interface Commands {
  /** Runs `pulumi` with these words, without any prompt. */
  pulumi(words: readonly string[], environment?: NodeJS.ProcessEnv): Promise<CommandResult>;
  /** As `pulumi`, for a command that must succeed. @throws with the whole output if it fails. */
  ok(words: readonly string[], environment?: NodeJS.ProcessEnv): Promise<CommandResult>;
  /** As `pulumi`, for a command that must fail. @returns its output */
  fails(words: readonly string[], environment?: NodeJS.ProcessEnv): Promise<string>;
  /** `pulumi up` without a preview, which must succeed. */
  up(environment?: NodeJS.ProcessEnv): Promise<CommandResult>;
  destroy(environment?: NodeJS.ProcessEnv): Promise<CommandResult>;
  /** `pulumi preview --json`, which must succeed. */
  previewed(environment?: NodeJS.ProcessEnv, ...words: readonly string[]): Promise<Preview>;
  /** Starts a command in a process group of its own, as a terminal does, and presses Ctrl-C once the condition is true. */
  interrupted(words: readonly string[], isSo: () => boolean): Promise<CommandResult>;
  /** The resources of the state. */
  resources(): Promise<readonly StoredResource[]>;
  /** The state of one Endpoint. */
  stateOf(name: string): Promise<StoredResource | undefined>;
  /** What the program exports, as the state has it. */
  outputs(): Promise<Readonly<Record<string, unknown>>>;
  /** Everything that the commands have printed. */
  printed(): string;
}

export interface Preview {
  readonly stdout: string;
  /** The steps of resources that change, and of those that stay as they are. */
  readonly steps: readonly {
    readonly op: string;
    readonly urn: string;
    readonly newState?: { readonly inputs?: Record<string, unknown> };
  }[];
  /** Its warnings. */
  readonly warned: readonly { readonly urn?: string; readonly message: string }[];
}

export interface StoredResource {
  readonly urn: string;
  readonly id: string;
  readonly inputs: Record<string, unknown>;
  readonly outputs: Record<string, unknown>;
  readonly initErrors?: readonly string[];
}

/** The commands of one program. */
export function pulumiIn(cwd: string, environment: NodeJS.ProcessEnv): Commands {
  let printed = "";
  const start = async (words: readonly string[], how: Partial<RunOptions> = {}): Promise<CommandResult> => {
    const options = { cwd, ...how, env: { ...environment, ...how.env } };
    const result = await run("pulumi", [...words, "--color", "never", "--non-interactive"], options);
    printed += result.output;
    return result;
  };
  const ended = async (words: readonly string[], env: NodeJS.ProcessEnv = {}, well = true) => {
    const result = await start(words, { env });
    if ((result.code === 0) === well) return result;
    throw new Error(`pulumi ${words.join(" ")} ended with ${String(result.code)}:\n${result.output}`);
  };
  const resources: Commands["resources"] = async () => {
    const { PULUMI_BACKEND_URL: backend } = environment;
    if (backend !== undefined) return resourcesAt(backend.replace("file://", ""));
    const { stdout } = await ended(["stack", "export"]);
    const { deployment } = JSON.parse(stdout) as { deployment: { resources?: StoredResource[] } };
    return deployment.resources ?? [];
  };
  return {
    pulumi: (words, env = {}) => start(words, { env }),
    ok: ended,
    fails: async (words, env) => (await ended(words, env, false)).output,
    up: (env) => ended(up, env),
    destroy: (env) => ended(["destroy", "--yes", "--skip-preview"], env),
    previewed: async (env, ...words) => {
      const { stdout } = await ended(["preview", "--json", ...words], env);
      const { steps, diagnostics = [] } = JSON.parse(stdout) as PrintedPreview;
      return { stdout, steps, warned: diagnostics.filter(({ severity }) => severity === "warning") };
    },
    interrupted: async (words, isSo) => {
      let pid = 0;
      const running = start(words, { detached: true, onStart: (started) => (pid = started) });
      while (!isSo()) await setTimeout(20);
      // A terminal interrupts the whole group.
      process.kill(-pid, "SIGINT");
      return running;
    },
    resources,
    stateOf: async (name) =>
      (await resources()).find(
        ({ urn }) => /compute:(index:)?Endpoint::/.test(urn) && urn.endsWith(`::${name}`),
      ),
    outputs: async () =>
      (await resources()).find(({ urn }) => urn.includes("::pulumi:pulumi:Stack::"))?.outputs ?? {},
    printed: () => printed,
  };
}

/** What `pulumi stack export` prints, without the half second that it takes, since tests read it after most commands. */
function resourcesAt(folder: string): readonly StoredResource[] {
  const stacks = path.join(folder, ".pulumi", "stacks");
  const [file, ...others] = readdirSync(stacks, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".json"),
  );
  if (file === undefined || others.length > 0) throw new Error(`not one stack in ${stacks}`);
  const { checkpoint } = JSON.parse(readFileSync(path.join(stacks, file), "utf8")) as {
    checkpoint: { latest?: { resources?: StoredResource[] } };
  };
  return checkpoint.latest?.resources ?? [];
}

type PrintedPreview = Pick<Preview, "steps"> & {
  readonly diagnostics?: readonly (Preview["warned"][number] & { readonly severity: string })[];
};

/** The longest time for a command, in milliseconds, so that a hang ends with output that can be read. */
const commandMs = 400_000;

interface RunOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** In a process group of its own, as a shell starts it on a terminal. */
  readonly detached?: boolean;
  readonly onStart?: (pid: number) => void;
}

export function run(
  command: string,
  words: readonly string[],
  { onStart, ...options }: RunOptions,
): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(...startable(command, words), {
      ...options,
      stdio: ["ignore", "pipe", "pipe"],
      timeout: commandMs,
      killSignal: "SIGKILL",
    });
    if (child.pid !== undefined) onStart?.(child.pid);
    let output = "";
    let stdout = "";
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      stdout += chunk.toString();
    });
    child.stderr.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.on("error", reject);
    child.on("close", (code) => {
      resolve({ code, output, stdout });
    });
  });
}
