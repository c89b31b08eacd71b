"use strict";
// A provider process in a preview that creates a compute, from its start: the SDK first, as Pulumi starts it, then the
// provider and one check, which lists the project. Writes the milliseconds of CPU until the provider was loaded, and
// until the check had its answer.
const http = require("node:http");
const path = require("node:path");

const root = path.join(__dirname, "..", "..");
require(path.join(root, "node_modules", "@pulumi", "pulumi", "cmd", "dynamic-provider"));

const declared = { projectId: "p", branchId: "br-a", type: "read_only" };
const hidden = {
  __dryRun: true,
  __urn: "urn:pulumi:s::p::pulumi-nodejs:dynamic/compute:Endpoint::a",
};

const service = http.createServer((_, answer) => {
  answer.writeHead(200, { "content-type": "application/json" }).end('{"endpoints":[]}');
});
service.listen(0, "127.0.0.1", async () => {
  process.env.COMPUTE_BASE_URL = `http://127.0.0.1:${service.address().port}`;
  process.env.COMPUTE_API_KEY = "k";
  const before = process.cpuUsage();
  const passed = () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  const module = require(path.resolve(root, process.argv[3]));
  const loaded = passed();
  const { failures } = await (module.endpoint ?? module.provider).check({}, { ...declared, ...hidden });
  if (failures.length > 0) throw new Error(JSON.stringify(failures));
  console.log(`${loaded} ${passed()}`);
  process.exit(0);
});
