"use strict";

/**
 * Runs Python and Go programs for an engine that was built here: `node host.js python RUNNER` or `node host.js go`.
 *
 * The official hosts are Go programs, and a machine that cannot reach the official download does not have them. The programs
 * that they start are the real ones here: the SDK's own runner for Python, the compiled program for Go. This host passes the
 * engine's requests on to it.
 */
const { spawn } = require("node:child_process");
const { createRequire } = require("node:module");
const path = require("node:path");
const service = require("@pulumi/pulumi/proto/language_grpc_pb");
const messages = require("@pulumi/pulumi/proto/language_pb");
const { PluginInfo } = require("@pulumi/pulumi/proto/plugin_pb");

// Loads the same copies that the stubs use: messages of a second copy would not be instances of their classes.
const requireBesideSdk = createRequire(require.resolve("@pulumi/pulumi/package.json"));
const grpc = requireBesideSdk("@grpc/grpc-js");
const { Empty } = requireBesideSdk("google-protobuf/google/protobuf/empty_pb.js");

const [, , language, pythonRunner] = process.argv;
let engineAddress = process.argv.at(-1);
let program;

const handlers = {
  handshake: answer((request) => {
    engineAddress = request.getEngineAddress() || engineAddress;
    return new messages.LanguageHandshakeResponse();
  }),
  getPluginInfo: answer(() => new PluginInfo()),
  getRequiredPackages: answer(() => new messages.GetRequiredPackagesResponse()),
  getRequiredPlugins: answer(() => new messages.GetRequiredPluginsResponse()),
  run: answer(run),
  cancel: answer(() => {
    program?.kill();
    return new Empty();
  }),
};

const server = new grpc.Server();
server.addService(service.LanguageRuntimeService, handlers);
server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  process.stdout.write(`${port}\n`);
});

/** The options in `runtime.options` of Pulumi.yaml, as with the official hosts: `virtualenv` for Python, `binary` for Go. */
const commands = {
  python: (options, told) => [
    path.join(options.virtualenv, "bin/python"),
    "-u",
    pythonRunner,
    ...Object.entries(told).flatMap(([name, value]) => (value === "" ? [] : [`--${name}`, value])),
    ".",
  ],
  go: (options) => [options.binary],
};

async function run(request) {
  const info = request.getInfo();
  const told = {
    monitor: request.getMonitorAddress(),
    engine: engineAddress,
    organization: request.getOrganization(),
    project: request.getProject(),
    stack: request.getStack(),
    root_directory: info.getRootDirectory(),
    pwd: request.getPwd(),
    parallel: String(request.getParallel()),
    dry_run: String(request.getDryrun()),
  };
  const [command, ...words] = commands[language](info.getOptions().toJavaScript(), told);
  const named = Object.entries(told).map(([name, value]) => [`PULUMI_${name.toUpperCase()}`, value]);
  const environment = {
    ...process.env,
    ...Object.fromEntries(named),
    PULUMI_CONFIG: JSON.stringify(Object.fromEntries(request.getConfigMap().toArray())),
    PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(request.getConfigsecretkeysList()),
  };
  const response = new messages.RunResponse();
  const code = await new Promise((resolve, reject) => {
    program = spawn(command, words, {
      cwd: info.getProgramDirectory(),
      env: environment,
      stdio: ["ignore", "inherit", "inherit"],
    });
    program.on("error", reject);
    program.on("close", resolve);
  });
  if (code !== 0) response.setError(`The program ended with ${code}`);
  return response;
}

/** Makes a gRPC handler of a function from request to response. */
function answer(respond) {
  return (call, callback) => {
    Promise.resolve(call.request)
      .then(respond)
      .then(
        (response) => callback(null, response),
        (error) => callback({ code: grpc.status.UNKNOWN, details: String(error) }),
      );
  };
}
