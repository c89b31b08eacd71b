"use strict";
// An Automation API program with its resources inline: up, a preview of a size change, destroy.
const { LocalWorkspace } = require("@pulumi/pulumi/automation");
const { Endpoint, fixedSize, getEndpoint, listOperations } = require("pulumi-compute-endpoint");

const [projectId, branchId] = process.argv.slice(2);
let cu = 0.25;

async function program() {
  const app = new Endpoint("app", { projectId, branchId, type: "read_only", ...fixedSize(cu) });
  const facts = app.endpointId.apply((endpointId) => getEndpoint({ projectId, endpointId }));
  return { id: app.endpointId, currentState: facts.apply(({ currentState }) => currentState) };
}

async function main() {
  const stack = await LocalWorkspace.createOrSelectStack({
    stackName: "inline",
    projectName: "inline",
    program,
  });
  const { outputs } = await stack.up();
  const actions = [];
  for await (const { action } of listOperations({ projectId, pageSize: 1 })) actions.push(action);
  cu = 2;
  const { stdout } = await stack.preview();
  await stack.destroy();
  console.log(
    JSON.stringify({
      id: outputs.id.value,
      currentState: outputs.currentState.value,
      actions,
      preview: stdout,
    }),
  );
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
