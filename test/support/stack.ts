/**
 * A stack for one test: the real CLI, a program that declares what the test says, and a control plane over a real socket.
 */
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { startEmulator, type Emulator, type EmulatorOptions } from "../../emulator";
import { engineEnvironment } from "../../tools/engine/environment";
import { pulumiIn, type Commands } from "./commands";
import { filesBelow, leaksInFiles, leaksInText, type Leak } from "./leaks";
import { packageOf, type Variant } from "./variants";
import { linkFolder } from "./systems";

export { pulumiIn, run, up, type CommandResult, type Commands } from "./commands";
export { variants, type Variant } from "./variants";

/** What the program declares: arguments by resource name. `{ "$of": "app.host" }` is another resource's output, `{ "$output": … }` an output with this value. */
export type Declared = Readonly<
  Record<
    string,
    {
      readonly args: Record<string, unknown>;
      readonly opts?: Record<string, unknown>;
      /** Exports the host of the primary on the resource's branch, as the service has it. */
      readonly lookUp?: boolean;
    }
  >
>;

export interface TestStack extends Commands {
  readonly folder: string;
  readonly emulator: Emulator;
  /** What a process needs to run the engine and reach the control plane. */
  readonly environment: NodeJS.ProcessEnv;
  readonly projectId: string;
  readonly defaultBranchId: string;
  /** Sets what the program declares from now on. */
  declare(resources: Declared): void;
  /** Makes a branch without a compute. @returns its id */
  emptyBranch(): string;
  /** Ids of the computes that the service has, on one branch or on all. */
  computes(branchId?: string): readonly string[];
  /** Routes of the requests that change something, since the emulator's log was last cleared. */
  writes(): readonly string[];
  /** Places where a secret was written or printed. */
  leaks(secret: string): readonly Leak[];
  close(): Promise<void>;
}

export interface StackOptions extends EmulatorOptions {
  /** Default `dynamic`. */
  readonly variant?: Variant;
  /** Puts another program into the stack's folder. @returns where `pulumi` runs. */
  readonly program?: (folder: string) => string;
  readonly environment?: NodeJS.ProcessEnv;
}

const checkout = path.join(__dirname, "..", "..");
const programFile = path.join(__dirname, "program.js");

/** A stack for all tests of a `describe`. Before the first test, it is created and `prepare` has run. */
export function useStack(options: StackOptions, prepare?: (stack: TestStack) => unknown): TestStack {
  const stack: Partial<TestStack> = {};
  beforeAll(async () => {
    Object.assign(stack, await createStack(options));
    await prepare?.(stack as TestStack);
  });
  afterAll(() => stack.close?.());
  return stack as TestStack;
}

export async function createStack({
  program = programAt(programFile),
  variant = "dynamic",
  environment: more,
  ...options
}: StackOptions = {}): Promise<TestStack> {
  const folder = mkdtempSync(path.join(tmpdir(), "compute-stack-"));
  const emulator = await startEmulator({ operationMs: 20, ...options });
  const { project, branch } = emulator.createProject();
  const cwd = program(folder);
  const environment = {
    ...engineEnvironment(path.join(folder, "home")),
    COMPUTE_BASE_URL: emulator.url,
    COMPUTE_API_KEY: emulator.apiKey,
    TESTED_PACKAGE: packageOf[variant],
    ...more,
  };
  const commands = pulumiIn(cwd, environment);
  await commands.ok(["stack", "init", "test"]).catch(async (error: unknown) => {
    await emulator.close();
    throw error;
  });
  return {
    ...commands,
    folder,
    emulator,
    environment,
    projectId: project.id,
    defaultBranchId: branch.id,
    declare: declareIn(folder),
    emptyBranch: () => emulator.createBranch(project.id, { compute: false }).branch.id,
    computes: (branchId) =>
      emulator
        .endpoints(project.id)
        .filter(({ endpoint }) => branchId === undefined || endpoint.branch_id === branchId)
        .map(({ endpoint }) => endpoint.id)
        .sort(),
    writes: () =>
      emulator
        .requests()
        .filter(({ method }) => method !== "GET")
        .map(({ route }) => route ?? ""),
    leaks: (secret) => {
      // State, its backups and history: every place where a run writes, except for the program itself.
      const written = filesBelow(folder).filter((file) => !file.endsWith("resources.json"));
      return [...leaksInText("output", commands.printed(), secret), ...leaksInFiles(written, secret)];
    },
    close: async () => {
      await emulator.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The program of engine tests in another folder, as on another machine or in another checkout. */
export type Checkout = Commands & Pick<TestStack, "folder" | "environment" | "declare">;

export function checkoutIn(folder: string, environment: NodeJS.ProcessEnv): Checkout {
  mkdirSync(folder, { recursive: true });
  programAt(programFile)(folder);
  return { ...pulumiIn(folder, environment), folder, environment, declare: declareIn(folder) };
}

/** Tells the program in a folder what to declare. */
function declareIn(folder: string): TestStack["declare"] {
  return (resources) => {
    writeFileSync(path.join(folder, "resources.json"), JSON.stringify(resources));
  };
}

/**
 * A program finds the package as a user's program would: by its name, in node_modules. The copy has only the published files:
 * the official language host looks through every folder in node_modules at each command, and the checkout has thousands.
 */
export function linkPackages(folder: string): void {
  const modules = path.join(folder, "node_modules");
  const own = path.join(modules, "pulumi-compute-endpoint");
  mkdirSync(own, { recursive: true });
  linkFolder(path.join(checkout, "node_modules", "@pulumi"), path.join(modules, "@pulumi"));
  copyFileSync(path.join(checkout, "package.json"), path.join(own, "package.json"));
  linkFolder(path.join(checkout, "dist"), path.join(own, "dist"));
}

/** How a stack finds the plugin; a stack that does not use the plugin does not start it. */
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
