"use strict";

/**
 * Pulumi's Node language host, for an engine that was built here (`pulumi-language-nodejs`).
 *
 * The official host is a Go program that cannot be had where the official download is out of reach; this one speaks
 * the same gRPC service over the SDK's own generated stubs. It is never used with a CLI that brings its own host.
 *
 * Its stubs come from this checkout; the program that it runs gets the SDK of its own folder, as with the official host.
 * Plain JavaScript, because it must start in any folder with nothing compiled.
 */

const { spawn } = require("node:child_process");
const { readFileSync } = require("node:fs");
const { createRequire } = require("node:module");
const path = require("node:path");
const { setInterval } = require("node:timers");
const service = require("@pulumi/pulumi/proto/language_grpc_pb");
const messages = require("@pulumi/pulumi/proto/language_pb");
const { PluginInfo } = require("@pulumi/pulumi/proto/plugin_pb");

// The very copies that the stubs use: a second copy's messages are not instances of theirs.
const requireBesideSdk = createRequire(require.resolve("@pulumi/pulumi/package.json"));
const grpc = requireBesideSdk("@grpc/grpc-js");
const { Empty } = requireBesideSdk("google-protobuf/google/protobuf/empty_pb.js");

/** The exit code of the SDK's runner that means "the user has been told already". */
const alreadyReported = 32;
/** As the engine's own limit: stacks carry large configuration and large dependency lists. */
const maxMessageBytes = 400 * 1024 * 1024;

let engineAddress = process.argv[process.argv.length - 1] ?? "";
const children = new Set();

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
  getRequiredPlugins: answer(() => new messages.GetRequiredPluginsResponse()),
  getRequiredPackages: answer(() => new messages.GetRequiredPackagesResponse()),
  runtimeOptionsPrompts: answer(() => new messages.RuntimeOptionsResponse()),
  about: answer(() => {
    const about = new messages.AboutResponse();
    about.setExecutable(process.execPath);
    about.setVersion(process.version);
    return about;
  }),
  run: answer(runProgram),
  getProgramDependencies: answer(programDependencies),
  runPlugin: (call) => void runPlugin(call),
  installDependencies: (call) => void installDependencies(call),
  cancel: answer(() => {
    stopChildren("SIGTERM");
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

function stopChildren(signal) {
  for (const child of children) child.kill(signal);
}

async function runProgram(request) {
  const response = new messages.RunResponse();
  const program = describeProgram(request);
  const runner = resolveFrom(program.directory, "@pulumi/pulumi/cmd/run");
  if (runner === undefined) {
    response.setError(
      `The Pulumi SDK is not installed in ${program.directory}. Run \`npm install @pulumi/pulumi\` there, then try again.`,
    );
    return response;
  }
  const ended = await runToEnd(
    process.execPath,
    [...splitArguments(program.options.nodeargs), runner, ...runnerArguments(request, program)],
    { env: runnerEnvironment(request, program), stdio: ["ignore", "inherit", "inherit"] },
  );
  if (ended.code === alreadyReported) response.setBail(true);
  else if (ended.code !== 0) response.setError(describeEnd(ended));
  return response;
}

function describeProgram(request) {
  const info = request.getInfo();
  const directory = info?.getProgramDirectory() || request.getPwd() || process.cwd();
  return {
    directory,
    entry: info?.getEntryPoint() || request.getProgram() || ".",
    root: info?.getRootDirectory() || directory,
    options: info?.getOptions()?.toJavaScript() ?? {},
  };
}

function runnerArguments(request, program) {
  const named = {
    monitor: request.getMonitorAddress(),
    engine: engineAddress,
    organization: request.getOrganization(),
    project: request.getProject(),
    stack: request.getStack(),
    "root-directory": program.root,
    pwd: request.getPwd(),
    parallel: String(request.getParallel()),
  };
  const options = Object.entries(named).flatMap(([name, value]) => (value ? [`--${name}`, value] : []));
  if (request.getDryrun()) options.push("--dry-run");
  return [...options, program.entry, ...request.getArgsList()];
}

function runnerEnvironment(request, program) {
  const { typescript, tsconfig } = program.options;
  const environment = {
    ...process.env,
    PULUMI_CONFIG: JSON.stringify(Object.fromEntries(request.getConfigMap().toArray())),
    PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(request.getConfigsecretkeysList()),
  };
  if (typescript !== false) environment.PULUMI_NODEJS_TYPESCRIPT = "true";
  if (typeof tsconfig === "string" && tsconfig !== "") {
    environment.PULUMI_NODEJS_TSCONFIG_PATH = path.resolve(program.root, tsconfig);
  }
  return environment;
}

function describeEnd({ code, signal, error }) {
  if (error) return `Program could not be started: ${error.message}`;
  return signal ? `Program was ended by ${signal}` : `Program exited with non-zero exit code: ${code}`;
}

/** Plugins written for Node: policy packs have a runner of their own in the SDK. */
async function runPlugin(call) {
  const { request } = call;
  const program = describeProgram(request);
  const command = request.getKind() === "analyzer" ? "run-policy-pack" : "run-plugin";
  const runner = resolveFrom(program.directory, `@pulumi/pulumi/cmd/${command}`);
  const onOutput = (name, bytes) => {
    const response = new messages.RunPluginResponse();
    if (name === "stdout") response.setStdout(bytes);
    else response.setStderr(bytes);
    call.write(response);
  };
  if (runner === undefined) {
    const details = `The Pulumi SDK is not installed in ${program.directory}. Run \`npm install @pulumi/pulumi\` there, then try again.`;
    call.emit("error", { code: grpc.status.FAILED_PRECONDITION, details });
    return;
  }
  const ended = await runToEnd(
    process.execPath,
    [...splitArguments(program.options.nodeargs), runner, ...request.getArgsList(), program.directory],
    {
      // A policy pack reads its version from the package.json of its working directory.
      cwd: program.directory,
      env: { ...process.env, ...listedEnvironment(request) },
      stdio: ["ignore", "pipe", "pipe"],
      onOutput,
    },
  );
  const response = new messages.RunPluginResponse();
  response.setExitcode(ended.code ?? 1);
  call.write(response);
  call.end();
}

function listedEnvironment(request) {
  return Object.fromEntries(
    request.getEnvList().map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]),
  );
}

async function installDependencies(call) {
  const { request } = call;
  const options = request.getInfo()?.getOptions()?.toJavaScript() ?? {};
  const manager = typeof options.packagemanager === "string" ? options.packagemanager : "npm";
  const ended = await runToEnd(manager, ["install"], {
    cwd: request.getDirectory(),
    stdio: ["ignore", "pipe", "pipe"],
    onOutput: (name, bytes) => {
      const response = new messages.InstallDependenciesResponse();
      if (name === "stdout") response.setStdout(bytes);
      else response.setStderr(bytes);
      call.write(response);
    },
  });
  if (ended.code === 0) call.end();
  else {
    call.emit("error", {
      code: grpc.status.UNKNOWN,
      details: `${manager} install failed. ${describeEnd(ended)}`,
    });
  }
}

function programDependencies(request) {
  const directory = request.getInfo()?.getProgramDirectory() || request.getPwd();
  const manifest = readJson(path.join(directory, "package.json")) ?? {};
  const response = new messages.GetProgramDependenciesResponse();
  for (const [name, range] of Object.entries({ ...manifest.devDependencies, ...manifest.dependencies })) {
    const dependency = new messages.DependencyInfo();
    dependency.setName(name);
    dependency.setVersion(
      readJson(path.join(directory, "node_modules", name, "package.json"))?.version ?? range,
    );
    response.addDependencies(dependency);
  }
  return response;
}

/** Runs a process that dies with this one, and says how it ended. */
function runToEnd(command, args, { onOutput, ...options }) {
  return new Promise((resolve) => {
    const child = spawn(command, args, options);
    children.add(child);
    child.stdout?.on("data", (bytes) => onOutput("stdout", bytes));
    child.stderr?.on("data", (bytes) => onOutput("stderr", bytes));
    child.on("error", (error) => {
      children.delete(child);
      resolve({ code: -1, error });
    });
    child.on("close", (code, signal) => {
      children.delete(child);
      resolve({ code, signal });
    });
  });
}

/** Makes a gRPC handler of a function from request to response. */
function answer(respond) {
  return (call, callback) => {
    Promise.resolve()
      .then(() => respond(call.request))
      .then(
        (response) => callback(null, response),
        (error) => callback({ code: grpc.status.UNKNOWN, details: String(error?.message ?? error) }),
      );
  };
}

function resolveFrom(directory, name) {
  try {
    return require.resolve(name, { paths: [directory] });
  } catch {
    return undefined;
  }
}

function sdkVersion(directory) {
  const manifest = resolveFrom(directory, "@pulumi/pulumi/package.json");
  return (manifest && readJson(manifest)?.version) ?? "0.0.0";
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

/** Splits `--flag "a b"` as a shell would, as far as quotes go. */
function splitArguments(text) {
  if (typeof text !== "string") return [];
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map((match) => match[1] ?? match[2] ?? match[3]);
}
