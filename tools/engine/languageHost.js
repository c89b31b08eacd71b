"use strict";

/**
 * Pulumi's Node language host, for an engine that was built here (`pulumi-language-nodejs`).
 *
 * The official host is a Go program that cannot be had where the official download is out of reach; this one speaks
 * the same gRPC service over the SDK's own generated stubs. It is never used with a CLI that brings its own host.
 * docs/contributing/engine.md lists what the two have in common and what differs; test/engine/hosts.test.ts compares them.
 *
 * Its stubs come from this checkout; the program that it runs gets the SDK of its own folder, as with the official host.
 * Plain JavaScript, because it must start in any folder with nothing compiled.
 */

const { createRequire } = require("node:module");
const { setInterval } = require("node:timers");
const service = require("@pulumi/pulumi/proto/language_grpc_pb");
const messages = require("@pulumi/pulumi/proto/language_pb");
const { PluginInfo } = require("@pulumi/pulumi/proto/plugin_pb");
const { about, installDependencies, programDependencies, runtimeOptionsPrompts } = require("./host/install");
const { optionVariables, readOptions, splitArguments } = require("./host/options");
const { describeEnd, interruptChildren, runToEnd, stopChildren, writeTo } = require("./host/processes");
const {
  describeProgram,
  listedEnvironment,
  notInstalled,
  resolveFrom,
  runnerCommand,
  sdkVersion,
} = require("./host/program");

// The very copies that the stubs use: a second copy's messages are not instances of theirs.
const requireBesideSdk = createRequire(require.resolve("@pulumi/pulumi/package.json"));
const grpc = requireBesideSdk("@grpc/grpc-js");
const { Empty } = requireBesideSdk("google-protobuf/google/protobuf/empty_pb.js");

/** The exit code of the SDK's runner that means "the user has been told already". */
const alreadyReported = 32;
/** As the engine's own limit: stacks carry large configuration and large dependency lists. */
const maxMessageBytes = 400 * 1024 * 1024;

let engineAddress = process.argv[process.argv.length - 1] ?? "";

const handlers = {
  handshake: answer((request) => {
    engineAddress = request.getEngineAddress() || engineAddress;
    return new messages.LanguageHandshakeResponse();
  }),
  getPluginInfo: answer(() => {
    const info = new PluginInfo();
    info.setVersion(sdkVersion(__dirname));
    return info;
  }),
  // The engine installs a resource plugin when the first resource names it; nothing has to be known before.
  getRequiredPackages: answer(() => new messages.GetRequiredPackagesResponse()),
  runtimeOptionsPrompts: answer(runtimeOptionsPrompts),
  about: answer(about),
  run: answer(runProgram),
  getProgramDependencies: answer(programDependencies),
  runPlugin: (call) => void runPlugin(call),
  installDependencies: (call) => void installDependencies(call),
  cancel: answer(() => {
    interruptChildren();
    return new Empty();
  }),
};

serve();

function serve() {
  const server = new grpc.Server({
    "grpc.max_receive_message_length": maxMessageBytes,
    "grpc.max_send_message_length": maxMessageBytes,
  });
  server.addService(service.LanguageRuntimeService, handlers);
  server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
    if (error) throw error;
    process.stdout.write(`${port}\n`);
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(signal, () => leave(signal));
  }
  leaveWithEngine();
}

/** A killed engine stops nobody: without this, its programs would run on with no one to answer them. */
function leaveWithEngine() {
  const engine = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid !== engine) leave("SIGKILL");
  }, 1000);
  watch.unref();
}

function leave(signal) {
  stopChildren(signal);
  process.exit(0);
}

async function runProgram(request, call) {
  const response = new messages.RunResponse();
  const program = describeProgram(request);
  const runner = resolveFrom(
    program.directory,
    process.env.PULUMI_LANGUAGE_NODEJS_RUN_PATH || "@pulumi/pulumi/cmd/run",
  );
  if (runner === undefined) {
    response.setError(notInstalled(program));
    return response;
  }
  let command;
  try {
    command = runnerCommand(request, { ...program, runner }, engineAddress);
  } catch (error) {
    response.setError(error.message);
    return response;
  }
  const stopping = new Promise((resolve) => call.on("cancelled", resolve));
  const stdio = ["ignore", "inherit", "inherit"];
  const ended = await runToEnd(process.execPath, command.args, { env: command.env, stdio, stopping });
  if (ended.code === alreadyReported) response.setBail(true);
  else if (ended.code !== 0) response.setError(describeEnd(ended));
  return response;
}

/** Plugins written for Node: policy packs have a runner of their own in the SDK. */
async function runPlugin(call) {
  const { request } = call;
  const program = describeProgram(request);
  const isPolicyPack = request.getKind() === "analyzer";
  const named = process.env.PULUMI_LANGUAGE_NODEJS_RUN_PATH || "@pulumi/pulumi/cmd/run-plugin";
  const runner = resolveFrom(program.directory, isPolicyPack ? "@pulumi/pulumi/cmd/run-policy-pack" : named);
  const fail = (details) => call.emit("error", { code: grpc.status.UNKNOWN, details });
  if (runner === undefined) return fail(notInstalled(program));
  let options;
  let nodeArguments;
  try {
    options = readOptions(program.options);
    nodeArguments = splitArguments(options.nodeargs);
  } catch (error) {
    return fail(error.message);
  }
  const args = request.getArgsList();
  const rest = isPolicyPack ? [...args, program.directory] : [program.directory, ...args];
  // Behind the runner, where they mean nothing to Node: that is where the official host has them.
  const ended = await runToEnd(process.execPath, [runner, ...nodeArguments, ...rest], {
    // A policy pack reads its version from the package.json of its working directory.
    cwd: isPolicyPack ? program.directory : request.getPwd() || program.directory,
    env: { ...listedEnvironment(request), ...optionVariables(options) },
    stdio: ["ignore", "pipe", "pipe"],
    onOutput: writeTo(call, messages.RunPluginResponse),
    stopping: new Promise((resolve) => call.on("cancelled", resolve)),
  });
  if (ended.code === 0) return call.end();
  return fail(describeEnd(ended));
}

/** Makes a gRPC handler of a function from request to response. */
function answer(respond) {
  return (call, callback) => {
    Promise.resolve()
      .then(() => respond(call.request, call))
      .then(
        (response) => callback(null, response),
        (error) => callback({ code: grpc.status.UNKNOWN, details: String(error?.message ?? error) }),
      );
  };
}
