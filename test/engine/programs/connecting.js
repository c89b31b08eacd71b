"use strict";
// What clients of a branch's primary connect with.
const pulumi = require("@pulumi/pulumi");
const { connectionString, getPrimaryOutput } = require(process.env.TESTED_PACKAGE);
const { readFileSync } = require("node:fs");

const { projectId, branchId, pooled } = JSON.parse(readFileSync("resources.json", "utf8"));
const primary = getPrimaryOutput({ projectId, branchId });
const password = new pulumi.Config().requireSecret("password");

exports.primaryId = primary.endpointId;
exports.url = connectionString({ host: primary.host, role: "app", password, database: "shop", pooled });
