"use strict";

/**
 * Pulumi's Node language host, for an engine that was built here (`pulumi-language-nodejs`).
 *
 * The official host is a Go program that is part of the official download. This host serves the same gRPC service
 * through the SDK's own generated stubs, as far as this repository's programs, plugins and policy packs need it. It is
 * never used with a CLI that brings its own host. docs/contributing/engine.md describes it; test/engine/hosts.test.ts
 * compares the two.
 *
 * Its stubs come from this checkout. The program that it runs gets the SDK of its own folder, as with the official
 * host. It is plain JavaScript, because it must start in any folder with nothing compiled.
 */

const { spawn } = require("node:child_process");
const { createRequire } = require("node:module");
const { clearTimeout, setInterval, setTimeout } = require("node:timers");
const service = require("@pulumi/pulumi/proto/language_grpc_pb");
const messages = require("@pulumi/pulumi/proto/language_pb");
const { PluginInfo } = require("@pulumi/pulumi/proto/plugin_pb");

// These must be the copies that the stubs use: messages of a second copy are not instances of their classes.
const requireBesideSdk = createRequire(require.resolve("@pulumi/pulumi/package.json"));
const grpc = requireBesideSdk("@grpc/grpc-js");
const { Empty } = requireBesideSdk("google-protobuf/google/protobuf/empty_pb.js");

/** The exit code of the SDK's runner that means "the user has been told already". */
const alreadyReported = 32;
/** The same as the engine's own limit: stacks have large configurations and long lists of dependencies. */
const maxMessageBytes = 400 * 1024 * 1024;
/** How long an interrupted program may take to end. */
const interruptMs = 5000;

let engineAddress = process.argv.at(-1);
const children = new Set();

// For any other call, grpc-js answers UNIMPLEMENTED, and the engine continues without it.
serve({
  handshake: answer((request) => {
    engineAddress = request.getEngineAddress() || engineAddress;
    return new messages.LanguageHandshakeResponse();
  }),
  getPluginInfo: answer(() => {
    const info = new PluginInfo();
    info.setVersion(requireBesideSdk("./package.json").version);
    return info;
  }),
  // The engine installs a resource plugin when the first resource names it, so no plugin has to be listed here.
  getRequiredPackages: answer(() => new messages.GetRequiredPackagesResponse()),
  run: answer(async (request, call) => {
    const response = new messages.RunResponse();
    const { code, failure } = await runProgram(request, call).catch(({ message }) => ({ failure: message }));
    if (code === alreadyReported) response.setBail(true);
    else if (failure) response.setError(failure);
    return response;
  }),
  runPlugin: stream(runPlugin),
  installDependencies: stream(async (call) =>
    runToEnd("npm", ["install", "--loglevel=error"], {
      cwd: programOf(call.request).directory,
      stdio: ["ignore", "pipe", "pipe"],
      call,
      Response: messages.InstallDependenciesResponse,
    }),
  ),
  cancel: answer(() => {
    for (const child of children) interrupt(child);
    return new Empty();
  }),
});

function serve(handlers) {
  const server = new grpc.Server({
    "grpc.max_receive_message_length": maxMessageBytes,
    "grpc.max_send_message_length": maxMessageBytes,
  });
  server.addService(service.LanguageRuntimeService, handlers);
  server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
    if (error) throw error;
    process.stdout.write(`${port}\n`);
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => leave(signal));
  // A killed engine stops nothing: without this check, its programs would run on with no engine to answer them.
  const engine = process.ppid;
  setInterval(() => process.ppid === engine || leave("SIGKILL"), 1000).unref();
}

function leave(signal) {
  for (const child of children) child.kill(signal);
  process.exit(0);
}

async function runProgram(request, call) {
  const { directory, entry, root, nodeArguments, variables } = programOf(request);
  const named = {
    monitor: request.getMonitorAddress(),
    engine: engineAddress,
    organization: request.getOrganization(),
    project: request.getProject(),
    "root-directory": root,
    stack: request.getStack(),
    pwd: directory,
    parallel: String(request.getParallel()),
  };
  const options = Object.entries(named).flatMap(([name, value]) => (value ? [`--${name}`, value] : []));
  if (request.getDryrun()) options.push("--dry-run");
  // The keys have the old form, `project:config:key`, as the official host passes them on to SDKs of any age.
  const config = request
    .getConfigMap()
    .toArray()
    .map(([key, value]) => [key.replace(/^([^:]*):(?!config:)/, "$1:config:"), value]);
  const env = {
    ...process.env,
    PULUMI_CONFIG: JSON.stringify(Object.fromEntries(config)),
    PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(request.getConfigsecretkeysList()),
    ...variables,
  };
  const args = [...nodeArguments, runnerIn(directory, "run"), ...options, entry, ...request.getArgsList()];
  return runToEnd(process.execPath, args, { env, stdio: ["ignore", "inherit", "inherit"], call });
}

/** Runs a plugin or a policy pack that is written for Node. The SDK has a separate runner for policy packs. */
async function runPlugin(call) {
  const { request } = call;
  const { directory, nodeArguments, variables } = programOf(request);
  const isPolicyPack = request.getKind() === "analyzer";
  const runner = runnerIn(directory, isPolicyPack ? "run-policy-pack" : "run-plugin");
  const args = request.getArgsList();
  const rest = isPolicyPack ? [...args, directory] : [directory, ...args];
  const listed = request.getEnvList().map((pair) => /^([^=]*)=(.*)$/s.exec(pair)?.slice(1) ?? [pair, ""]);
  // These arguments follow the runner, where Node does not read them: the official host puts them there too.
  return runToEnd(process.execPath, [runner, ...nodeArguments, ...rest], {
    // A policy pack reads its version from the package.json of its working directory.
    cwd: isPolicyPack ? directory : request.getPwd() || directory,
    env: { ...Object.fromEntries(listed), ...variables },
    stdio: ["ignore", "pipe", "pipe"],
    call,
    Response: messages.RunPluginResponse,
  });
}

/** What the engine sends about a program, a plugin or a policy pack, including the options in its YAML file. */
function programOf(request) {
  const info = request.getInfo();
  const { typescript = true, tsconfig, nodeargs = "" } = info.getOptions()?.toJavaScript() ?? {};
  const words = nodeargs.match(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g) ?? [];
  return {
    directory: info.getProgramDirectory(),
    entry: info.getEntryPoint(),
    root: info.getRootDirectory(),
    nodeArguments: words.map((word) => word.replaceAll(/'([^']*)'|"([^"]*)"/g, "$1$2")),
    variables: {
      ...(typescript && { PULUMI_NODEJS_TYPESCRIPT: "true" }),
      // Passed on unchanged: the SDK's runner resolves the path from the program's own folder.
      ...(tsconfig && { PULUMI_NODEJS_TSCONFIG_PATH: tsconfig }),
    },
  };
}

function runnerIn(directory, name) {
  try {
    return require.resolve(`@pulumi/pulumi/cmd/${name}`, { paths: [directory] });
  } catch {
    throw new Error(
      `The Pulumi SDK is not installed in ${directory}. Run \`npm install @pulumi/pulumi\` there, then try again.`,
    );
  }
}

/**
 * Runs a process that dies with this one, and that ends when its call is cancelled. @returns how it ended; `failure` if
 * it failed.
 */
function runToEnd(command, args, { call, Response, ...options }) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, options);
    children.add(child);
    call.on("cancelled", () => interrupt(child));
    for (const name of ["Stdout", "Stderr"])
      child[name.toLowerCase()]?.on("data", (bytes) => {
        const response = new Response();
        response[`set${name}`](bytes);
        call.write(response);
      });
    child.on("error", reject);
    child.on("close", (code, signal) => {
      children.delete(child);
      const failure = signal
        ? `Program was ended by ${signal}`
        : `Program exited with non-zero exit code: ${code}`;
      resolve(code === 0 ? { code } : { code, failure });
    });
  });
}

/** Kills a program that does not end when it is interrupted. */
function interrupt(child) {
  child.kill("SIGINT");
  const killing = setTimeout(() => child.kill("SIGKILL"), interruptMs);
  child.once("close", () => clearTimeout(killing));
}

/** Makes a gRPC handler from a function that turns a request into a response. */
function answer(respond) {
  return async (call, callback) => {
    try {
      callback(null, await respond(call.request, call));
    } catch ({ message }) {
      callback({ code: grpc.status.UNKNOWN, details: message });
    }
  };
}

/** Makes a gRPC handler from a function that runs a process: its output is the answer. */
function stream(run) {
  return async (call) => {
    const { failure } = await run(call).catch(({ message }) => ({ failure: message }));
    if (failure) call.emit("error", { code: grpc.status.UNKNOWN, details: failure });
    else call.end();
  };
}
