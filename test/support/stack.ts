/**
 * A stack of its own for one test: the real CLI, a program that declares what the test says, and a control
 * plane over a real socket.
 */
import { spawn } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { startEmulator, type Emulator, type EmulatorOptions } from "../../emulator";
import { engineEnvironment } from "../../tools/engine/environment";
import { packageOf, type Variant } from "./variants";
import { linkFolder, startable } from "./systems";

export { variants, type Variant } from "./variants";

/** What the program declares: arguments by resource name. `{ "$of": "app.host" }` is another one's output, `{ "$output": … }` one that resolves to this. */
export type Declared = Readonly<
  Record<
    string,
    {
      readonly args: Record<string, unknown>;
      readonly opts?: Record<string, unknown>;
      readonly get?: string;
      /** Exports the host of the primary on the resource's branch, as the service has it. */
      readonly lookUp?: boolean;
      /** An EndpointRestart. */
      readonly restarts?: true;
    }
  >
>;

export interface CommandResult {
  readonly code: number | null;
  /** stdout and stderr as they came. */
  readonly output: string;
  readonly stdout: string;
}

export interface TestStack {
  readonly folder: string;
  readonly emulator: Emulator;
  /** What a process needs to run the engine and reach the control plane. */
  readonly environment: NodeJS.ProcessEnv;
  readonly projectId: string;
  readonly defaultBranchId: string;
  /** Sets what the program declares from now on. */
  declare(resources: Declared): void;
  /** Runs `pulumi` with these words; never asks. */
  pulumi(words: readonly string[], environment?: NodeJS.ProcessEnv): Promise<CommandResult>;
  /** As `pulumi`, for a command that must succeed. @throws with the whole output where it does not. */
  ok(words: readonly string[], environment?: NodeJS.ProcessEnv): Promise<CommandResult>;
  /** The state of one resource, as `stack export` has it. */
  stateOf(name: string): Promise<StoredResource | undefined>;
  close(): Promise<void>;
}

export interface StoredResource {
  readonly urn: string;
  readonly id: string;
  readonly inputs: Record<string, unknown>;
  readonly outputs: Record<string, unknown>;
  readonly initErrors?: readonly string[];
}

export interface StackOptions extends EmulatorOptions {
  /** Default `dynamic`. */
  readonly variant?: Variant;
  /** Puts another program into the stack's folder. @returns where `pulumi` runs. */
  readonly program?: (folder: string) => string;
}

const checkout = path.join(__dirname, "..", "..");

export async function createStack({
  program,
  variant = "dynamic",
  ...options
}: StackOptions = {}): Promise<TestStack> {
  const folder = mkdtempSync(path.join(tmpdir(), "compute-stack-"));
  const emulator = await startEmulator({ operationMs: 20, ...options });
  const { project, branch } = emulator.createProject();
  const cwd = (program ?? programAt(path.join(__dirname, "program.js")))(folder);
  const environment = {
    ...engineEnvironment(path.join(folder, "home")),
    COMPUTE_BASE_URL: emulator.url,
    COMPUTE_API_KEY: emulator.apiKey,
    COMPUTE_JOURNAL_FOLDER: path.join(folder, "journal"),
    TESTED_PACKAGE: packageOf[variant],
  };
  const { pulumi, ok } = pulumiIn(cwd, environment);
  await ok(["stack", "init", "test"]).catch(async (error: unknown) => {
    await emulator.close();
    throw error;
  });
  return {
    folder,
    emulator,
    environment,
    projectId: project.id,
    defaultBranchId: branch.id,
    declare: (resources) => {
      writeFileSync(path.join(folder, "resources.json"), JSON.stringify(resources));
    },
    pulumi,
    ok,
    stateOf: async (name) => {
      const { stdout } = await ok(["stack", "export"]);
      const { deployment } = JSON.parse(stdout) as { deployment: { resources?: StoredResource[] } };
      return deployment.resources?.find(
        (resource) =>
          /compute:(index:)?Endpoint(Restart)?::/.test(resource.urn) && resource.urn.endsWith(`::${name}`),
      );
    },
    close: async () => {
      await emulator.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The commands of one program. */
export function pulumiIn(cwd: string, environment: NodeJS.ProcessEnv): Pick<TestStack, "pulumi" | "ok"> {
  const pulumi: TestStack["pulumi"] = (words, more = {}) =>
    run("pulumi", [...words, "--color", "never", "--non-interactive"], {
      cwd,
      env: { ...environment, ...more },
    });
  return {
    pulumi,
    ok: async (words, more) => {
      const result = await pulumi(words, more);
      if (result.code === 0) return result;
      throw new Error(`pulumi ${words.join(" ")} ended with ${String(result.code)}:\n${result.output}`);
    },
  };
}

/**
 * A program finds the package as a user's would: by its name, in node_modules. It has what is published alone, since the official
 * language host looks through every folder in node_modules at each command, and the checkout has thousands.
 */
export function linkPackages(folder: string): void {
  const modules = path.join(folder, "node_modules");
  const own = path.join(modules, "pulumi-compute-endpoint");
  mkdirSync(own, { recursive: true });
  linkFolder(path.join(checkout, "node_modules", "@pulumi"), path.join(modules, "@pulumi"));
  copyFileSync(path.join(checkout, "package.json"), path.join(own, "package.json"));
  linkFolder(path.join(checkout, "dist"), path.join(own, "dist"));
}

/** How a stack finds the plugin; one that does not use it starts none. */
export const pluginLines = `plugins:
  providers:
    - name: compute
      path: ./node_modules/pulumi-compute-endpoint/dist/plugin
`;

/** A project whose program is this file. */
export function programAt(file: string): (folder: string) => string {
  return (folder) => {
    linkPackages(folder);
    writeFileSync(path.join(folder, "package.json"), '{ "name": "stack-under-test" }');
    writeFileSync(
      path.join(folder, "Pulumi.yaml"),
      `name: tested\nruntime:\n  name: nodejs\n  options: { typescript: false }\nmain: index.js\n${pluginLines}`,
    );
    writeFileSync(path.join(folder, "index.js"), readFileSync(file));
    writeFileSync(path.join(folder, "resources.json"), "{}");
    return folder;
  };
}

/** Longest that a command may take, in milliseconds: a hang must end in an output that can be read. */
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
