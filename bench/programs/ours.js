"use strict";
// The benchmark's program on this package.
const { readFileSync } = require("node:fs");
const { Endpoint } = require("pulumi-compute-endpoint");

const { count, args } = JSON.parse(readFileSync("declared.json", "utf8"));
for (let index = 0; index < count; index++) new Endpoint(`compute-${index}`, args);
