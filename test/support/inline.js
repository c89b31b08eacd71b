"use strict";
// An Automation API program with its resources inline: up, a preview of a size change, destroy. With a third argument, it only
// brings up a replica, in the project and the stack of `program.js`.
const { appendFileSync, writeFileSync } = require("node:fs");
const { dirname } = require("node:path");
const { LocalWorkspace } = require("@pulumi/pulumi/automation");
const { Endpoint, fixedSize, getEndpoint } = require(process.env.TESTED_PACKAGE);
const { isReportedEvent } = require("pulumi-compute-endpoint/preview");

const [projectId, branchId, isReplicaAlone] = process.argv.slice(2);
let cu = 0.25;

async function program() {
  const app = new Endpoint("app", { projectId, branchId, type: "read_only", ...fixedSize(cu) });
  const facts = app.endpointId.apply((endpointId) => getEndpoint({ projectId, endpointId }));
  return { id: app.endpointId, currentState: facts.apply(({ currentState }) => currentState) };
}

async function replica() {
  new Endpoint("app0", { projectId, branchId, type: "read_only" });
}

async function main() {
  // A program without a project on disk gives the plugin's path here; the SDK's types lack this option.
  const path = dirname(require.resolve("pulumi-compute-endpoint/package.json")) + "/dist/plugin";
  const plugins = { providers: [{ name: "compute", path }] };
  const names = { stackName: "inline", projectName: "inline", program };
  const own = isReplicaAlone ? { stackName: "test", projectName: "tested", program: replica } : names;
  const projectSettings = { name: own.projectName, runtime: "nodejs", main: process.cwd(), plugins };
  const stack = await LocalWorkspace.createOrSelectStack(own, { projectSettings });
  const { outputs } = await stack.up();
  if (isReplicaAlone) return;
  cu = 2;
  writeFileSync("preview.ndjson", "");
  const { stdout } = await stack.preview({
    onEvent: (event) => {
      if (isReportedEvent(event)) appendFileSync("preview.ndjson", `${JSON.stringify(event)}\n`);
    },
  });
  await stack.destroy();
  const { id, currentState } = outputs;
  console.log(JSON.stringify({ id: id.value, currentState: currentState.value, preview: stdout }));
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
