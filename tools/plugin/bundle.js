"use strict";

/**
 * Bundles the plugin and the emulator's program, which run in places without node_modules, and the dynamic provider,
 * which loads three times as fast from one file. Each bundle contains only the parts of zod and undici that the code
 * uses.
 *
 * `node tools/plugin/bundle.js [dist]`
 */
const fs = require("node:fs");
const path = require("node:path");
const esbuild = require("esbuild");
const { bundleAction } = require("../action/bundle");
const { materialsOf, noticesOf, packagesIn } = require("./bundled");

const root = path.join(__dirname, "..", "..");
const dist = path.resolve(process.argv[2] ?? path.join(root, "dist"));
const folder = path.join(dist, "plugin");
/** The name that the engine looks for; on Windows, with `.exe` or `.cmd` at the end. */
const program = "pulumi-resource-compute";

const { version, engines } = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8"));
const oldestNode = engines.node.replace(">=", "");

fs.rmSync(folder, { recursive: true, force: true });
const bundles = [
  {
    entry: "provider/plugin.ts",
    outfile: path.join(folder, "plugin.js"),
    banner: programsBanner(program),
  },
  // Replaces what the compiler made. The SDK's process loads it, and has already checked its own Node version.
  {
    entry: "provider/index.ts",
    outfile: path.join(dist, "provider", "index.js"),
  },
  // Replaces what the compiler made: `npx -p` installs no optional peers, and the program needs hono.
  {
    entry: "emulator/main.ts",
    outfile: path.join(dist, "emulator", "main.js"),
    banner: programsBanner("compute-emulator"),
  },
  // Replaces what the compiler made: this program runs files that only the dynamic provider's bundle contains.
  {
    entry: "verify/main.ts",
    outfile: path.join(dist, "verify", "main.js"),
    banner: programsBanner("compute-verify"),
  },
];
const bundled = bundles.map(bundle);
checkNodeFirst("import", "compute-import");
checkNodeFirst("preview", "compute-preview");

// Removes files that only the dynamic provider needs: its bundle contains them, and no other file of the package loads
// them. Their type declarations stay, since those of the provider refer to them.
const host = path.join(dist, "provider", "host");
for (const name of fs.readdirSync(host, { recursive: true, encoding: "utf8" }))
  if (name.endsWith(".js")) fs.rmSync(path.join(host, name));
for (const name of ["check", "diff"]) fs.rmSync(path.join(dist, "provider", "plan", `${name}.js`));

// Removes files that only the bundled programs need: their bundles contain them.
for (const made of ["provider/plugin", "provider/host/plugin", "emulator/guide"])
  for (const end of ["", ".js", ".d.ts"])
    fs.rmSync(path.join(dist, `${made}${end}`), { recursive: true, force: true });
fs.rmSync(path.join(dist, "emulator", "main.d.ts"), { force: true });

/** @returns the path of the file in the package, and the packages in it. */
function bundle({ entry, outfile, banner = "" }) {
  const { metafile } = esbuild.buildSync({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: "node",
    target: "node20.18",
    minify: true,
    // Users see the names of errors.
    keepNames: true,
    metafile: true,
    legalComments: "eof",
    logLevel: "warning",
    alias: { undici: path.join(__dirname, "undici.js") },
    // gRPC loads this package only for its services that report on a server (channelz, ORCA); the plugin has neither.
    external: ["@grpc/proto-loader"],
    // The directive counts only at the very beginning of the bundle.
    banner: { js: `"use strict";${banner}` },
  });
  const packages = packagesIn(metafile);
  fs.appendFileSync(outfile, noticesOf(packages));
  return { file: path.posix.join("dist", ...path.relative(dist, outfile).split(path.sep)), packages };
}

/**
 * Puts the check of Node's version below the line that names the interpreter, so that it runs before the compiled code.
 */
function checkNodeFirst(room, name) {
  const main = path.join(dist, room, "main.js");
  const [interpreter, ...rest] = fs.readFileSync(main, "utf8").split("\n");
  const banner = programsBanner(name);
  if (!rest.includes(banner)) fs.writeFileSync(main, [interpreter, banner, ...rest].join("\n"));
}

function programsBanner(name) {
  return `(${requireNode.toString()})(${JSON.stringify(oldestNode)},${JSON.stringify(name)});`;
}

// Names the version, and makes the bundle CommonJS whatever folder it is unpacked into.
write("package.json", `${JSON.stringify({ name: program, version, type: "commonjs" })}\n`);
write(program, shellScript());
write(`${program}.cmd`, '@echo off\r\nnode "%~dp0plugin.js" %*\r\n');
fs.chmodSync(path.join(folder, program), 0o755);
// `pulumi package add` takes a folder with a PulumiPlugin.yaml, and names the folder in Pulumi.yaml. The plugin's own
// folder must not contain this file, since the plugin cache would then install packages there. The SDK's run-plugin
// starts the plugin.
const added = path.join("..", "package");
fs.mkdirSync(path.join(folder, added), { recursive: true });
write(path.join(added, "PulumiPlugin.yaml"), "runtime: nodejs\n");
write(
  path.join(added, "package.json"),
  `${JSON.stringify({ name: program, version, main: "../plugin/plugin.js" })}\n`,
);
write(
  path.join(added, program),
  '#!/bin/sh\nexec "$(dirname "$0")/../plugin/pulumi-resource-compute" "$@"\n',
);
write(
  path.join(added, `${program}.cmd`),
  '@echo off\r\n"%~dp0..\\plugin\\pulumi-resource-compute.cmd" %*\r\n',
);
fs.chmodSync(path.join(folder, added, program), 0o755);
fs.copyFileSync(path.join(root, "LICENSE"), path.join(folder, "LICENSE"));
const materials = materialsOf([...bundled, { file: "action/bundle.js", packages: bundleAction().packages }]);
fs.writeFileSync(path.join(dist, "bundled.cdx.json"), `${JSON.stringify(materials, undefined, 2)}\n`);
// Writes the schemas, from the tables that were compiled just before.
require(path.join(dist, "tools", "schema", "main.js"));

function write(file, text) {
  fs.writeFileSync(path.join(folder, file), text);
}

function shellScript() {
  const words = `${program} needs Node ${oldestNode} or later, and there is no node on PATH.`;
  return [
    "#!/bin/sh",
    `command -v node >/dev/null || { echo "${words}" >&2; exit 127; }`,
    // Only the port goes to the stream that the engine reads: provider/plugin.ts says why.
    'exec node "$(dirname "$0")/plugin.js" "$@" --port-to=3 3>&1 1>&2',
    "",
  ].join("\n");
}

/**
 * The first code of a program, which runs before an older Node fails on the rest. The engine shows the plugin's
 * message.
 */
function requireNode(oldest, name) {
  const [is, wanted] = [process.versions.node, oldest].map((text) => text.split(".").map(Number));
  if ((is[0] - wanted[0] || is[1] - wanted[1] || is[2] - wanted[2]) >= 0) return;
  process.stderr.write(
    `${name} needs Node ${oldest} or later, and the node on PATH is ${process.versions.node}.\n`,
  );
  process.exit(1);
}
