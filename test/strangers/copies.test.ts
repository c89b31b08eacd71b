/** The examples that are copied as people use them: out of the clone, beside what npm has installed. */
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { folderOutside, npmInstall, packedOutside, succeed } from "../support/packed";
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

const versions = [...needed, ...forTests].map((name) => [name, pinned[name]!] as const);
const outside = packedOutside({ vitest: "^3.2.4", ...Object.fromEntries(versions) });

describe("a copy of examples/testing", () => {
  let stack: TestStack;
  let copy: string;
  const tested = async (...words: readonly string[]): Promise<string> => {
    const own = { COMPUTE_BASE_URL: "", COMPUTE_API_KEY: "", CI: "true", NO_COLOR: "1" };
    const env = { ...stack.environment, ...own };
    const bin = path.join(outside.folder, "node_modules", words[0]!);
    const { code, output } = await run(process.execPath, [bin, ...words.slice(1)], { cwd: copy, env });
    return `${String(code)} ${output}`;
  };

  beforeAll(async () => {
    copy = path.join(outside.folder, "testing");
    cpSync(path.join(examples, "testing"), copy, { recursive: true });
    stack = await createStack();
  });
  afterAll(() => stack.close());

  it.each([
    ["jest", ["jest/bin/jest.js"], /^0 [^]*Tests: +3 passed, 3 total/],
    ["vitest", ["vitest/vitest.mjs", "run"], /^0 [^]*Tests +3 passed \(3\)/],
  ])("passes with %s", async (_runner, words, says) => {
    expect(await tested(...words)).toMatch(says);
  });
});

/** What it makes of two accounts, test/engine/component.test.ts has. */
describe("a copy of examples/component", () => {
  let copy: string;

  beforeAll(async () => {
    copy = path.join(folderOutside(), "component");
    cpSync(path.join(examples, "component"), copy, { recursive: true });
    const manifest = path.join(copy, "package.json");
    const text = readFileSync(manifest, "utf8");
    expect(text).toContain('"pulumi-compute-endpoint": "^0.1.0"');
    writeFileSync(manifest, text.replace('"^0.1.0"', `"file:${outside.tarball}"`));
    await npmInstall(copy);
  });
  afterAll(() => {
    rmSync(path.dirname(copy), { recursive: true, force: true });
  });

  it("passes its own tests and its own type check", async () => {
    await succeed(["npm", "test"], copy);
    await succeed(["npx", "--no-install", "tsc"], copy);
  });
});
