/**
 * The commands that users run, by the Node of this machine: on stderr is what they say, and nothing that Node says of itself.
 * The provider's processes have process.test.ts.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { startEmulator, type Emulator } from "../../emulator";
import { run } from "../support/commands";

const checkout = path.join(__dirname, "..", "..");
const preview = "test/unit/preview/fixtures/changes.json";

let emulator: Emulator;
let projectId: string;
beforeAll(async () => {
  emulator = await startEmulator();
  projectId = emulator.createProject().project.id;
});
afterAll(() => emulator.close());

/** As Node begins every warning of its own. */
const nodesOwn = /\(node:\d+\)/;

it("a warning of Node is one that this file would find", async () => {
  const warns = "process.emitWarning('old', 'DeprecationWarning')";
  expect((await run(process.execPath, ["-e", warns], { cwd: checkout, env: process.env })).output).toMatch(
    nodesOwn,
  );
});

it.each([
  {
    command: "compute-preview --help",
    words: ["dist/preview/main.js", "--help"],
    says: "Usage: compute-preview",
  },
  {
    command: "compute-preview",
    words: ["dist/preview/main.js", preview],
    says: "drop their open connections",
  },
  {
    command: "the Action",
    words: ["action/bundle.js", "preview", preview],
    says: "drop their open connections",
  },
  {
    command: "compute-import --help",
    words: ["dist/import/main.js", "--help"],
    says: "Usage: compute-import",
  },
  {
    command: "compute-import",
    words: () => ["dist/import/main.js", "--project", projectId],
    says: "read_write",
  },
])("$command has no warning of Node's", async ({ words, says }) => {
  const env = { ...process.env, COMPUTE_BASE_URL: emulator.url, COMPUTE_API_KEY: emulator.apiKey };
  const args = typeof words === "function" ? words() : words;
  const { output } = await run(process.execPath, args, { cwd: checkout, env });
  expect(output).toContain(says);
  expect(output).not.toMatch(nodesOwn);
});

it("compute-emulator has no warning of Node's", async () => {
  const words = ["dist/emulator/main.js", "--port", "0", "--project"];
  const child = spawn(process.execPath, words, { cwd: checkout, stdio: ["ignore", "pipe", "pipe"] });
  let told = "";
  child.stderr.on("data", (chunk: Buffer) => (told += chunk.toString()));
  await once(child.stdout, "data");
  child.kill();
  await once(child, "close");
  expect(told).toContain("pulumi config set projectId");
  expect(told).not.toMatch(nodesOwn);
});
