"use strict";

/** How a program is started, from what the engine says of it. */

const { optionVariables, readOptions, splitArguments } = require("./options");
const { readJson } = require("./packages");

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

/** @throws where an option of the program has a value that it cannot have. */
function runnerCommand(request, program, engineAddress) {
  const options = readOptions(program.options);
  const nodeArguments = splitArguments(options.nodeargs);
  return {
    args: [...nodeArguments, program.runner, ...runnerArguments(request, program, engineAddress)],
    env: {
      ...process.env,
      PULUMI_CONFIG: JSON.stringify(configOf(request)),
      PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(request.getConfigsecretkeysList()),
      ...optionVariables(options),
    },
  };
}

function runnerArguments(request, program, engineAddress) {
  const named = {
    monitor: request.getMonitorAddress(),
    engine: engineAddress,
    organization: request.getOrganization(),
    project: request.getProject(),
    "root-directory": program.root,
    stack: request.getStack(),
    pwd: program.directory,
    parallel: String(request.getParallel()),
  };
  const options = Object.entries(named).flatMap(([name, value]) => (value ? [`--${name}`, value] : []));
  if (request.getDryrun()) options.push("--dry-run");
  return [...options, program.entry, ...request.getArgsList()];
}

/** With keys of the old form, `project:config:key`, as the official host hands them on to SDKs of any age. */
function configOf(request) {
  const longKey = (key) => key.replace(/^([^:]*):(?!config:)/, "$1:config:");
  return Object.fromEntries(
    request
      .getConfigMap()
      .toArray()
      .map(([key, value]) => [longKey(key), value]),
  );
}

function notInstalled({ directory }) {
  return `The Pulumi SDK is not installed in ${directory}. Run \`npm install @pulumi/pulumi\` there, then try again.`;
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

function listedEnvironment(request) {
  return Object.fromEntries(
    request.getEnvList().map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]),
  );
}

module.exports = { describeProgram, runnerCommand, resolveFrom, notInstalled, sdkVersion, listedEnvironment };
