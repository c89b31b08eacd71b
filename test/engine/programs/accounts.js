"use strict";
// Two services in one stack: a provider of its own for each, and a lookup through one of them.
const { Endpoint, getEndpointOutput, listOperationsOutput, Provider } = require(process.env.TESTED_PACKAGE);
const { readFileSync } = require("node:fs");

const accounts = JSON.parse(readFileSync("resources.json", "utf8"));

for (const [name, { projectId, branchId, ...settings }] of Object.entries(accounts)) {
  const provider = new Provider(name, settings);
  const args = { projectId, branchId, type: "read_only" };
  const compute = new Endpoint(`${name}-replica`, args, { provider });
  const facts = getEndpointOutput({ projectId, endpointId: compute.endpointId }, { provider });
  exports[`${name}State`] = facts.currentState;
  exports[`${name}Actions`] = compute.endpointId.apply(() =>
    listOperationsOutput({ projectId, pageSize: 1 }, { provider }).apply((all) =>
      all.map(({ action }) => action),
    ),
  );
}
