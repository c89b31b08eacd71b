"use strict";
// An Automation API program with one replica inline, in the project and the stack of `program.js`: up.
const { dirname } = require("node:path");
const { LocalWorkspace } = require("@pulumi/pulumi/automation");
const { Endpoint } = require(process.env.TESTED_PACKAGE);

const [projectId, branchId] = process.argv.slice(2);

async function main() {
  const path = dirname(require.resolve("pulumi-compute-endpoint/package.json")) + "/dist/plugin";
  const plugins = { providers: [{ name: "compute", path }] };
  const stack = await LocalWorkspace.createOrSelectStack(
    {
      stackName: "test",
      projectName: "tested",
      program: async () => {
        new Endpoint("app0", { projectId, branchId, type: "read_only" });
      },
    },
    { projectSettings: { name: "tested", runtime: "nodejs", main: process.cwd(), plugins } },
  );
  await stack.up();
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
