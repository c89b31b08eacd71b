/**
 * Whether the provider finds the creates of a killed run in Pulumi's backend: from an inline program, without the passphrase,
 * and without `pulumi` on PATH.
 */
import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { exportStack } from "../../../provider/run/exportStack";
import { run, useStack, type Declared, type TestStack } from "../../support/stack";
import { isWindows } from "../../support/systems";
import { killAt, moments } from "./moments";

const [, unanswered] = moments;
const began = "creating this compute. It may have created ";

const replica = ({ projectId }: TestStack, branchId: string): Declared => ({
  app0: { args: { projectId, branchId, type: "read_only" } },
});

// Windows has no ps, which lists the processes to kill.
const describeHere = isWindows ? describe.skip : describe;

// create.test.ts tests the dynamic variant.
describeHere("a run that was killed in a create, with the native variant", () => {
  let branchId: string;
  const stack = useStack({ variant: "native" }, () => {
    branchId = stack.emptyBranch();
    stack.declare(replica(stack, branchId));
    return killAt(stack, unanswered!, 1);
  });
  afterEach(() => {
    expect(stack.computes(branchId)).toHaveLength(1);
  });

  it("is found by an inline program of the Automation API", async () => {
    const script = path.join(stack.folder, "inline.js");
    symlinkSync(path.join(__dirname, "../../support/inline.js"), script);
    const words = ["--preserve-symlinks-main", script, stack.projectId, branchId, "replica"];
    const options = {
      cwd: stack.folder,
      env: stack.environment,
    };
    const { code, output } = await run(process.execPath, words, options);
    expect(code).not.toBe(0);
    expect(output).toContain(began);
  });

  it("is found without the passphrase, since the export leaves secrets encrypted", async () => {
    await stack.ok(["config", "set", "--secret", "key", "hidden"]);
    const { PULUMI_CONFIG_PASSPHRASE: _, ...environment } = stack.environment;
    const before = process.env;
    process.env = environment;
    const exported = await exportStack(["organization/tested/test"]).finally(() => {
      process.env = before;
    });
    const { deployment } = JSON.parse(exported) as { deployment: { pending_operations: unknown[] } };
    expect(deployment.pending_operations).toHaveLength(1);
  });

  it("is not found without `pulumi` on PATH: a row says so, and the next run goes on", async () => {
    const { found, environment } = withoutPulumi(stack);
    const preview = await run(found, ["preview", "--non-interactive"], {
      cwd: stack.folder,
      env: environment,
    });
    expect(preview.output).toContain(
      "warning: This stack's state and unfinished creates could not be read from Pulumi's backend (`pulumi` is not on PATH)",
    );
    expect(preview.code).toBe(0);
  });
});

/** The engine's path, and an environment in which it is not on PATH. */
function withoutPulumi({ folder, environment }: TestStack): {
  readonly found: string;
  readonly environment: NodeJS.ProcessEnv;
} {
  const folders = (environment["PATH"] ?? "").split(path.delimiter);
  const hasPulumi = (one: string): boolean => existsSync(path.join(one, "pulumi"));
  const found = path.join(folders.find(hasPulumi) ?? "", "pulumi");
  // The engine starts these by name; their own folders could have `pulumi` as well.
  const own = path.join(folder, "programs");
  mkdirSync(own);
  for (const name of ["node", "pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"]) {
    const from = folders.map((one) => path.join(one, name)).find((file) => existsSync(file));
    if (from !== undefined) symlinkSync(from, path.join(own, name));
  }
  const rest = folders.filter((one) => !hasPulumi(one));
  return { found, environment: { ...environment, PATH: [own, ...rest].join(path.delimiter) } };
}
