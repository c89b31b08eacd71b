"use strict";
// The benchmark's program with this package.
const { readFileSync } = require("node:fs");
const { Endpoint } = require("pulumi-compute-endpoint");

const declared = JSON.parse(readFileSync("declared.json", "utf8"));
for (const [index, args] of declared.entries()) new Endpoint(`compute-${index}`, args);
