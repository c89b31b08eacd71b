"use strict";
// Preloaded into every Node process of a run: writes down when the process starts, what it loads and calls, and when it
// ends.
const { appendFileSync } = require("node:fs");
const Module = require("node:module");
const { performance } = require("node:perf_hooks");

const file = process.env.BENCH_STAMPS;
const now = () => performance.timeOrigin + performance.now();
const stamp = (what, fromMs, toMs) => {
  appendFileSync(file, `${JSON.stringify({ process: roleOf(process.argv), what, fromMs, toMs })}\n`);
};

function roleOf(argv) {
  const words = argv.join(" ");
  if (words.includes("dynamic-provider")) return "provider";
  if (words.includes("cmd/run")) return "program";
  return words.includes("anguage") ? "language host" : "node -e of the provider's shell";
}

/** Loads that get a line: the package itself, and those parts of it that load later. */
const worthTelling =
  /pulumi-compute-endpoint|services\.js$|^undici$|^zod$|engine_grpc_pb$|cmd\/run|^\.\.\/\.\.\/runtime$/;

const load = Module._load;
Module._load = function (request, ...rest) {
  if (!worthTelling.test(request)) return load.call(this, request, ...rest);
  const fromMs = now();
  const loaded = load.call(this, request, ...rest);
  if (now() - fromMs > 5) stamp(`load ${nameOf(request)}`, fromMs, now());
  if (loaded.endpoint !== undefined) wrap(loaded.endpoint);
  return loaded;
};

/** The name without the folders of this machine. */
function nameOf(request) {
  return request
    .split(/[\\/]/)
    .slice(request.startsWith("/") ? -2 : 0)
    .join("/");
}

function wrap(provider) {
  for (const name of ["check", "diff", "create"]) {
    const method = provider[name];
    provider[name] = async (...values) => {
      const fromMs = now();
      try {
        return await method.apply(provider, values);
      } finally {
        stamp(`call ${name}`, fromMs, now());
      }
    };
  }
}

if (file !== undefined) {
  process.on("exit", () => {
    const { user, system } = process.cpuUsage();
    stamp(`process, ${Math.round((user + system) / 1000)} ms of CPU`, performance.timeOrigin, now());
  });
  for (const signal of ["SIGTERM", "SIGINT"]) process.once(signal, () => process.exit(0));
}
