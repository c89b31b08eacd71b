"use strict";

/** Package managers, as the official Node language host chooses them, and what they have installed. */

const { existsSync, readFileSync } = require("node:fs");
const path = require("node:path");

/** Each with what it is given to install; none leaves devDependencies out. */
const managers = {
  npm: ["install", "--loglevel=error"],
  yarn: ["install"],
  pnpm: ["install", "--use-stderr"],
  bun: ["install"],
};

/** The lock files that speak for a manager, in the order in which they are asked. */
const locks = [
  ["yarn", ["yarn.lock"]],
  ["pnpm", ["pnpm-lock.yaml"]],
  ["bun", ["bun.lock", "bun.lockb"]],
];

/**
 * The manager that the options name, or else the one whose lock file is there, or else npm.
 *
 * @throws where the manager that the options name is not on PATH.
 */
function chooseManager(wanted, folder, env = process.env) {
  if (wanted !== "auto") {
    if (isOnPath(wanted, env)) return wanted;
    throw new Error(`Choosing a package manager: Pulumi.yaml asks for ${wanted}, which is not on PATH.`);
  }
  const prefersYarn = ["1", "true"].includes((env.PULUMI_PREFER_YARN ?? "").toLowerCase());
  const chosen = locks.find(
    ([name, files]) =>
      isOnPath(name, env) &&
      ((name === "yarn" && prefersYarn) || files.some((file) => searchUp(folder, file) !== undefined)),
  );
  return chosen?.[0] ?? "npm";
}

function isOnPath(name, env = process.env) {
  const names = process.platform === "win32" ? [`${name}.cmd`, `${name}.exe`] : [name];
  return (env.PATH ?? "")
    .split(path.delimiter)
    .some((folder) => names.some((file) => existsSync(path.join(folder, file))));
}

function searchUp(folder, file) {
  for (let above = path.resolve(folder); ; above = path.dirname(above)) {
    if (existsSync(path.join(above, file))) return path.join(above, file);
    if (path.dirname(above) === above) return undefined;
  }
}

/** What the program's package.json names, each at the version that is installed. */
function directDependencies(folder) {
  const manifest = readJson(path.join(folder, "package.json")) ?? {};
  return Object.entries({ ...manifest.devDependencies, ...manifest.dependencies }).map(([name, range]) => ({
    name,
    version: readJson(path.join(folder, "node_modules", name, "package.json"))?.version ?? range,
  }));
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

module.exports = { managers, chooseManager, isOnPath, searchUp, directDependencies, readJson };
