"use strict";

/**
 * Keeps the user's environment out of the tests, and out of the processes that they start. Jest's configuration loads this file
 * before there are workers, so each worker has the cleaned environment from its first line.
 */

/** Settings of this provider and of Pulumi, proxies, and variables that change the words, colours and times that programs print. */
const taken =
  /^(COMPUTE_.*|PULUMI_.*|(HTTP|HTTPS|ALL|NO)_PROXY|NODE_OPTIONS|NODE_NO_WARNINGS|CI|FORCE_COLOR|NO_COLOR|LANGUAGE|LC_.*)$/i;

/** The engine and the Postgres to test with. */
const kept = /^COMPUTE_(ENGINE_.*|POSTGRES)$/;

for (const name of Object.keys(process.env))
  if (taken.test(name) && !kept.test(name)) delete process.env[name];
Object.assign(process.env, { LANG: "C.UTF-8", TZ: "UTC" });
