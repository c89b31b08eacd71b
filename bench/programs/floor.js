"use strict";
// The benchmark's program with a dynamic provider that answers at once: it shows what the engine itself costs.
const { readFileSync } = require("node:fs");
const pulumi = require("@pulumi/pulumi");

// A short text instead of a serialised closure. It finds the provider from the program's folder.
const __provider =
  'exports.handler=()=>require("module").createRequire(process.cwd()+"/")("./instant.js").provider';

class Compute extends pulumi.CustomResource {
  constructor(name, args) {
    const outputs = { endpointId: undefined, host: undefined };
    super("pulumi-nodejs:dynamic/floor:Compute", name, { ...outputs, ...args, __provider });
  }
}

const declared = JSON.parse(readFileSync("declared.json", "utf8"));
for (const [index, args] of declared.entries()) new Compute(`compute-${index}`, args);
