/** The example of tests as people use it: copied out of the clone, beside what npm has installed. */
import { cpSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { folderOutside, npmInstall, packInto, writeFiles } from "../support/packed";
import { createStack, run, type TestStack } from "../support/stack";

jest.setTimeout(240_000);

const checkout = path.join(__dirname, "..", "..");
const examples = path.join(checkout, "examples");
const pinned = (
  JSON.parse(readFileSync(path.join(checkout, "package.json"), "utf8")) as {
    devDependencies: Record<string, string>;
  }
).devDependencies;

/** What the pages tell people to install: for a program, and for its tests. */
const needed = ["@pulumi/pulumi", "typescript", "@types/node"];
const forTests = ["hono", "@hono/node-server", "jest", "@types/jest", "@swc/core", "@swc/jest"];

let outside: string;

beforeAll(async () => {
  outside = folderOutside();
  const tarball = await packInto(path.join(outside, "packed"));
  const versions = [...needed, ...forTests].map((name) => [name, pinned[name]!]);
  writeFiles(outside, {
    "package.json": JSON.stringify({
      private: true,
      dependencies: {
        "pulumi-compute-endpoint": `file:${tarball}`,
        vitest: "^3.2.4",
        ...(Object.fromEntries(versions) as Record<string, string>),
      },
    }),
  });
  await npmInstall(outside);
});
afterAll(() => {
  rmSync(outside, { recursive: true, force: true });
});

function copyOf(example: string): string {
  const copy = path.join(outside, example);
  cpSync(path.join(examples, example), copy, { recursive: true });
  return copy;
}

describe("a copy of examples/testing", () => {
  let stack: TestStack;
  let copy: string;
  const tested = async (...words: readonly string[]): Promise<string> => {
    const env = {
      ...stack.environment,
      COMPUTE_BASE_URL: "",
      COMPUTE_API_KEY: "",
      CI: "true",
      NO_COLOR: "1",
    };
    const bin = path.join(outside, "node_modules", words[0]!);
    const { code, output } = await run(process.execPath, [bin, ...words.slice(1)], { cwd: copy, env });
    return `${String(code)} ${output}`;
  };

  beforeAll(async () => {
    copy = copyOf("testing");
    stack = await createStack();
  });
  afterAll(() => stack.close());

  it("passes with jest", async () => {
    const told = await tested("jest/bin/jest.js");
    expect(told).toMatch(/^0 /);
    expect(told).toMatch(/Tests: +3 passed, 3 total/);
  });

  it("passes with vitest", async () => {
    const told = await tested("vitest/vitest.mjs", "run");
    expect(told).toMatch(/^0 /);
    expect(told).toMatch(/Tests +3 passed \(3\)/);
  });
});
