/**
 * The commands that users run, with this machine's Node: stderr has only their own words, and no warning of Node's.
 * process.test.ts tests the provider's processes, and emulator/test/main.test.ts tests the emulator.
 */
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

/** Node begins each of its own warnings like this. */
const nodesOwn = /\(node:\d+\)/;

it("the pattern of this test finds a warning of Node's", async () => {
  const warns = "process.emitWarning('old', 'DeprecationWarning')";
  expect((await run(process.execPath, ["-e", warns], { cwd: checkout, env: process.env })).output).toMatch(
    nodesOwn,
  );
});

it.each([
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
    command: "compute-import",
    words: () => ["dist/import/main.js", "--project", projectId],
    says: "read_write",
  },
])("$command prints no warning of Node's", async ({ words, says }) => {
  const env = { ...process.env, COMPUTE_BASE_URL: emulator.url, COMPUTE_API_KEY: emulator.apiKey };
  const args = typeof words === "function" ? words() : words;
  const { output } = await run(process.execPath, args, { cwd: checkout, env });
  expect(output).toContain(says);
  expect(output).not.toMatch(nodesOwn);
});
