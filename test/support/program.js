"use strict";
// The program of every engine test: declares what resources.json says.
const { Endpoint, Provider } = require(process.env.TESTED_PACKAGE);
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
  if ("$secret" in value) return require("@pulumi/pulumi").secret(value.$secret);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, resolve(member)]));
}

let explicit;

/**
 * Options as JSON can hold them: names stand for a component, and for resources that are declared before; the
 * arguments of a provider stand for the program's explicit one.
 */
function optionsOf({ component, dependsOn, provider, ...others } = {}) {
  const opts = dependsOn ? { ...others, dependsOn: dependsOn.map((name) => resources[name]) } : others;
  if (provider) opts.provider = explicit ??= new Provider("explicit", provider);
  if (component === undefined) return opts;
  const { ComponentResource } = require("@pulumi/pulumi");
  components[component] ??= new ComponentResource("tested:index:Group", component);
  return { ...opts, parent: components[component] };
}

const components = {};

for (const [name, { args, opts, get }] of Object.entries(
  JSON.parse(readFileSync("resources.json", "utf8")),
)) {
  resources[name] = get
    ? Endpoint.get(name, get, args, optionsOf(opts))
    : new Endpoint(name, resolve(args), optionsOf(opts));
  exports[name] = resources[name].host;
}
