import { cpSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { archiveName, packFolder } from "../../../tools/plugin/pack";
import { packedOutside, succeed, writeFiles } from "../../support/packed";
import {
  createStack,
  pluginLines,
  pulumiIn,
  type CommandResult,
  type Commands,
  type TestStack,
} from "../../support/stack";

const checkout = path.join(__dirname, "../../..");
const { version } = JSON.parse(readFileSync(path.join(checkout, "package.json"), "utf8")) as {
  version: string;
};
/** A later version than the package's: the engine goes by the version's name, not by what the plugin does. */
const later = "9.9.9";

const npm = ["--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline", "--legacy-peer-deps"];
const runtime = "name: outside\nruntime:\n  name: nodejs\n  options: { typescript: false }\nmain: index.js\n";
const plugin = "node_modules/pulumi-compute-endpoint/dist/plugin";
const quiet = ["--yes", "--skip-preview"];
const acquisition = { PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "" };
const aboutPlugins = /warning|PATH/;

const page = readFileSync(path.join(checkout, "docs/install.md"), "utf8");

const outside = packedOutside();
let stack: TestStack;
let server: Server;
let address: string;
/** The paths that were requested since a test emptied this list. */
const asked: string[] = [];

let homes = 0;
/** Another machine with a checkout of the user's program: its plugin cache is empty. */
function machine(folder: string): Commands {
  homes += 1;
  const home = path.join(outside.folder, `home-${String(homes)}`);
  return pulumiIn(folder, { ...stack.environment, PULUMI_HOME: home, PULUMI_STACK: "test" });
}
/** The user's checkout, and the machine that has it. */
let programFolder: string;
let first: Commands;

/** Puts a version of the plugin into a machine's cache. */
function cache(where: Commands, named: string, file: string): Promise<CommandResult> {
  return where.ok(["plugin", "install", "resource", "compute", named, "--file", file]);
}

/** The program uses this repository's SDK, since installing it again would take most of the time. */
function linkSdk(folder: string): void {
  symlinkSync(path.join(checkout, "node_modules/@pulumi"), path.join(folder, "node_modules/@pulumi"));
}

function program(projectId: string, branchId: string): string {
  return `
const { Endpoint, fixedSize, listEndpoints } = require("pulumi-compute-endpoint/native");
const args = { projectId: "${projectId}", branchId: "${branchId}", ...fixedSize(1) };
const opts = process.env.DOWNLOAD ? { pluginDownloadURL: process.env.DOWNLOAD } : {};
exports.host = new Endpoint("app", args, opts).host;
exports.seen = listEndpoints({ projectId: args.projectId }, opts).then((all) => all.length > 0);
`;
}

beforeAll(async () => {
  const folder = path.join(outside.folder, "program");
  programFolder = folder;
  writeFiles(folder, { "package.json": '{ "name": "program" }', "Pulumi.yaml": runtime });
  await succeed(["npm", "install", ...npm, outside.tarball], folder);
  linkSdk(folder);
  stack = await createStack({ program: () => folder });
  first = machine(folder);
  writeFiles(folder, { "index.js": program(stack.projectId, stack.emptyBranch()) });

  const archives = path.join(outside.folder, "archives");
  mkdirSync(archives);
  await packFolder(path.join(folder, plugin), path.join(archives, archive));
  server = createServer(({ url = "" }, response) => {
    asked.push(url);
    if (url.startsWith("/none/")) return response.writeHead(404).end();
    const archive = readFileSync(path.join(archives, path.basename(url)));
    return response.writeHead(200, { "content-length": archive.length }).end(archive);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
});
afterAll(async () => {
  server.close();
  await stack.close();
});
beforeEach(() => {
  asked.length = 0;
});

const computes = (): number => stack.computes().length;

/** This machine, as Go calls it. */
const system = process.platform === "win32" ? "windows" : process.platform;
const platform = `${system}-${process.arch === "x64" ? "amd64" : process.arch}`;
const archive = archiveName(version, platform);

describe("an engine that finds no plugin", () => {
  it("says so in the words that docs/install.md quotes", async () => {
    writeFiles(programFolder, { "Pulumi.yaml": runtime });
    const words = `no resource plugin 'pulumi-resource-compute' found in the workspace at version v${version} or on your $PATH`;
    expect(await first.fails(["preview"])).toContain(`error: ${words}`);
    expect(page).toContain(`error: ${words}\n`);
  });

  it("advises the command that docs/install.md quotes, if downloads are allowed and the server has no plugin", async () => {
    const tried = await first.fails(["preview"], {
      ...acquisition,
      PULUMI_PLUGIN_DOWNLOAD_URL_OVERRIDES: `.=${address}/none`,
    });
    const advice = `Could not automatically download and install resource plugin 'pulumi-resource-compute' at version v${version}, install the plugin using \`pulumi plugin install resource compute v${version}\`: `;
    expect(tried).toContain(`error: ${advice}`);
    expect(page).toContain(`error: ${advice}`);
  });
});

describe("an engine, with the plugin's four lines in Pulumi.yaml,", () => {
  it("runs the plugin that npm installed, without mentioning it", async () => {
    expect(page).toContain(pluginLines);
    writeFiles(programFolder, { "Pulumi.yaml": `${runtime}${pluginLines}` });
    const before = computes();
    const ran = [await first.ok(["up", "--yes"]), await first.ok(["refresh", ...quiet])];
    const printed = ran.map(({ output }) => output).join("");
    expect(computes()).toBe(before + 1);
    expect(printed).toContain("Previewing update");
    expect(printed.match(/warning|PATH|plugin/gi)).toBeNull();
    expect((await first.ok(["install", "--no-dependencies"])).output).toBe("");
  });

  it("needs `npm ci` and no more on a machine that has never seen the stack", async () => {
    const folder = path.join(outside.folder, "fresh");
    mkdirSync(folder);
    for (const file of ["Pulumi.yaml", "index.js", "package.json", "package-lock.json"])
      cpSync(path.join(programFolder, file), path.join(folder, file));
    const fresh = machine(folder);
    const early = "parsing plugin options for 'compute': no folder at path '";
    for (const words of [["refresh", ...quiet], ["install"]])
      expect(await fresh.fails(words)).toContain(`${early}${folder}/${plugin}'`);
    expect(page).toContain(early);

    await succeed(["npm", "ci", ...npm], folder);
    linkSdk(folder);
    expect((await fresh.ok(["refresh", ...quiet, "--expect-no-changes"])).output).not.toMatch(aboutPlugins);
    const before = computes();
    expect((await fresh.destroy()).output).not.toMatch(aboutPlugins);
    expect(computes()).toBe(before - 1);
  });
});

describe("an engine with a download server", () => {
  beforeAll(() => {
    writeFiles(programFolder, { "Pulumi.yaml": runtime });
  });

  it("downloads the plugin when a program first names the server", async () => {
    const environment = { ...acquisition, DOWNLOAD: `${address}/v\${VERSION}/\${OS}-\${ARCH}` };
    const before = computes();
    await machine(programFolder).up(environment);
    expect(computes()).toBe(before + 1);
    expect(asked).toEqual([`/v${version}/${platform}/${archive}`]);
  });

  it("downloads the plugin on every other machine, since the state names the server", async () => {
    const before = computes();
    await machine(programFolder).destroy(acquisition);
    expect(asked).toEqual([`/v${version}/${platform}/${archive}`]);
    expect(computes()).toBe(before - 1);
  });
});

describe("an engine with the plugin in its cache", () => {
  it("takes the version of the package, whatever other versions the cache has", async () => {
    const cached = machine(programFolder);
    await cache(cached, version, path.join(outside.folder, "archives", archive));
    const broken = path.join(outside.folder, "broken");
    writeFiles(broken, { "pulumi-resource-compute": "#!/bin/sh\nexit 1\n" });
    await cache(cached, later, broken);
    const listed = JSON.parse((await cached.ok(["plugin", "ls", "--json"])).stdout) as { version: string }[];
    expect(listed.map((found) => found.version)).toEqual([later, version]);
    const before = computes();
    expect((await cached.up()).output).not.toMatch(aboutPlugins);
    expect(computes()).toBe(before + 1);
  });

  it("also needs the version in the state, until the first update with another version", async () => {
    const cached = machine(programFolder);
    renamePackage(version, later);
    await cache(cached, later, plugin);
    const words = `no resource plugin 'pulumi-resource-compute' found in the workspace at version v${version} or`;
    const before = await cached.fails(["preview"]);
    expect(before).toMatch(new RegExp(`error: could not load provider for resource .*: ${words}`));
    await cache(cached, version, path.join(outside.folder, "archives", archive));
    expect((await cached.ok(["preview", "--expect-no-changes"])).output).not.toMatch(aboutPlugins);
  });
});

/** Gives another version to the package that the program has installed. */
function renamePackage(from: string, to: string): void {
  const installed = path.join(programFolder, "node_modules/pulumi-compute-endpoint");
  for (const folder of [installed, path.join(programFolder, plugin)]) {
    const manifest = readFileSync(path.join(folder, "package.json"), "utf8");
    writeFiles(folder, { "package.json": manifest.replace(`"${from}"`, `"${to}"`) });
  }
}
