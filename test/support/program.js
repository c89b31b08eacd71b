"use strict";
// The program of every engine test: it declares what resources.json says.
const { Endpoint, getPrimaryOutput } = require(process.env.TESTED_PACKAGE);
const pulumi = require("@pulumi/pulumi");
const { readFileSync } = require("node:fs");

const resources = {};

/** Puts another resource's output where the declaration refers to it. */
function resolve(value) {
  if (Array.isArray(value)) return value.map(resolve);
  if (typeof value !== "object" || value === null) return value;
  if (typeof value.$of === "string") {
    const [name, output] = value.$of.split(".");
    return resources[name][output];
  }
  if ("$secret" in value) return pulumi.secret(value.$secret);
  if ("$output" in value) return pulumi.output(Promise.resolve(value.$output));
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, resolve(member)]));
}

const components = {};

function componentOf(name) {
  return (components[name] ??= new pulumi.ComponentResource("tested:index:Group", name));
}

/** An alias as JSON can hold it: `parent` is the name of a component, or null for none. */
function aliasOf({ parent, ...alias }) {
  if (parent === undefined) return alias;
  return { ...alias, parent: parent === null ? pulumi.rootStackResource : componentOf(parent) };
}

/**
 * Options as JSON can hold them: names stand for a component, and for resources that are declared earlier.
 */
function optionsOf({ component, dependsOn, aliases, ...opts } = {}) {
  if (dependsOn) opts.dependsOn = dependsOn.map((name) => resources[name]);
  if (aliases) opts.aliases = aliases.map(aliasOf);
  if (component !== undefined) opts.parent = componentOf(component);
  return opts;
}

for (const [name, { args, opts, lookUp }] of Object.entries(
  JSON.parse(readFileSync("resources.json", "utf8")),
)) {
  resources[name] = new Endpoint(name, resolve(args), optionsOf(opts));
  exports[name] = resources[name].host;
  // The comment of `getPrimaryOutput` shows this use.
  if (lookUp)
    exports[`${name}Primary`] = getPrimaryOutput({
      projectId: args.projectId,
      branchId: resources[name].branchId,
    }).host;
}
