"use strict";

/**
 * Keeps the environment of whoever runs the tests from them, and from the processes that they start. Jest's configuration loads
 * this before there is a worker, so all of them have the cleared environment from their first line.
 */

/** Settings of this provider and of Pulumi, proxies, and what changes the words, the colours and the times that programs print. */
const taken =
  /^(COMPUTE_.*|PULUMI_.*|(HTTP|HTTPS|ALL|NO)_PROXY|NODE_OPTIONS|NODE_NO_WARNINGS|CI|FORCE_COLOR|NO_COLOR|LANGUAGE|LC_.*)$/i;

/** With which engine and which Postgres to test. */
const kept = /^COMPUTE_(ENGINE_.*|POSTGRES)$/;

for (const name of Object.keys(process.env))
  if (taken.test(name) && !kept.test(name)) delete process.env[name];
Object.assign(process.env, { LANG: "C.UTF-8", TZ: "UTC" });
