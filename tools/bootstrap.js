"use strict";

/**
 * The way into every tool: `node tools/bootstrap.js <command> [arguments]`.
 *
 * Runs on a fresh clone with nothing but Node and npm. It installs what package-lock.json pins, compiles, and hands
 * over to dist/tools/commands/<command>.js. If both are up to date, this takes a few milliseconds. It prints nothing on
 * stdout, which belongs to the command.
 */

const { spawnSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");

const { bin, engines } = require("../package.json");

const oldestNode = engines.node.replace(">=", "");
const root = path.dirname(__dirname);
const dist = path.join(root, "dist");
const local = path.join(root, ".local");
const buildStamp = path.join(dist, ".sources");
const lockFile = path.join(local, "prepare.lock");
const sourceFolders = ["sdk", "provider", "preview", "import", "verify", "emulator", "tools"];

/**
 * Commands that pack get checked types and declarations. The others start seconds earlier without them: `npm test`
 * checks types beside its tests.
 */
const isChecked =
  ["long", "prepack", "release"].includes(process.argv[2]) || process.argv.slice(3).includes("--full");

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error) => {
    console.error(error.isExpected ? error.message : error);
    process.exitCode = error.exitCode ?? 1;
  },
);

async function main() {
  requireNode();
  const [command = "", ...args] = process.argv.slice(2);
  requireCommand(command);
  const parent = process.ppid;
  if (!isInstalled() || !isBuilt(fingerprint())) prepare();
  // If npm was ended meanwhile, nobody wants the command any more.
  if (process.ppid !== parent) stop("Stopped: npm, which started this command, has ended.");
  return require(path.join(dist, "tools", "commands", `${command}.js`)).run(args);
}

function requireNode() {
  if (process.versions.node.localeCompare(oldestNode, "en", { numeric: true }) >= 0) return;
  stop(
    `Starting: this is Node ${process.versions.node}, but ${oldestNode} or later is needed. Install it from https://nodejs.org.`,
  );
}

function requireCommand(command) {
  const commands = fs.readdirSync(path.join(__dirname, "commands")).map((file) => path.parse(file).name);
  if (!commands.includes(command)) stop(`Usage: node tools/bootstrap.js ${commands.join("|")} [arguments]`);
}

/** One process at a time installs and compiles. The others wait, and then find the work done. */
function prepare() {
  takeLock();
  try {
    if (!isInstalled()) install();
    const sources = fingerprint();
    if (!isBuilt(sources)) build(sources);
  } finally {
    fs.rmSync(lockFile, { force: true });
  }
}

/** npm writes the list of what it has installed last, so an install that was killed leaves no list. */
function isInstalled() {
  const wanted = readJson(path.join(root, "package-lock.json"))?.packages ?? {};
  const present = readJson(path.join(root, "node_modules", ".package-lock.json"))?.packages ?? {};
  return Object.entries(wanted).every(
    ([folder, { version, optional, devOptional, link }]) =>
      folder === "" ||
      link ||
      present[folder]?.version === version ||
      ((optional || devOptional) && !present[folder]),
  );
}

function install() {
  say("Installing what package-lock.json pins (npm ci)");
  const npm = process.env.npm_execpath;
  const args = ["ci", "--include=dev", "--no-audit", "--no-fund"];
  // Under `npm start`, use the npm that is running. On Windows, `npm` itself is a script that only a shell can start.
  const ran = npm
    ? spawnSync(process.execPath, [npm, ...args], toStderr())
    : spawnSync("npm", args, { ...toStderr(), shell: process.platform === "win32" });
  if (ran.status !== 0)
    stop("Installing: `npm ci` failed, see above. Can this machine reach the npm registry?", ran.status);
}

/** A text that changes whenever a source file is added, removed or edited, or the compiler or its settings change. */
function fingerprint() {
  const settings = ["tsconfig.json", "tsconfig.build.json", "package.json", "package-lock.json"];
  return [...settings, ...sourceFiles().sort()]
    .map((file) => {
      const { size, mtimeMs } = fs.statSync(path.join(root, file));
      // A copy keeps times only to the millisecond.
      return `${file} ${size} ${Math.round(mtimeMs)}`;
    })
    .join("\n");
}

function sourceFiles() {
  const tests = path.join("emulator", "test");
  return sourceFolders
    .flatMap((folder) =>
      fs.readdirSync(path.join(root, folder), { recursive: true }).map((file) => path.join(folder, file)),
    )
    .filter((file) => /\.[jt]s$/.test(file) && !file.startsWith(tests));
}

function isBuilt(sources) {
  const built = fs.existsSync(buildStamp) ? fs.readFileSync(buildStamp, "utf8") : "";
  return built === `checked\n${sources}` || (!isChecked && built === sources);
}

/**
 * Compiles beside dist/ and then swaps the folders, so that a build that fails or is killed leaves the old one in
 * place.
 */
function build(sources) {
  say("Building dist/ (npm run build)");
  const next = path.join(local, "dist-next");
  const last = path.join(local, "dist-last");
  for (const folder of [next, last]) fs.rmSync(folder, { recursive: true, force: true });
  const failure = "Building: the compiler found errors, see above.";
  if (!isChecked) transpile(next, failure);
  else runNode(["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json", "--outDir", next], failure);
  runNode(["tools/plugin/bundle.js", next], "Building: the plugin could not be bundled, see above.");
  // npm makes the `bin` files of a package executable when it installs the package. This line does the same in the
  // checkout.
  for (const file of Object.values(bin)) fs.chmodSync(path.join(next, path.relative("dist", file)), 0o755);
  fs.writeFileSync(path.join(next, ".sources"), isChecked ? `checked\n${sources}` : sources);
  if (fs.existsSync(dist)) move(dist, last);
  move(next, dist);
  fs.rmSync(last, { recursive: true, force: true, maxRetries: 5 });
}

/** Code that only runs needs no declarations: leaving them out saves seconds. */
function transpile(outdir, failure) {
  const entryPoints = sourceFiles().filter((file) => file.endsWith(".ts"));
  try {
    const like = { outbase: root, format: "cjs", platform: "node", target: "es2022", logLevel: "warning" };
    require("esbuild").buildSync({ absWorkingDir: root, entryPoints, outdir, ...like });
  } catch {
    stop(failure);
  }
}

function runNode(words, failure) {
  const ran = spawnSync(process.execPath, words, toStderr());
  if (ran.status !== 0) stop(failure, ran.status);
}

/**
 * Windows refuses to rename a folder while a scanner has one of its files open, and scanners open newly written files.
 */
function move(from, to) {
  for (let triesLeft = process.platform === "win32" ? 20 : 0; ; triesLeft--) {
    try {
      fs.renameSync(from, to);
      return;
    } catch (error) {
      if (triesLeft === 0) throw error;
    }
    pause(100);
  }
}

function takeLock() {
  fs.mkdirSync(local, { recursive: true });
  for (let waited = false; ; waited = true) {
    try {
      fs.writeFileSync(lockFile, String(process.pid), { flag: "wx" });
      return;
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
    }
    if (!holderLives()) fs.rmSync(lockFile, { force: true });
    else if (!waited) say("Waiting for another process that is installing or building");
    pause(200);
  }
}

function pause(ms) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function holderLives() {
  try {
    process.kill(Number(fs.readFileSync(lockFile, "utf8")), 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

function toStderr() {
  return { cwd: root, stdio: ["ignore", 2, 2] };
}

function readJson(file) {
  try {
    return JSON.parse(fs.readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

function say(text) {
  console.error(`${text} …`);
}

function stop(text, code = 1) {
  console.error(text);
  fs.rmSync(lockFile, { force: true });
  process.exit(code || 1);
}
