import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Each way in which a test of this project passes or fails. */
const testFile = `
const log = [];
beforeAll(() => log.push("all"));
afterAll(() => { throw new Error("too late to fail a test"); });
describe.each([["one", 1], ["two", 2]])("block %s", (_name, number) => {
  let seen;
  beforeEach(() => { seen = number; });
  afterEach(() => { if (seen === 3) throw new Error("left behind"); });
  it("has run the hooks outside of it", () => expect(log).toEqual(["all"]));
  it.each([1, 2])("is %d", (wanted) => expect(seen).toBe(wanted));
  it("fails after its end", () => { seen = 3; });
});
describe("a block whose hook fails", () => {
  beforeAll(() => { throw new Error("no"); });
  it("fails", () => undefined);
  describe("inside", () => { it("fails as well", () => undefined); });
});
describe("a hook before each", () => {
  let ran = 0;
  beforeEach(() => { if (ran++ === 0) throw new Error("no"); });
  it("fails the first", () => undefined);
  it("and not the second", () => undefined);
});
it.skip("is left out", () => { throw new Error(); });
test("waits", () => expect(Promise.resolve(1)).resolves.toBe(2));
test("with a mock", () => {
  const mock = jest.fn(() => 7);
  expect([mock("a"), mock.mock.calls]).toEqual([7, [["a"]]]);
});
test("a spy", () => {
  jest.spyOn(Math, "random").mockReturnValue(4);
  expect(Math.random()).toBe(4);
  jest.restoreAllMocks();
  expect(Math.random()).toBeLessThan(1);
});
test("an error that nothing catches", async () => {
  setTimeout(() => { throw new Error("stray"); }, 1);
  await new Promise((resolve) => setTimeout(resolve, 50));
});
test("is not the next one's", () => undefined);
test("may throw nothing", () => { throw undefined; });
`;

const root = join(__dirname, "../../..");
const file = "sample.test.js";
let folder: string;

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "mutation-tests-")));
  mkdirSync(join(folder, "node_modules"));
  writeFileSync(join(folder, file), testFile);
  writeFileSync(join(folder, "package.json"), "{}");
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Names of tests, each with whether it has passed. */
type Results = readonly (readonly [string, boolean])[];

function node(...args: string[]): string {
  try {
    return execFileSync(process.execPath, args, {
      cwd: folder,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  } catch (error) {
    // Jest ends with 1 if a test fails.
    return String((error as { readonly stdout?: unknown }).stdout);
  }
}

function withJest(): Results {
  const printed = node(join(root, "node_modules/jest/bin/jest.js"), "--json", "--rootDir", folder);
  const [{ assertionResults }] = (
    JSON.parse(printed) as {
      readonly testResults: readonly [
        { readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[] },
      ];
    }
  ).testResults;
  return assertionResults
    .filter(({ status }) => status !== "pending")
    .map(({ fullName, status }) => [fullName, status === "passed"]);
}

function inOneProcess(): Results {
  const script = `
    const { loadTests } = require(${JSON.stringify(join(root, "test/mutation/tests.js"))});
    const { tests, run } = loadTests(${JSON.stringify(folder)}, ["${file}"]);
    const results = [];
    const onEnd = ({ test, error }) => results.push([test.id.slice("${file} ".length), error === undefined]);
    run([...tests.keys()], { onEnd }).then(() => console.log(JSON.stringify(results)));`;
  return JSON.parse(node("-e", script)) as Results;
}

it("runs tests for mutants as Jest runs them", () => {
  const results = inOneProcess();
  expect(results).toHaveLength(18);
  expect(results.filter(([, hasPassed]) => hasPassed)).toHaveLength(8);
  expect(results).toEqual(withJest());
});
