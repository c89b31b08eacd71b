"use strict";

/** What the engine asks about a program's packages, and has installed. */

const { createRequire } = require("node:module");
const messages = require("@pulumi/pulumi/proto/language_pb");
const { readOptions } = require("./options");
const { chooseManager, directDependencies, isOnPath, managers, searchUp } = require("./packages");
const { describeEnd, runToEnd, writeTo } = require("./processes");
const { describeProgram } = require("./program");

const { status } = createRequire(require.resolve("@pulumi/pulumi/package.json"))("@grpc/grpc-js");

async function installDependencies(call) {
  const { directory, options } = describeProgram(call.request);
  const fail = (details) => call.emit("error", { code: status.UNKNOWN, details });
  try {
    const manager = chooseManager(readOptions(options).packagemanager, directory);
    const ended = await runToEnd(manager, managers[manager], {
      cwd: directory,
      shell: process.platform === "win32",
      stdio: ["ignore", "pipe", "pipe"],
      onOutput: writeTo(call, messages.InstallDependenciesResponse),
    });
    if (ended.code !== 0) return fail(`${manager} install failed. ${describeEnd(ended)}`);
    if (searchUp(directory, "node_modules") === undefined)
      return fail(`${manager} install ended well, and left no node_modules folder.`);
    call.end();
  } catch (error) {
    fail(error.message);
  }
}

function programDependencies(request) {
  const { directory, options } = describeProgram(request);
  readOptions(options);
  const response = new messages.GetProgramDependenciesResponse();
  for (const { name, version } of directDependencies(directory)) {
    const dependency = new messages.DependencyInfo();
    dependency.setName(name);
    dependency.setVersion(version);
    response.addDependencies(dependency);
  }
  return response;
}

async function about(request) {
  const { directory, options } = describeProgram(request);
  const manager = chooseManager(readOptions(options).packagemanager, directory);
  const response = new messages.AboutResponse();
  response.setExecutable(process.execPath);
  response.setVersion(process.version);
  response.getMetadataMap().set("packagemanager", manager);
  response.getMetadataMap().set("packagemanagerVersion", await versionOf(manager));
  return response;
}

async function versionOf(manager) {
  let printed = "";
  const stdio = ["ignore", "pipe", "ignore"];
  const shell = process.platform === "win32";
  await runToEnd(manager, ["--version"], { stdio, shell, onOutput: (_, bytes) => (printed += bytes) });
  return printed.trim();
}

/** What `pulumi new` asks, and writes into Pulumi.yaml. */
function runtimeOptionsPrompts(request) {
  const response = new messages.RuntimeOptionsResponse();
  if ("packagemanager" in describeProgram(request).options) return response;
  const names = Object.keys(managers);
  const ordered = [...names.filter((name) => isOnPath(name)), ...names.filter((name) => !isOnPath(name))];
  const { RuntimeOptionType, RuntimeOptionValue } = messages.RuntimeOptionPrompt;
  const choice = (name) => {
    const value = new RuntimeOptionValue();
    value.setPrompttype(RuntimeOptionType.STRING);
    value.setStringvalue(name);
    value.setDisplayname(isOnPath(name) ? name : `${name} [not found]`);
    return value;
  };
  const prompt = new messages.RuntimeOptionPrompt();
  prompt.setKey("packagemanager");
  prompt.setDescription("Package manager for the dependencies");
  prompt.setPrompttype(RuntimeOptionType.STRING);
  prompt.setChoicesList(ordered.map(choice));
  prompt.setDefault(choice("npm"));
  response.addPrompts(prompt);
  return response;
}

module.exports = { installDependencies, programDependencies, about, runtimeOptionsPrompts };
