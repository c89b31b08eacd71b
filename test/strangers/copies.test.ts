/** Examples as people use them: copied out of the clone, beside what npm has installed. */
import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
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

/** Which branch each setting of an example names: one without a primary, or the default one. */
interface Copied {
  readonly example: string;
  readonly branches: Readonly<Record<string, "free" | "default">>;
  readonly makes: readonly string[];
}

describe.each<Copied>([
  { example: "autoscaling", branches: { branchId: "free" }, makes: ["read_write"] },
  { example: "read-replicas", branches: { branchId: "default" }, makes: ["read_only", "read_only"] },
  {
    example: "pull-request",
    branches: { appBranchId: "free", jobsBranchId: "default" },
    makes: ["read_write", "read_only", "read_only"],
  },
])("a copy of examples/$example", ({ example, branches, makes }) => {
  let stack: TestStack;
  let copy: string;

  beforeAll(async () => {
    copy = copyOf(example);
    stack = await createStack({ program: () => copy });
    const free = stack.emulator.createBranch(stack.projectId, { compute: false }).branch.id;
    const ids = { free, default: stack.defaultBranchId };
    await stack.ok(["config", "set", "projectId", stack.projectId]);
    for (const [key, branch] of Object.entries(branches)) await stack.ok(["config", "set", key, ids[branch]]);
  });
  afterAll(() => stack.close());

  it("passes Pulumi's check of its types, comes up, and goes away", async () => {
    await stack.ok(["up", "--yes", "--skip-preview"], { PULUMI_NODEJS_TRANSPILE_ONLY: "false" });
    const types = (): readonly string[] =>
      stack.emulator.endpoints(stack.projectId).map(({ endpoint }) => endpoint.type);
    expect([...types()].sort()).toEqual([...makes, "read_write"].sort());
    await stack.ok(["destroy", "--yes", "--skip-preview"]);
    expect(types()).toEqual(["read_write"]);
  });

  it("keeps its configuration to its folder", () => {
    expect(readdirSync(copy)).toContain("Pulumi.test.yaml");
    expect(existsSync(path.join(outside, ".local"))).toBe(false);
  });
});

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
