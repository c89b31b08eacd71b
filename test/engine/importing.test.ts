/**
 * A project that exists, under code in one command: `compute-import` as it is installed, and the real engine.
 */
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createStack, run, type CommandResult, type Declared, type TestStack } from "../support/stack";

const command = path.join(__dirname, "../../dist/import/main.js");
/** Some branches with a primary alone, some with replicas too. */
const branches = 12;

let stack: TestStack;
let folder: string;

const importing = (...options: readonly string[]): Promise<CommandResult> => {
  const words = [command, "--project", stack.projectId, ...options];
  return run(process.execPath, words, { cwd: folder, env: stack.environment });
};

async function openStack(variant: "dynamic" | "native"): Promise<void> {
  stack = await createStack({ variant });
  folder = mkdtempSync(path.join(stack.folder, "import-"));
  for (let made = 0; made < branches; made += 1) {
    const { branch } = stack.emulator.createBranch(stack.projectId, { compute: true });
    const replica = {
      branch_id: branch.id,
      type: "read_only",
      autoscaling_limit_min_cu: 0.25,
      autoscaling_limit_max_cu: made % 2 === 0 ? 1 : 0.25,
    };
    for (let count = 0; count < made % 3; count += 1) stack.emulator.createEndpoint(stack.projectId, replica);
  }
}

afterEach(() => stack.close());

it("compute-import gives `pulumi import` a file after which nothing changes, and nothing is left to import", async () => {
  await openStack("native");
  const file = path.join(folder, "computes.json");
  const output = expect.stringContaining("25 computes, 25 to import, 0 left out") as string;
  expect(await importing("--out", file)).toMatchObject({ code: 0, output });
  await stack.ok(["import", "--file", file, "--yes", "--generate-code=false", "--protect=false"]);
  const computes = (await stack.resources()).filter(({ urn }) => urn.includes("compute:index:Endpoint::"));
  expect(computes).toHaveLength(25);
  const program: Declared = Object.fromEntries(
    computes.map(({ urn, inputs }) => [urn.split("::").at(-1)!, { args: inputs }]),
  );
  stack.declare(program);
  // `[diff: ~provider]` is no change to the engine, and one to who reads it.
  expect((await stack.ok(["preview", "--expect-no-changes"])).output).not.toContain("[diff:");
  expect(stack.writes()).toEqual([]);

  const exported = path.join(folder, "stack.json");
  await stack.ok(["stack", "export", "--file", exported]);
  const nothing = expect.stringContaining("25 computes, 0 to import, 25 left out") as string;
  expect(await importing("--stack", exported)).toMatchObject({ code: 3, output: nothing });
});

it("compute-import writes a program of the dynamic provider that changes nothing", async () => {
  await openStack("dynamic");
  const file = path.join(stack.folder, "index.ts");
  expect(await importing("--for", "dynamic", "--out", file)).toMatchObject({ code: 0 });
  // What TypeScript would make of it: it has one import, and no types.
  const source = readFileSync(file, "utf8").replace(/^import (.*) from (.*);$/m, "const $1 = require($2);");
  writeFileSync(path.join(stack.folder, "index.js"), source);
  const { output } = await stack.ok(["up", "--yes"]);
  expect(output).not.toMatch(/warning|restart|interruption/);
  await stack.ok(["preview", "--expect-no-changes"]);
  await stack.destroy();
  expect(stack.computes()).toHaveLength(25);
  expect(stack.writes()).toEqual([]);
});
