// Tests what the provider checks, sends and awaits: a real `pulumi up` against a service on this machine.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { LocalWorkspace, type Stack } from "@pulumi/pulumi/automation";
import { startEmulator, type Emulator } from "pulumi-compute-endpoint/emulator";
import { Database } from "./database";

let emulator: Emulator;
let folder: string;
let stack: Stack;
let projectId: string;
let replicas = 1;

beforeAll(async () => {
  emulator = await startEmulator({ operationMs: 20 });
  projectId = emulator.createProject().project.id;
  const branchId = emulator.createBranch(projectId, { compute: false }).branch.id;
  folder = mkdtempSync(path.join(tmpdir(), "database-"));
  stack = await LocalWorkspace.createStack(
    {
      stackName: "test",
      projectName: "tested",
      program: () => Promise.resolve({ host: new Database("shop", { projectId, branchId, replicas }).host }),
    },
    {
      envVars: {
        COMPUTE_BASE_URL: emulator.url,
        COMPUTE_API_KEY: emulator.apiKey,
        PULUMI_CONFIG_PASSPHRASE: "of-a-test",
        // Takes precedence over the backend that the shell is logged in to. With backslashes, Pulumi would take the URL
        // for a cloud's address.
        PULUMI_BACKEND_URL: `file://${folder.replaceAll("\\", "/")}`,
      },
      projectSettings: {
        name: "tested",
        runtime: "nodejs",
        // The folder in which the provider's process finds the package.
        main: process.cwd(),
      },
    },
  );
}, 60_000);

afterAll(async () => {
  await emulator.close();
  rmSync(folder, { recursive: true, force: true });
});

const types = (): string[] =>
  emulator
    .endpoints(projectId)
    .map(({ endpoint }) => endpoint.type)
    .sort();

it("creates a primary and its replica, and deletes them", async () => {
  const { outputs } = await stack.up();
  // The stack's branch has two computes, and the project's default branch came with one.
  expect(types()).toEqual(["read_only", "read_write", "read_write"]);
  expect(emulator.endpoints(projectId).map(({ endpoint }) => endpoint.host)).toContain(
    outputs["host"]?.value,
  );
  replicas = 0;
  await stack.up();
  expect(types()).toEqual(["read_write", "read_write"]);
  await stack.destroy();
  expect(types()).toEqual(["read_write"]);
}, 120_000);

it("waits for what the service starts, and says which operation failed", async () => {
  emulator.setTimeline({ action: "start_compute", endStatus: "failed", times: 1 });
  await expect(stack.up()).rejects.toThrow(/start_compute/);
  await stack.destroy();
}, 120_000);
