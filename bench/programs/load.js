"use strict";
// A provider process as far as its loading goes: the SDK first, as Pulumi starts it, then what is named. Writes the
// milliseconds of CPU that the second part took.
const path = require("node:path");

const root = path.join(__dirname, "..", "..");
require(path.join(root, "node_modules", "@pulumi", "pulumi", "cmd", "dynamic-provider"));

const before = process.cpuUsage();
for (const file of process.argv.slice(3)) require(path.join(root, file));
const { user, system } = process.cpuUsage(before);
console.log((user + system) / 1000);
process.exit(0);
